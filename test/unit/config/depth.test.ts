import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { describe, expect, test } from 'vitest';
import { depthExceeds, MAX_NESTING } from '../../../src/config/scan.ts';
import { isObject } from '../../../src/lib/objects.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const dashes = (depth: number) => `${'- '.repeat(depth)}a`;
const steps = (depth: number) =>
  Array.from({ length: depth }, (_, index) => `${' '.repeat(index)}k:\n`).join('');

/** How deep the value of a harmless text really is. */
function depthOf(value: unknown): number {
  if (!Array.isArray(value) && !isObject(value)) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const counted = (text: string) => {
  for (let limit = 0; ; limit += 1) if (depthExceeds(text, limit) === undefined) return limit;
};

describe('nesting', () => {
  test.each([
    ['brackets', lists],
    ['braces', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['dashes on one line', dashes],
    ['indentation', steps],
    ['question marks', (depth: number) => `${'? '.repeat(depth)}a`],
  ])('%s: 32 levels pass, 33 do not', (_, nest) => {
    expect(depthExceeds(nest(MAX_NESTING), MAX_NESTING)).toBeUndefined();
    expect(depthExceeds(nest(MAX_NESTING + 1), MAX_NESTING)).toBeTypeOf('number');
  });

  test.each([
    ['a: b\n'],
    ['a:\n- b: [1, {x: 2}]\n  c: "d[[["\n- e\n'],
    ['a: it\'s [[[[ fine\nb: # [[[[\n  c: "[[[["\n'],
    ['a: |\n  [[[[\n   deeper\n    still\nb: >-\n  {{{{\n'],
    ['- - a\n  - b\n- c\n'],
    ['a:\n  b:\n    c: 1\n  d: 2\ne:\n- f:\n  - g\n'],
    ["'q': {a: ']]]', b: [\"}\"]}\n"],
    ['&x a: &y\n  b: *x\n'],
    ['? a\n: - b\n'],
    ['a: [1,\n  2, [3]\n ]\nb: c\n'],
  ])('is counted as the parser builds it: %j', (text) => {
    expect(counted(text)).toBe(depthOf(parseDocument(text, { merge: false }).toJS()));
  });

  test.each([
    ['an apostrophe in a word', `a: it's\nb: ${lists(40)}`],
    ['a quote that ends', `a: "x"\nb: ${lists(40)}`],
    ['a hash without a space before it', `a: x#\nb: ${lists(40)}`],
    ['a bracket that closes nothing', `a: ]]]]]]]]\nb: ${lists(40)}`],
    ['block text that looks like an end', `a: |\n ]]]]]]]]\nb: ${lists(40)}`],
  ])('%s hides nothing', (_, text) => {
    expect(depthExceeds(text, MAX_NESTING)).toBeTypeOf('number');
  });
});

describe('what aborts a parser', () => {
  /** A child process, because what is guarded against ends the process and cannot be caught. */
  test('does not abort the loader, also the second time', () => {
    const child = fileURLToPath(new URL('../../support/config-hostile.mjs', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [child], { encoding: 'utf8' });
    expect({ status, stdout: stdout.trim() }, stderr).toEqual({
      status: 0,
      stdout: 'nestedTooDeep '.repeat(10).trim(),
    });
  });
});
