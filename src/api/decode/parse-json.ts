import { isUtf8 } from 'node:buffer';

/** Why a body cannot be used: it is not JSON, is truncated, or is nested too deep. */
export type JsonProblem = 'notJson' | 'cut' | 'tooDeep';

type ParsedJson = { readonly value: unknown } | { readonly problem: JsonProblem };

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
 * Parses the bytes of an answer, unless it is nested too deep. The parser does not recurse, so the nesting of what it
 * read is checked, which costs a tenth of a check of the bytes. Bytes are scanned only where they are no JSON. A
 * `__proto__` member is an ordinary member, as in `JSON.parse`, so callers copy members by name.
 */
export function parseAnswerJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problem: 'notJson' };
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isDeeper(value, MAX_JSON_DEPTH) ? { problem: 'tooDeep' } : { value };
  } catch {
    const { deepest, isOpen } = scan(bytes);
    if (deepest > MAX_JSON_DEPTH) return { problem: 'tooDeep' };
    return { problem: isOpen && startsLikeJson(bytes) ? 'cut' : 'notJson' };
  }
}

/** Whether lists and objects are nested in more levels than these. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeper(member, levels - 1));
  const members = value as Readonly<Record<string, unknown>>;
  // A parsed object has no members but its own, and no list of them is made.
  for (const name in members) if (isDeeper(members[name], levels - 1)) return true;
  return false;
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
