/** A text that is no JSON, or JSON that nobody here can take; the message says what and where. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** How deep a body may be; payloads are kept in the world, which may be some levels deeper. */
const DEEPEST_BODY = 64;
export const DEEPEST_WORLD = 80;

/**
 * Reads JSON whose lists and objects lie in each other no deeper than this: what is deeper can be read, but
 * not copied or written, and would take the world with it. Throws a `JsonError`, which quotes nothing of the
 * text: it may hold secrets.
 */
export function parseBoundedJson(text: string, deepest = DEEPEST_BODY): unknown {
  if (depthOf(text) > deepest) {
    throw new JsonError(`lists and objects lie in each other more than ${deepest} deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line, column] = lineAt(text, errorAt(text, String(error)));
    throw new JsonError(`not JSON at line ${line}, column ${column}`);
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [...'"\\[{]}'].map(
  (character) => character.charCodeAt(0),
);

/** How deep lists and objects lie in each other, without recursion. */
function depthOf(text: string): number {
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

/** Only some of the runtime's messages say where they stopped; the first thing that is no token tells for the rest. */
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
