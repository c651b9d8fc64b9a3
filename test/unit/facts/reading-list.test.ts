import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countRenewals,
  isTooSlow,
  readingList,
  type Wanted,
} from '../../../src/facts/reading-list.ts';

const DAY = 86_400_000;
const ALL = { most: 1_000, renewals: 1_000, reserved: 0 };

const wanted = (key: string, kind: Wanted['kind'], at = 0, policies = ['p']): Wanted => ({
  key,
  kind,
  at,
  policies,
});
const many = (
  count: number,
  prefix: string,
  kind: Wanted['kind'],
  policy: string,
): readonly Wanted[] =>
  Array.from({ length: count }, (_, n) => wanted(`${prefix}${n}`, kind, 0, [policy]));

describe('N19 the keys to read', () => {
  it('are what is due, the earliest first, then what is new, then the oldest', () => {
    const list = [
      wanted('old', 'renewal', 1),
      wanted('older', 'renewal', 0),
      wanted('new', 'new'),
      wanted('tomorrow', 'due', 2),
      wanted('today', 'due', 1),
    ];
    expect(readingList(list, ALL)).toEqual(['today', 'tomorrow', 'new', 'older', 'old']);
  });

  it('are of each policy in turn: 20 devices beside 4,000 are read in the first run', () => {
    const list = [...many(4_000, 'a', 'new', 'large'), ...many(20, 'b', 'new', 'small')];
    const read = readingList(list, { ...ALL, most: 300 });
    expect(read.length).toBe(300);
    expect(read.filter((key) => key.startsWith('b')).length).toBe(20);
  });

  it('keep a quarter of an apply for what is not due, and leave no request unused', () => {
    const list = [...many(500, 'd', 'due', 'p'), ...many(500, 'n', 'new', 'p')];
    const read = readingList(list, { most: 400, renewals: 0, reserved: 0.25 });
    expect(read.filter((key) => key.startsWith('n')).length).toBe(100);
    expect(readingList(list.slice(0, 500), { most: 400, renewals: 0, reserved: 0.25 }).length).toBe(
      400,
    );
    expect(readingList(list.slice(100), { most: 1_000, renewals: 0, reserved: 0.25 }).length).toBe(
      900,
    );
  });

  it('are each read once, none that nobody wants, and as many as there is room for', () => {
    const one = fc.record({
      key: fc.constantFrom(...'abcdefgh'),
      kind: fc.constantFrom<Wanted['kind']>('due', 'new', 'renewal'),
      at: fc.integer({ min: 0, max: 3 }),
      policies: fc.uniqueArray(fc.constantFrom('p', 'q', 'r'), { minLength: 1 }),
    });
    const list = fc.uniqueArray(one, { selector: ({ key }) => key });
    fc.assert(
      fc.property(
        list,
        fc.integer({ min: 0, max: 10 }),
        fc.constantFrom(0, 0.25),
        (all, most, reserved) => {
          const read = readingList(all, { most, renewals: 8, reserved });
          expect(new Set(read).size).toBe(read.length);
          expect(read.length).toBe(Math.min(most, all.length));
          expect(readingList(all.toReversed(), { most, renewals: 8, reserved })).toEqual(read);
        },
      ),
    );
  });
});

describe('N21 renewals of a run', () => {
  it('are all of them in half the greatest age', () => {
    expect(countRenewals(8_000, 3_600_000, 7 * DAY)).toBe(96);
    expect(countRenewals(8_000, 30 * DAY, 7 * DAY)).toBe(8_000);
    expect(countRenewals(8_000, -1, 7 * DAY)).toBe(0);
  });
});

describe('N23 facts are renewed too slowly', () => {
  it.each([
    [38_000, 14_400, 7 * DAY, false],
    [38_000, 14_400, 3 * DAY, true],
    [80_000, 14_400, 7 * DAY, true],
    [75_600, 14_400, 7 * DAY, false],
    [1, 0, 7 * DAY, true],
    [0, 0, 7 * DAY, false],
  ])('%d wanted, %d a day, within %d: %s', (wantedKeys, perDay, maxAge, expected) => {
    expect(isTooSlow(wantedKeys, perDay, maxAge)).toBe(expected);
  });
});
