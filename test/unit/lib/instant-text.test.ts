import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/lib/time.ts';

describe('an instant as a text', () => {
  it('law: it is what a date writes, without a zero fraction', () => {
    const date = fc.date({ noInvalidDate: true }).map((each) => each.getTime());
    const wholeSecond = date.map((at) => Math.floor(at / 1_000) * 1_000);
    fc.assert(
      fc.property(fc.oneof(date, wholeSecond), (at) => {
        fc.pre(Math.abs(at) <= 8.64e15);
        expect(formatInstant(at)).toBe(new Date(at).toISOString().replace('.000Z', 'Z'));
      }),
      { numRuns: 500 },
    );
  });

  it('no date is an error', () => {
    for (const none of [Number.NaN, Infinity, 8.64e15 + 86_400_000])
      expect(() => formatInstant(none)).toThrow(RangeError);
  });
});
