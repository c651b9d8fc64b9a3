import { describe, expect, test } from 'vitest';
import { checkLimits, decode, scan } from '../../../src/config/scan.ts';

const at = (text: string) => scan({ path: 'fleet/a.yaml', text });

describe('characters that a reviewer cannot see', () => {
  test.each([
    ['NUL', 'a: "\0"', 'U+0000'],
    ['escape', 'a: \u001b[2J', 'U+001B'],
    ['byte order mark inside', 'a: \ufeffb', 'U+FEFF'],
    ['right-to-left override', 'a: \u202eb', 'U+202E'],
    ['isolate', 'a: \u2066b', 'U+2066'],
    ['zero width joiner', 'a: b\u200dc', 'U+200D'],
    ['soft hyphen', 'a: b\u00adc', 'U+00AD'],
    ['tag character', 'a: \u{e0041}', 'U+E0041'],
    ['C1 control', 'a: \u0085', 'U+0085'],
    ['line separator', 'a: \u2028', 'U+2028'],
    ['half a character', 'a: \ud83d', 'U+D83D'],
    ['carriage return alone', 'a: 1\rb: 2', 'U+000D'],
  ])('%s is refused', (_, text, character) => {
    expect(at(text)).toMatchObject([{ code: 'forbiddenCharacter', params: { character } }]);
  });

  test.each([
    ['a byte order mark at the very start', '\ufeffa: b'],
    ['line ends of Windows and tabs', 'a: b\r\nc:\td\r\n'],
    ['letters of every script and pictures', 'a: Zürich 東京 Αθήνα \u{1f3a5}'],
    ['an escape in quotes', 'a: "\\u202e"'],
  ])('%s is fine', (_, text) => expect(at(text)).toEqual([]));

  test('the place counts lines and columns from 1', () => {
    expect(at('a: 1\nbc: \u202e')[0]?.at).toMatchObject({ line: 2, column: 5, length: 1 });
  });

  test('a file full of them gives no more than fifty findings', () => {
    expect(at('\u202e'.repeat(1_000)).length).toBe(50);
  });
});

describe('D2 limits', () => {
  test('5,000 files pass and 5,001 do not', () => {
    const files = Array.from({ length: 5_001 }, (_, index) => ({ path: `${index}`, bytes: 1 }));
    expect(checkLimits(files.slice(1))).toEqual([]);
    expect(checkLimits(files).map(({ code }) => code)).toEqual(['tooManyFiles']);
  });

  test('20 MiB in all pass and a byte more does not', () => {
    const files = Array.from({ length: 20 }, (_, index) => ({
      path: `${index}`,
      bytes: 1_048_576,
    }));
    expect(checkLimits(files)).toEqual([]);
    const over = checkLimits([...files, { path: 'x', bytes: 1 }]);
    expect(over.map(({ code }) => code)).toEqual(['fleetTooLarge']);
  });

  test('UTF-8 is strict: overlong forms and half characters are refused', () => {
    expect(decode('a', new TextEncoder().encode('ü'))).toBe('ü');
    for (const bytes of [
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0x61, 0xe2, 0x82],
    ])
      expect(decode('a', Uint8Array.from(bytes))).toMatchObject({ code: 'notUtf8' });
  });
});
