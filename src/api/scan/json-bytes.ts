/**
 * Finds the end of JSON values in bytes that are known to be UTF-8, and checks their form as `JSON.parse` would. Each
 * function returns the index behind what it read, or `NOT_READ` for anything it does not accept: invalid JSON, and
 * valid JSON that is too rare to be worth the code, such as a number with an exponent.
 */
export const NOT_READ = -1;

/** Values nested deeper are left to the plain parser, which has the limit of protocol Y9. */
const DEEPEST = 16;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const BACKSLASH = 0x5c;
const [SPACE, MINUS, ZERO, NINE] = [0x20, 0x2d, 0x30, 0x39];
const [LETTER_F, LETTER_N, LETTER_T, LETTER_U] = [0x66, 0x6e, 0x74, 0x75];
/** What may follow a backslash alone. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

export type Bytes = Uint8Array;

/** The index of the next byte that is no space. */
export function skipSpace(bytes: Bytes, from: number): number {
  let at = from;
  while (isSpace(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Most bytes that are asked are none, so one comparison has to settle that. */
function isSpace(byte: number): boolean {
  return byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** @param from the index of the opening quote */
export function skipText(bytes: Bytes, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte < SPACE) return NOT_READ;
    if (byte !== BACKSLASH) continue;
    at = skipEscape(bytes, at);
    if (at === NOT_READ) return NOT_READ;
  }
  return NOT_READ;
}

/** The index of the last byte of an escape sequence. */
function skipEscape(bytes: Bytes, from: number): number {
  const next = bytes[from + 1] ?? 0;
  if (ESCAPED.has(next)) return from + 1;
  if (next !== LETTER_U) return NOT_READ;
  for (let at = from + 2; at < from + 6; at += 1) if (!isHex(bytes[at] ?? 0)) return NOT_READ;
  return from + 5;
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= ZERO && byte <= NINE) || (letter >= 0x61 && letter <= 0x66);
}

/** @param from the index of the first byte of the value */
export function skipValue(bytes: Bytes, from: number, depth = 0): number {
  const byte = bytes[from] ?? 0;
  if (byte === QUOTE) return skipText(bytes, from);
  if (byte === OPEN_OBJECT || byte === OPEN_LIST)
    return depth === DEEPEST ? NOT_READ : skipMembers(bytes, from, depth);
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return skipNumber(bytes, from);
  const word = literal(byte);
  return word && startsWith(bytes, from, word) ? from + word.length : NOT_READ;
}

/** The literal that starts with a byte. */
function literal(byte: number): Bytes | undefined {
  if (byte === LETTER_T) return TRUE;
  if (byte === LETTER_F) return FALSE;
  return byte === LETTER_N ? NULL : undefined;
}

/** A list, or an object. */
function skipMembers(bytes: Bytes, from: number, depth: number): number {
  const isObject = bytes[from] === OPEN_OBJECT;
  const close = isObject ? CLOSE_OBJECT : CLOSE_LIST;
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === close) return at + 1;
  for (;;) {
    if (isObject) at = skipKey(bytes, at);
    if (at === NOT_READ) return NOT_READ;
    at = skipValue(bytes, at, depth + 1);
    if (at === NOT_READ) return NOT_READ;
    at = skipSpace(bytes, at);
    if (bytes[at] === close) return at + 1;
    if (bytes[at] !== COMMA) return NOT_READ;
    at = skipSpace(bytes, at + 1);
  }
}

/**
 * Skips the rest of an object from inside it by its texts and braces alone, which is faster than a check of its form.
 * @param from an index outside any text and any inner value
 */
export function skipRest(bytes: Bytes, from: number): number {
  let depth = 1;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfText(bytes, at + 1);
    } else if (byte > LETTER_U) {
      if (byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_OBJECT) depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return NOT_READ;
}

/** The index of the quote that ends a text, or the length. */
function endOfText(bytes: Bytes, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) at += 1;
  }
  return at;
}

/** A name with its colon, and the space around them. */
function skipKey(bytes: Bytes, from: number): number {
  if (bytes[from] !== QUOTE) return NOT_READ;
  const end = skipText(bytes, from);
  return end === NOT_READ ? NOT_READ : skipColon(bytes, end);
}

/** The colon behind a name, and the space around it. */
export function skipColon(bytes: Bytes, from: number): number {
  const at = skipSpace(bytes, from);
  return bytes[at] === COLON ? skipSpace(bytes, at + 1) : NOT_READ;
}

/** A whole number. Callers check what follows it: none accepts a point or an exponent. */
function skipNumber(bytes: Bytes, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from;
  let at = first;
  while (at < bytes.length && isDigit(bytes[at] ?? 0)) at += 1;
  const isWhole = at > first && (bytes[first] !== ZERO || at === first + 1);
  return isWhole ? at : NOT_READ;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Whether the bytes at this index are these. */
export function startsWith(bytes: Bytes, from: number, wanted: Bytes): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** Whether a byte is among those between two indexes; a subarray for `includes` would cost more than the search. */
export function hasByte(
  bytes: Bytes,
  wanted: number,
  { from, end }: { readonly from: number; readonly end: number },
): boolean {
  for (let at = from; at < end; at += 1) if (bytes[at] === wanted) return true;
  return false;
}

/** Whether a value that ends before this index ends there: a number or a word may go on. */
export function isEnd(byte: number = 0): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || isSpace(byte);
}
