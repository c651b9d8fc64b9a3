import { isUtf8 } from 'node:buffer';

/**
 * What is wrong with a body: not JSON at all, JSON that ends too early, or nested beyond
 * reason.
 */
export type JsonProblem = 'notJson' | 'cut' | 'tooDeep';

export type ParsedJson = { readonly value: unknown } | { readonly problem: JsonProblem };

/** Deepest nesting that is read, in arrays and objects (protocol Y9). */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte does to nesting; most do nothing, and one look-up tells. */
const EFFECTS = new Uint8Array(256);
const STARTS_TEXT = 1;
const OPENS = 2;
const CLOSES = 3;
EFFECTS[QUOTE] = STARTS_TEXT;
for (const opening of Buffer.from('{[')) EFFECTS[opening] = OPENS;
for (const closing of Buffer.from('}]')) EFFECTS[closing] = CLOSES;

/**
 * Bytes of an answer as a value. Nesting is counted before any parser sees the text. A member
 * named `__proto__` is a plain member here, as `JSON.parse` makes it; whoever copies members
 * takes them by name.
 */
export function parseAnswerJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problem: 'notJson' };
  const { deepest, isOpen } = scan(bytes);
  if (deepest > MAX_JSON_DEPTH) return { problem: 'tooDeep' };
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch {
    return { problem: isOpen && startsLikeJson(bytes) ? 'cut' : 'notJson' };
  }
}

/**
 * Every answer of the service is an object or a list; a page of HTML with an open quote in it
 * is not cut JSON.
 */
function startsLikeJson(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 64).toString().trimStart();
  return start === '' || start.startsWith('{') || start.startsWith('[');
}

/**
 * One pass over the bytes: how deep arrays and objects nest, and whether something is still
 * open at the end.
 */
function scan(bytes: Buffer): { readonly deepest: number; readonly isOpen: boolean } {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const effect = EFFECTS[bytes[at] ?? 0];
    if (effect === OPENS) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (effect === CLOSES) depth -= 1;
    else if (effect === STARTS_TEXT) {
      at = endOfText(bytes, at + 1);
      if (at === bytes.length) return { deepest, isOpen: true };
    }
  }
  return { deepest, isOpen: depth > 0 || bytes.length === 0 };
}

/** Index of the closing quote, or the length where there is none. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, bytes.length);
}
