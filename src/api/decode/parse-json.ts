import { isUtf8 } from 'node:buffer';

/** Why a body cannot be used: it is not JSON, is truncated, or is nested too deep. */
export type JsonProblem = 'notJson' | 'cut' | 'tooDeep';

export type ParsedJson = { readonly value: unknown } | { readonly problem: JsonProblem };

/** Deepest accepted nesting of arrays and objects (protocol Y9). */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The effect of each byte on the nesting depth, as a lookup table. */
const EFFECTS = new Uint8Array(256);
const STARTS_TEXT = 1;
const OPENS = 2;
const CLOSES = 3;
EFFECTS[QUOTE] = STARTS_TEXT;
for (const opening of Buffer.from('{[')) EFFECTS[opening] = OPENS;
for (const closing of Buffer.from('}]')) EFFECTS[closing] = CLOSES;

/**
 * Parses the bytes of an answer after a check of their nesting. A `__proto__` member is an ordinary
 * member, as in `JSON.parse`, so callers copy members by name.
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
 * Every answer is an object or a list. This check keeps an HTML page with an open quote from being
 * reported as truncated JSON.
 */
function startsLikeJson(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 64).toString().trimStart();
  return start === '' || start.startsWith('{') || start.startsWith('[');
}

/** Scans the bytes once for the nesting depth and for unclosed values. */
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

/** The index of the closing quote, or the length of the text if there is none. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, bytes.length);
}
