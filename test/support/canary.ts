import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What was searched, and what of it held a secret. */
export interface Searched {
  readonly files: number;
  readonly bytes: number;
  /** Where a secret was found, and in which form; never the secret itself. */
  readonly hits: readonly string[];
}

/** A text that a command left behind: an output, or a file. */
export interface Left {
  readonly name: string;
  readonly text: string;
}

/**
 * What tests that run in this process log in with: each unlike any other text, and with letters that
 * are written in another way in JSON, in an address and in a page.
 */
export const CLIENT_SECRETS = {
  admin: 'canary/admin+7f"Q2&9z',
  operator: 'canary/operator+1c"K8&5x',
  viewer: 'canary/viewer+4d"M6&3w',
} as const;

/** What else nobody may see of those tests: tokens of jobs, and a secret of a payload. */
export const JOB_TOKEN = 'canary-of-a-job-5b81e0';
export const PAYLOAD_SECRET = 'canary\\of/a+payload"&<é>';
export const SECRET_TEXTS: readonly string[] = [JOB_TOKEN, PAYLOAD_SECRET];

/** Names of variables whose values nobody but the service, the proxy or GitHub may see. */
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|CANARY/;
const PROXY_NAME = /^https?_proxy$/i;

/** Shorter ones stand in many texts by chance. */
const SHORTEST = 8;

/** What is a secret whoever made it: a token of the twin, a key, a header with either. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  token: /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  key: /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  header: /\bauthorization:? *"?(?:basic|bearer) +[\w+/=.-]{12,}/i,
};

/** The secrets that an environment holds: by the names of its variables, and the password of a proxy. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (PROXY_NAME.test(name) && URL.canParse(value))
      return [decodeURIComponent(new URL(value).password)].filter(isLong);
    return SECRET_NAME.test(name) && !name.endsWith('_FILE') && isLong(value) ? [value] : [];
  });
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST;
}

/**
 * Looks for secrets in plain, base64 (wherever it begins), hex and URL form, as JSON and as a page
 * write them, and for their shapes.
 */
export function search(left: Iterable<Left>, secrets: Iterable<string>): Searched {
  const forms = [...new Set(secrets)].flatMap(formsOf);
  const hits: string[] = [];
  let [files, bytes] = [0, 0];
  for (const { name, text } of left) {
    files += 1;
    bytes += Buffer.byteLength(text);
    const small = text.toLowerCase();
    for (const { form, says } of forms)
      if ((form === 'hex' ? small : text).includes(says)) hits.push(`${name}: ${form}`);
    for (const [shape, pattern] of Object.entries(SHAPES))
      if (pattern.test(text)) hits.push(`${name}: ${shape}`);
  }
  return { files, bytes, hits };
}

function formsOf(secret: string): readonly { readonly form: string; readonly says: string }[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const written = {
    plain: secret,
    url: encodeURIComponent(secret),
    form: new URLSearchParams([['', secret]]).toString().slice(1),
    json,
    script: json.replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    page: pageOf(secret),
  };
  return [
    { form: 'hex', says: bytes.toString('hex') },
    ...Object.entries(written)
      .filter(([form, says]) => form === 'plain' || says !== secret)
      .flatMap(([form, says]) =>
        // A file is read byte by byte.
        [...new Set([says, Buffer.from(says).toString('latin1')])].map((one) => ({
          form,
          says: one,
        })),
      ),
    ...[0, 1, 2].flatMap((offset) => {
      // Letters whose bits a neighbour shares are left out; the rest is the same in every text.
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      const inner = text.slice(offset === 0 ? 0 : offset + 1, -4);
      return [
        { form: 'base64', says: inner },
        { form: 'base64', says: inner.replaceAll('+', '-').replaceAll('/', '_') },
      ];
    }),
  ];
}

function pageOf(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return text.replace(/[&<>"]/g, (letter) => `&${names[letter]};`);
}

/** Every file below a folder, but those that still are as a test wrote them. */
export function* filesLeft(folder: string, given: ReadonlyMap<string, string>): Generator<Left> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || isHollow(path)) continue;
    const name = path.slice(folder.length + 1);
    const text = readFileSync(path, 'latin1');
    const isGiven = given.get(name) === Buffer.from(text, 'latin1').toString('utf8');
    if (!isGiven) yield { name, text };
  }
}

/** A size alone, larger than any text, and nothing ever written. */
function isHollow(path: string): boolean {
  const { size, blocks } = statSync(path);
  return size > 2 ** 29 && blocks === 0;
}

/** Adds to the sum that `npm test` prints; throws where a secret was found. */
export function settle({ files, bytes, hits }: Searched): void {
  const report = process.env['FLEETFORM_CANARIES'];
  const line = JSON.stringify({ files, bytes, hits: hits.length });
  if (report) appendFileSync(report, `${line}\n`);
  if (hits.length > 0) throw new SecretsFound(hits);
}

/** Where secrets were found; never the secrets. */
class SecretsFound extends Error {
  override readonly name = 'SecretsFound';

  constructor(hits: readonly string[]) {
    super(`secrets were found:\n${hits.join('\n')}`);
  }
}

/** Known by its name: where sources are loaded more than once, so is this class. */
export function isSecretsFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'SecretsFound';
}
