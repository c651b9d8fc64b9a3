import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { terminal } from '../../../../src/render/sinks/sinks.ts';
import { cut, cutMiddle, cutStart, pad, textWidth } from '../../../../src/render/sinks/width.ts';
import { wrap } from '../../../../src/render/sinks/wrap.ts';
import { cutAddress, cutAddresses } from '../../../../src/render/sinks/addresses.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';

const text = (value: string) => terminal(value);

describe('widths', () => {
  it.each([
    ['', 0],
    ['cam', 3],
    ['東京', 4],
    ['😀', 2],
    ['é', 1],
    ['\u001b[31mred\u001b[0m', 3],
  ])('%j takes %i columns', (value, columns) => {
    expect(textWidth(value)).toBe(columns);
  });
});

describe('cutting', () => {
  it.each([
    ['camera', 6, 'camera'],
    ['camera', 5, 'came…'],
    ['camera', 1, '…'],
    ['camera', 0, ''],
    ['東京カメラ', 5, '東京…'],
    ['東京カメラ', 4, '東…'],
    ['ab😀cd', 4, 'ab…'],
  ])('%s at %i columns is %s', (value, columns, cutText) => {
    expect(cut(text(value), columns)).toBe(cutText);
  });

  it('cuts off the start where the end matters', () => {
    expect(cutStart(text('fleet/cameras.yaml'), 8)).toBe('…as.yaml');
    expect(cutStart(text('東京カメラ'), 4)).toBe('…ラ');
    expect(cutStart(text('short'), 8)).toBe('short');
  });

  it('never breaks a character or exceeds the width, whatever the name', () => {
    for (const name of hostileNames(200))
      for (const columns of [1, 2, 7, 20]) {
        expect(textWidth(cut(text(name), columns))).toBeLessThanOrEqual(columns);
        expect(cut(text(name), columns)).not.toMatch(FORBIDDEN);
        expect(textWidth(cutStart(text(name), columns))).toBeLessThanOrEqual(columns);
        expect(textWidth(cutMiddle(text(name), columns))).toBeLessThanOrEqual(columns);
        expect(textWidth(cutAddress(text(`firmware.${name}`), columns))).toBeLessThanOrEqual(
          columns,
        );
      }
  });
});

describe('the address of a policy in a column', () => {
  it.each([
    ['firmware.axis', 22, 'firmware.axis'],
    ['rotations.door-passwords', 22, 'rotati….door-passwords'],
    ['rotations.camera-certificates', 22, 'r….camera-certificates'],
    ['rotations.camera-passwords-of-campus-munich', 22, '….camera-pa…pus-munich'],
    ['rotations.camera-passwords-of-campus-berlin', 22, '….camera-pa…pus-berlin'],
    ['without-any-dot-in-its-name', 11, 'witho…-name'],
  ])('%s in %i columns loses its section first, then the middle', (address, columns, shown) => {
    expect(cutAddress(text(address), columns)).toBe(shown);
  });
});

describe('the addresses of a table', () => {
  it('are cut where they share, so that no two look the same', () => {
    const names = ['north', 'south'].map((end) => text(`firmware.imported-axis-p3265-lve-${end}`));
    expect(cutAddresses([...names, text('restarts.a')], 20)).toEqual([
      '….imported…lve-north',
      '….imported…lve-south',
      'restarts.a',
    ]);
    const inside = ['1', '2'].map((n) =>
      text(`firmware.imported-axis-p3265-v${n}-of-all-buildings`),
    );
    expect(cutAddresses(inside, 20)).toEqual(['firmware.…1-of-all-…', 'firmware.…2-of-all-…']);
  });

  it('fit, and stay apart, whatever the names', () => {
    const part = fc.constantFrom('a', 'axis-', 'imported-', 'p3265-lve', '東京', '1', '2');
    const name = fc.array(part, { minLength: 1, maxLength: 8 });
    const names = fc.array(name.map((parts) => text(`firmware.${parts.join('')}`)));
    fc.assert(
      fc.property(names, fc.integer({ min: 12, max: 40 }), (all, columns) => {
        const shown = cutAddresses(all, columns);
        expect(new Set(shown).size).toBe(new Set(all).size);
        for (const each of shown) expect(textWidth(each)).toBeLessThanOrEqual(columns);
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('padding', () => {
  it('fills up to the width on either side', () => {
    expect(pad(text('ab'), 4)).toBe('ab  ');
    expect(pad(text('ab'), 4, 'right')).toBe('  ab');
    expect(pad(text('東京'), 5)).toBe('東京 ');
    expect(pad(text('abc'), 2)).toBe('abc');
  });
});

describe('wrapping', () => {
  it('breaks at spaces, keeps the margin, hangs what follows', () => {
    expect(wrap(text('  one two three four'), 11, 4)).toEqual([
      '  one two',
      '    three',
      '    four',
    ]);
  });

  it('leaves no space at the end of a line', () => {
    expect(wrap(text('one  two'), 4)).toEqual(['one', 'two']);
  });

  it('keeps two spaces between columns', () => {
    expect(wrap(text('a  b'), 10)).toEqual(['a  b']);
  });

  it('cuts a word that is longer than a line', () => {
    expect(wrap(text('a verylongword b'), 8)).toEqual(['a', 'verylon…', 'b']);
  });

  it('loses no word that fits and exceeds no line', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (list, columns) => {
        const lines = wrap(text(list.join(' ')), columns, 2);
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(list);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
