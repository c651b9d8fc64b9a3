import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeOnce } from '../../../src/lib/compute-once.ts';
import { flatKey, internBy } from '../../../src/lib/intern.ts';

const flat = fc.dictionary(
  fc.constantFrom('a', 'ab', '1', 'b'),
  fc.oneof(fc.constantFrom('1', 'a1:', '', 'true', 'null'), fc.constantFrom(1, 0, true, null)),
  { maxKeys: 3 },
);

describe('a key of flat objects', () => {
  it('differs where their JSON does, whatever the texts in them hold', () => {
    fc.assert(
      fc.property(flat, flat, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(flatKey(one) === flatKey(other)).toBe(isSame);
      }),
      { numRuns: 3_000 },
    );
  });

  it('interns equal objects once', () => {
    const interned = internBy<object>({}, flatKey);
    expect([{ a: 1 }, { a: '1' }, { a: 1 }].map((value) => interned.codeOf(value))).toEqual([
      1, 2, 1,
    ]);
  });
});

describe('a function that computes once', () => {
  it('returns what it computed, and computes again only what it forgot', () => {
    let computed = 0;
    const double = computeOnce((value: number) => {
      computed += 1;
      return value === 7 ? undefined : value * 2;
    });
    const values = Array.from({ length: 10_000 }, (_, index) => index % 100);
    expect(values.map(double)).toEqual(
      values.map((value) => (value === 7 ? undefined : value * 2)),
    );
    expect(computed).toBe(100);
    for (let value = 0; value < 10_000; value += 1) expect(double(value) ?? 14).toBe(value * 2);
    expect(double(3)).toBe(6);
  });
});
