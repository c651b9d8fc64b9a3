/** Invalid JSON, or JSON outside the limits; the message gives the reason and the place. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** Maximum depth of a body. Payloads are stored in the world, which may be some levels deeper. */
const DEEPEST_BODY = 64;
export const DEEPEST_WORLD = 80;

/**
 * Parses JSON whose lists and objects are nested at most `deepest` levels: a deeper value cannot be
 * copied or written and would make the world unusable. Throws a `JsonError`, which never quotes the
 * text, because it may contain secrets.
 */
export function parseBoundedJson(text: string, deepest = DEEPEST_BODY): unknown {
  if (nestingDepth(text) > deepest) {
    throw new JsonError(`lists and objects lie in each other more than ${deepest} deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line, column] = lineAt(text, errorAt(text, String(error)));
    throw new JsonError(`not JSON at line ${line}, column ${column}`);
  }
}

/** The value of a JSON text; undefined for a text that is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [...'"\\[{]}'].map(
  (character) => character.charCodeAt(0),
);

/** The nesting depth of lists and objects, without recursion. */
function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return deepest;
}

/**
 * Only some messages of the runtime give the position; for the others, the first invalid token is
 * used.
 */
function errorAt(text: string, message: string): number {
  const said = /at position (\d+)/.exec(message)?.[1];
  if (said !== undefined) return Number(said);
  const token =
    /\s*(?:[{}[\],:]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|(?:true|false|null)\b)/gy;
  let end = 0;
  while (token.test(text)) end = token.lastIndex;
  return end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
}

function lineAt(text: string, position: number): readonly [line: number, column: number] {
  const before = text.slice(0, position).split('\n');
  return [before.length, (before.at(-1) ?? '').length + 1];
}
