import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
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

/** Looks for secrets in plain, base64 (wherever it begins), URL and hex form, and for their shapes. */
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
  const url = encodeURIComponent(secret);
  return [
    { form: 'plain', says: secret },
    { form: 'hex', says: bytes.toString('hex') },
    ...(url === secret ? [] : [{ form: 'url', says: url }]),
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

/** Every file below a folder, but those that still are as a test wrote them. */
export function* filesLeft(folder: string, given: ReadonlyMap<string, string>): Generator<Left> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    const text = readFileSync(path, 'latin1');
    const isGiven = given.get(name) === Buffer.from(text, 'latin1').toString('utf8');
    if (!isGiven) yield { name, text };
  }
}

/** Adds to the sum that `npm test` prints; throws where a secret was found. */
export function settle({ files, bytes, hits }: Searched): void {
  const report = process.env['FLEETFORM_CANARIES'];
  const line = JSON.stringify({ files, bytes, hits: hits.length });
  if (report) appendFileSync(report, `${line}\n`);
  if (hits.length > 0) throw new Error(`secrets were found:\n${hits.join('\n')}`);
}
