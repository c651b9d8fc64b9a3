import { sha256 } from '../lib/canonical.ts';
import { parseInstant } from '../lib/time.ts';
import { parseAnswerJson } from './decode/parse-json.ts';

/** Removes secrets from traces. Learned values are removed wherever they occur. */
export interface Redactor {
  /** Learns a value that must never be written. Very short values are ignored. */
  learn(secret: string): void;
  /** A body without secrets: JSON as a value, anything else as size and digest. */
  body(text: string): unknown;
}

const REMOVED = '(removed)';
const SHORTEST_SECRET = 4;
const PAYLOADS = new Set(['payload', 'defaultPayload']);
const SENSITIVE =
  /(?:token|secret|password|passphrase|credentials?|authorization|certificate|pem|key)$/i;
const SECRET_SHAPE = /-----BEGIN |^(?:Basic|Bearer) |\beyJ[\w-]{8,}\.[\w-]+\./;

/**
 * A redactor that initially knows only the forms of secrets: key names, PEM blocks, web tokens,
 * payloads.
 */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const isSecret = (text: string): boolean =>
    SECRET_SHAPE.test(text) || [...secrets].some((secret) => text.includes(secret));
  return {
    learn: (secret) => {
      if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
    body: (text) => {
      const parsed = parseAnswerJson(Buffer.from(text));
      if ('problem' in parsed) return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
      return clean(parsed.value, isSecret);
    },
  };
}

function clean(value: unknown, isSecret: (text: string) => boolean): unknown {
  if (typeof value === 'string') return isSecret(value) ? REMOVED : value;
  if (Array.isArray(value)) return value.map((item) => clean(item, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return fromEntries(
    Object.entries(value).map(([key, member]) => [key, cleanMember(key, member, isSecret)]),
  );
}

/** Times stay readable: the expiry of a password is no secret. */
function cleanMember(key: string, value: unknown, isSecret: (text: string) => boolean): unknown {
  if (PAYLOADS.has(key)) return withoutValues(value);
  const isHeld = typeof value === 'string' && SENSITIVE.test(key);
  if (isHeld && parseInstant(value) === undefined) return REMOVED;
  return clean(value, isSecret);
}

/** The shape of a payload: its fields without their values. */
function withoutValues(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(withoutValues);
  if (typeof value !== 'object') return REMOVED;
  return fromEntries(Object.entries(value).map(([key, member]) => [key, withoutValues(member)]));
}

/** Creates an object without a prototype, so that no member name can reach one. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
}
