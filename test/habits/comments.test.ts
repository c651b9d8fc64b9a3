import { describe, expect, it } from 'vitest';
import { sources } from './sources.ts';

/** Words without a subject, or of our own; each sentence has a plainer one. */
const UNPLAIN =
  /\b(?:wish(?:es|ed)?|nobody|whoever|somebody|anew|thaws?|mends?|mended|unasked|for ever|all the same|at the most|bears? on|what came of)\b/i;

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*/g;

describe('comments', () => {
  it('are plain English: who acts, in terms of the field', () => {
    expect(
      sources('src').flatMap(({ path, text }) =>
        unplain(text).map((sentence) => `${path}: ${sentence}`),
      ),
    ).toEqual([]);
  });

  it('are found over line ends, and codes in them are not English', () => {
    const text =
      '/** Goes on for\n * ever. */\nconst a = "nobody"; // `wish` of a record\n// anew\n';
    expect(unplain(text)).toEqual(['/** Goes on for ever. */', '// anew']);
  });
});

/** The comments of a text that use one of those words; text in backticks is code. */
function unplain(text: string): readonly string[] {
  return [...text.matchAll(COMMENT)]
    .map(([comment]) =>
      comment
        .replaceAll(/\n\s*\*?(?!\/)/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((comment) => UNPLAIN.test(comment.replaceAll(/`[^`]*`/g, '')));
}
