import { createHash, hash } from 'node:crypto';

/** A JSON value with exactly one canonical text. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Writes a value as canonical JSON: keys in code-unit order, no white space, no absent keys. IDs,
 * digests and hash chains depend on it, since two writers must agree on every byte.
 */
export function canonical(value: Json): string {
  if (isInOrder(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`;
  const object = value as JsonObject;
  const members: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Whether every object in a value has its keys in order, as in one that was read: JSON.stringify keeps that. */
function isInOrder(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const object = value as JsonObject;
  const keys = Object.keys(object);
  const isSorted = keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
  return isSorted && keys.every((key) => isInOrder(object[key]));
}

/** The SHA-256 of a text or of bytes, in hex. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** An incremental SHA-256, for content that is too large to hold in memory. */
export function startDigest(): { add(content: string): void; hex(): string } {
  const running = createHash('sha256');
  let held = '';
  return {
    add(content) {
      held += content;
      if (held.length < CHUNK) return;
      running.update(held);
      held = '';
    },
    hex: () => running.update(held).digest('hex'),
  };
}

/** Lines are digested in chunks: a call for each costs more than its digest. */
const CHUNK = 16_384;

/** The SHA-256 of the canonical text of a value, in hex. */
export function digest(value: Json): string {
  return sha256(canonical(value));
}

/**
 * The first 26 characters of the base32 digest of a value (130 bits): short enough to type, and
 * unique in practice.
 */
export function shortId(value: Json): string {
  const bytes = hash('sha256', canonical(value), 'buffer');
  const digits: string[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5 && digits.length < 26) {
      bits -= 5;
      digits.push(BASE32[(held >> bits) & 31] ?? '');
    }
    held &= (1 << bits) - 1;
  }
  return digits.join('');
}

/** A text whose line ends are those of any machine: in YAML, and in Markdown, they say nothing. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
