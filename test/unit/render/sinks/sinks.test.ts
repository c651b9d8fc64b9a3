import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { jsonText } from '../../../../src/lib/json-text.ts';
import { ciLine, csvCell, say, terminal } from '../../../../src/render/sinks/sinks.ts';
import { anyText, FORBIDDEN, hostileNames } from '../../../support/hostile.ts';

/** As many as the threat model asks of each sink (protocol T01 to T04). */
const NAMES = hostileNames(5_000);

const hostile = anyText(60);

describe('the terminal sink', () => {
  it.each([
    ['cam\u001b[2Jera', 'cam\\u{1b}[2Jera'],
    ['a\nb\r\tc', 'a\\u{a}b\\u{d}\\u{9}c'],
    ['\u009b31mred', '\\u{9b}31mred'],
    ['user\u202etxt.exe', 'user\\u{202e}txt.exe'],
    ['a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half \ud83d', 'half \\u{d83d}'],
    ['a\u2028b', 'a\\u{2028}b'],
    ['Kamera 3 Süd 東京 😀', 'Kamera 3 Süd 東京 😀'],
    ['\\u{1b}', '\\u{5c}u{1b}'],
  ])('shows %j as %s', (text, shown) => {
    expect(terminal(text)).toBe(shown);
  });

  it('lets no hostile name through', () => {
    for (const name of NAMES) expect(terminal(name)).not.toMatch(FORBIDDEN);
  });

  it('never shows two texts alike', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => a === b || terminal(a) !== terminal(b)),
      { seed: 1, numRuns: 500 },
    );
  });

  it('starts no workflow command, as a log of CI is a terminal too', () => {
    expect(terminal('::error::x')).toBe(':\\u{3a}error::x');
    expect(terminal('a ::set-output name=x')).toBe('a :\\u{3a}set-output name=x');
    expect(terminal('##[error]')).toBe('\\u{23}#[error]');
    expect(terminal('##vso[task]')).toBe('\\u{23}#vso[task]');
    expect(terminal('fe80::1')).toBe('fe80::1');
  });
});

describe('the sink for lines that CI reads', () => {
  it('leaves no two colons and no bracketed hashes from data', () => {
    for (const name of NAMES) {
      const line = ciLine(`${name}::error::${name}##[group]`);
      expect(line).not.toMatch(/::|##\[|##vso/);
      expect(line).not.toMatch(FORBIDDEN);
    }
  });
});

describe('the CSV sink', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+49', `"'+49"`],
    ['-2', `"'-2"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    [' =1', `"' =1"`],
    ['＝1', `"'＝1"`],
    ['\t=1', '\\u{9}=1'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['a\nb', 'a\\u{a}b'],
    ['HQ Berlin', 'HQ Berlin'],
  ])('writes %j as %s', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('lets no cell begin with what a spreadsheet calculates, and breaks no record', () => {
    for (const name of NAMES) {
      const cell = csvCell(name);
      expect(cell.replace(/^"/, '')).not.toMatch(/^\s*[=+\-@|%]/);
      expect(cell).not.toMatch(FORBIDDEN);
    }
  });
});

describe('a cell, where a spreadsheet parts at something else than commas', () => {
  it.each([
    ['a;=1+1', `"a;'=1+1"`],
    ['a; =1', `"a; '=1"`],
    ['a;"=1', `"a;""'=1"`],
    [';;@SUM(A1)', `";;'@SUM(A1)"`],
    ['a;b', '"a;b"'],
    ['a\t=1', 'a\\u{9}=1'],
    ['=1;=2', `"'=1;'=2"`],
    ['a;-', `"a;'-"`],
    ['a；=1', `"a；'=1"`],
    ['a|=1', `"a|'=1"`],
  ])('%j is %s', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([';', '\t', '|'])('nothing is calculated in a line that is parted at %j', (separator) => {
    const starts = ['', ' ', '"', `'`, '" '];
    const names = [
      ...NAMES,
      ...starts.flatMap((start) =>
        ['=1', '+1', '-1', '@A'].map((f) => `x${separator}${start}${f}`),
      ),
    ];
    for (const name of names)
      for (const cell of `${csvCell(name)},${csvCell(name)}`.split(separator).slice(1))
        expect(cell, name).not.toMatch(/^[\s"]*[=+\-@]/);
  });
});

describe('JSON text', () => {
  it('gives a parser every character back and a terminal none to obey', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = jsonText(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text.replaceAll('\n', '')).not.toMatch(FORBIDDEN);
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});

describe('composing safe text', () => {
  it('puts values that went through the sink between literal parts', () => {
    expect(say`a ${terminal('\u0007')} b ${3}`).toBe('a \\u{7} b 3');
  });
});
