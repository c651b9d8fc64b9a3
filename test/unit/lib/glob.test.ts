import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, matchesAny, matchesGlob } from '../../../src/lib/glob.ts';

/** The textbook table: `row[j]` says whether the glob so far covers the first j characters. */
function byTable(glob: string, text: string): boolean {
  const characters = [...text];
  let row = [true, ...characters.map(() => false)];
  for (const wanted of glob) {
    const next = [wanted === '*' && row[0] === true];
    for (const [index, character] of characters.entries()) {
      const one = row[index] === true && (wanted === '?' || wanted === character);
      const any = row[index + 1] === true || next[index] === true;
      next.push(wanted === '*' ? any : one);
    }
    row = next;
  }
  return row.at(-1) === true;
}

describe('a glob', () => {
  it.each([
    ['P3265-*', 'P3265-LVE', true],
    ['P3265-*', 'P3265-', true],
    ['P3265-*', 'AXIS P3265-LVE', false],
    ['lobby-?', 'lobby-1', true],
    ['lobby-?', 'lobby-12', false],
    ['lobby-?', 'lobby-', false],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['Axis', 'axis', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['*b*b', 'abab', true],
    ['cam-?', 'cam-😀', true],
    ['cam-??', 'cam-😀', false],
    ['*?x', '😀x', true],
  ])('%j over %j is %s', (glob, text, expected) => {
    expect(matchesGlob(glob, text)).toBe(expected);
  });

  it('answers as the table does, on any pattern', () => {
    const letters = fc.constantFrom('a', 'b', '*', '?', '😀');
    const glob = fc.string({ unit: letters, maxLength: 12 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 16 });
    fc.assert(
      fc.property(glob, text, (pattern, value) => {
        expect(matchesGlob(pattern, value)).toBe(byTable(pattern, value));
      }),
      { numRuns: 5_000 },
    );
  });

  it('answers the same when it is compiled, on any pattern and half a character', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '😀', '\ud83d', '\ude00');
    const glob = fc.string({ unit, maxLength: 8 });
    const text = fc.string({ unit, maxLength: 12 });
    fc.assert(
      fc.property(glob, text, (pattern, value) => {
        expect(compileGlob(pattern)(value)).toBe(matchesGlob(pattern, value));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['a hundred stars that fail at the end', '*a'.repeat(100) + 'b', 'a'.repeat(10_000)],
    ['stars in a row', '*'.repeat(5_000) + 'b', 'a'.repeat(5_000)],
    ['questions and stars', '*?'.repeat(200) + 'b', 'a'.repeat(5_000)],
  ])('stays within its bound on %s', (_, glob, text) => {
    expect(matchesGlob(glob, text)).toBe(false);
  });

  it('of a list may be any', () => {
    expect(matchesAny(['x*', 'Axis'], 'Axis')).toBe(true);
    expect(matchesAny(['x*'], 'Axis')).toBe(false);
    expect(matchesAny([], 'Axis')).toBe(false);
  });
});
