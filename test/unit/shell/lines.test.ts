import { describe, expect, it } from 'vitest';
import { splitLines } from '../../../src/shell/plain-file.ts';

async function split(...chunks: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(stream(chunks))) lines.push(line);
  return lines;
}

async function* stream(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

describe('linesOf', () => {
  it.each([
    ['whole lines', ['a\nb\n'], ['a', 'b']],
    ['a line over several chunks', ['a', 'b', 'c\nd'], ['abc', 'd']],
    ['an empty line', ['a\n\nb'], ['a', '', 'b']],
    ['nothing', [], []],
    [
      'separators that are no line feed',
      ['a\u2028b\u2029c\u0085d\re\n'],
      ['a\u2028b\u2029c\u0085d\re'],
    ],
  ])('gives %s', async (_, chunks, lines) => {
    expect(await split(...chunks)).toEqual(lines);
  });
});
