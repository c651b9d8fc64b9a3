/**
 * Whether a glob matches a whole text, case-sensitively: `*` matches any run of characters, `?`
 * exactly one. The matcher remembers only the last star, so it takes at most (glob length) x (text
 * length) steps whatever the pattern (semantics D5).
 */
export function matchesGlob(glob: string, text: string): boolean {
  let inGlob = 0;
  let inText = 0;
  let star = -1;
  let resumeAt = 0;
  while (inText < text.length) {
    const wanted = glob[inGlob];
    if (wanted === '*') {
      star = inGlob++;
      resumeAt = inText;
    } else if (wanted === '?') {
      inGlob++;
      inText += widthAt(text, inText);
    } else if (wanted !== undefined && wanted === text[inText]) {
      inGlob++;
      inText++;
    } else if (star >= 0) {
      inGlob = star + 1;
      resumeAt += widthAt(text, resumeAt);
      inText = resumeAt;
    } else {
      return false;
    }
  }
  return onlyStarsFrom(glob, inGlob);
}

/** Whether a glob has a wildcard, so that it may match more than its own text. */
export function isPattern(glob: string): boolean {
  return /[*?]/.test(glob);
}

export function matchesAny(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matchesGlob(glob, text));
}

/** The number of code units of the character at an index: 2 outside the basic plane, else 1. */
function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function onlyStarsFrom(glob: string, from: number): boolean {
  for (let index = from; index < glob.length; index++) if (glob[index] !== '*') return false;
  return true;
}

/**
 * Compiles a glob for many texts. The test equals `matchesGlob` for every text: without `?` a glob is a list of
 * pieces between stars, and the engine finds a piece many times faster than a loop does.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  // Half a character in a glob would match inside another character.
  if (glob.includes('?') || HALF_CHARACTER.test(glob)) return (text) => matchesGlob(glob, text);
  const [head = '', ...middle] = glob.split('*');
  const tail = middle.pop();
  if (tail === undefined) return (text) => text === head;
  const fixed = head.length + tail.length;
  return (text) => {
    if (text.length < fixed || !text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let from = head.length;
    for (const piece of middle) {
      const at = text.indexOf(piece, from);
      if (at < 0 || at + piece.length > end) return false;
      from = at + piece.length;
    }
    return true;
  };
}

/** Compiles several globs to a test whether any of them matches the whole text. */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const tests = globs.map(compileGlob);
  return (text) => tests.some((test) => test(text));
}

const HALF_CHARACTER = /\p{Surrogate}/u;
