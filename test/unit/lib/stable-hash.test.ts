import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HASH_SPAN, stableHash } from '../../../src/lib/stable-hash.ts';

test.each([
  [[], 3_824_587_224_550_787],
  [['a'], 4_811_001_688_381_851],
  [['firmware.lts', 'dev-1'], 4_903_447_522_794_409],
])('the hash of %j is the same for ever', (texts, hash) => {
  expect(stableHash(...texts)).toBe(hash);
});

test('texts are told apart from their concatenation, and order counts', () => {
  const hashes = [['ab', 'c'], ['a', 'bc'], ['abc'], ['c', 'ab'], ['ab', 'c', '']];
  expect(new Set(hashes.map((texts) => stableHash(...texts))).size).toBe(hashes.length);
});

test('a hash is a whole number in its span', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const hash = stableHash(...texts);
      expect(Number.isSafeInteger(hash) && hash >= 0 && hash < HASH_SPAN).toBe(true);
    }),
  );
});

/** The 99.9 % quantile of chi-square with 99 degrees of freedom. */
const LIMIT = 148.2;

test.each([
  ['counting ids', (n: number) => `dev-${n}`],
  ['padded ids', (n: number) => String(n).padStart(12, '0')],
  ['addresses', (n: number) => `00:40:8c:${(n >> 8).toString(16)}:${(n & 255).toString(16)}`],
])('10,000 %s spread uniformly over 100 parts (chi-square)', (_, idOf) => {
  const counts = Array.from({ length: 100 }, () => 0);
  for (let n = 0; n < 10_000; n++) {
    const part = Math.floor((stableHash('firmware.lts', idOf(n)) / HASH_SPAN) * 100);
    counts[part] = (counts[part] ?? 0) + 1;
  }
  const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
  expect(chiSquare).toBeLessThan(LIMIT);
});

test('two policies order the same devices differently', () => {
  const ids = Array.from({ length: 200 }, (_, n) => `dev-${n}`);
  const order = (policy: string) =>
    [...ids].sort((a, b) => stableHash(policy, a) - stableHash(policy, b));
  const [one, other] = [order('firmware.a'), order('firmware.b')];
  const agreeing = one.filter((id, place) => other[place] === id);
  expect(agreeing.length).toBeLessThan(10);
});
