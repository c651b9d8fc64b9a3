/**
 * Whether a glob covers a whole text: `*` is any run of characters, `?` exactly one, everything
 * else itself, case-sensitive. One pass with one remembered star, so that no pattern can make it
 * slow: it never takes more than (length of the glob) x (length of the text) steps (semantics D5).
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

/** Whether any of the globs covers the text. */
export function matchesAny(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matchesGlob(glob, text));
}

/** Code units of the character there: two where it lies outside the basic plane. */
function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function onlyStarsFrom(glob: string, from: number): boolean {
  for (let index = from; index < glob.length; index++) if (glob[index] !== '*') return false;
  return true;
}
