import { describe, expect, it, test } from 'vitest';
import { dueDate, portion, ruleText, spreadPosition } from '../../../src/kinds/due-rule.ts';
import type { DueRule } from '../../../src/model/documents/policy.ts';

const DAY = 86_400_000;
const BY_AGE: DueRule = { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 14 * DAY };

describe('an age', () => {
  it.each([
    [0, 159],
    [0.5, 166],
    [1 - 2 ** -53, 173],
  ])('with the offset of share %d is due after %d days', (share, days) => {
    const date = dueDate(BY_AGE, { changedAt: 0 }, share);
    expect(date?.from).toBe(159 * DAY);
    expect(Math.round((date?.at ?? 0) / DAY)).toBe(days);
    expect(date?.breachesAt).toBe(180 * DAY);
  });

  it.each([
    ['leaves a spread that ends before it', 174, 173, 174],
    ['takes a third of the time that is left in the place of a longer one', 168, 162, 168],
    ['spreads nothing where it is over already', 150, 159, 150],
    ['beyond the age changes nothing', 900, 173, 180],
  ])('R15 the end that the service says %s', (_, expires, at, breaches) => {
    const dates = { changedAt: 0, expiresAt: expires * DAY };
    const date = dueDate(BY_AGE, dates, 1 - 2 ** -53);
    expect(date?.from).toBe(159 * DAY);
    expect(Math.round((date?.at ?? 0) / DAY)).toBe(at);
    expect(date?.breachesAt).toBe(breaches * DAY);
  });

  it('is no date without the last change, and never by generation alone', () => {
    expect(dueDate(BY_AGE, { expiresAt: 900 * DAY }, 0)).toBeUndefined();
    expect(dueDate({ is: 'never' }, { changedAt: 0, expiresAt: DAY }, 0)).toBeUndefined();
  });
});

/** Percent, life in days, and how many days before its end the renewal begins. */
const LIVES: readonly (readonly [string, number, number, number])[] = [
  ['a third of a year', 33, 365, 120.45],
  ['14 days at the least', 33, 40, 14],
  ['half of the life at the most, whatever the least is', 33, 20, 10],
  ['half of the life at the most, whatever is written', 90, 100, 50],
  ['the least of a small percent', 1, 365, 14],
];

describe('a renewal by percent begins before the end', () => {
  it.each(LIVES)('by %s', (_, percent, life, ahead) => {
    const rule: DueRule = { is: 'renewShare', percent };
    const date = dueDate(rule, { changedAt: 0, expiresAt: life * DAY }, 0);
    expect(date?.from).toBeCloseTo((life - ahead) * DAY, -3);
    expect(date?.breachesAt).toBe(life * DAY);
  });

  it('by the least where nobody knows when its life began', () => {
    const date = dueDate({ is: 'renewShare', percent: 33 }, { expiresAt: 100 * DAY }, 0);
    expect(date?.from).toBe(86 * DAY);
  });

  it('never after the end, even of one that ended before it began', () => {
    const rule: DueRule = { is: 'renewShare', percent: 33 };
    const date = dueDate(rule, { changedAt: 20 * DAY, expiresAt: 10 * DAY }, 1 - 2 ** -53);
    expect(date?.at).toBe(10 * DAY);
  });
});

describe('a renewal is spread over', () => {
  const last = 1 - 2 ** -53;
  it.each([
    ['a third of its time where nothing is written', undefined, 80],
    ['what is written', 6 * DAY, 76],
    ['a third where what is written reaches past the end', 30 * DAY, 80],
  ] as const)('%s', (_, spread, days) => {
    const rule: DueRule = { is: 'renewBefore', before: 30 * DAY, ...(spread && { spread }) };
    expect(dueDate(rule, { expiresAt: 100 * DAY }, 0)?.at).toBe(70 * DAY);
    expect(Math.round((dueDate(rule, { expiresAt: 100 * DAY }, last)?.at ?? 0) / DAY)).toBe(days);
  });
});

/** 100 bins, so 99 degrees of freedom: above 148.2 in one of a thousand fleets that are uniform. */
const BINS = 100;
const CRITICAL = 148.2;

describe('R2 10,000 devices of the same age', () => {
  const spread = 14 * DAY;
  const ids = Array.from({ length: 10_000 }, (_, index) => `dev-${index}`);
  const offsets = (policy: string) => ids.map((id) => portion(spread, spreadPosition(policy, id)));

  it.each(['rotations.camera-passwords', 'rotations.doors', 'rotations.a'])(
    'are spread evenly by %s',
    (policy) => {
      const bins = Array.from({ length: BINS }, () => 0);
      for (const offset of offsets(policy)) {
        const bin = Math.min(BINS - 1, Math.floor((offset / spread) * BINS));
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
      const expected = ids.length / BINS;
      const chiSquare = bins.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      expect(chiSquare).toBeLessThan(CRITICAL);
    },
  );

  it('have whole seconds from 0 to the spread, both included', () => {
    expect(offsets('rotations.a').every((at) => at >= 0 && at <= spread && at % 1_000 === 0)).toBe(
      true,
    );
    expect(portion(2_000, 0)).toBe(0);
    expect(portion(2_000, 1 - 2 ** -53)).toBe(2_000);
    expect(portion(0, 1 - 2 ** -53)).toBe(0);
  });

  it('have the same offset on every run and every machine, and another under another policy', () => {
    expect(offsets('rotations.a').slice(0, 3)).toEqual(FIRST);
    expect(offsets('rotations.a')).toEqual(offsets('rotations.a'));
    expect(offsets('rotations.b').slice(0, 3)).not.toEqual(FIRST);
  });
});

/** As computed once: a change would move every rotation of every fleet. */
const FIRST = [592_298_000, 624_261_000, 801_133_000];

test('a rule reads as it is written', () => {
  expect(ruleText({ is: 'renewShare', percent: 33 })).toBe('renewBefore 33%');
  expect(ruleText({ is: 'renewBefore', before: 30 * DAY })).toBe('renewBefore 30d');
  expect(ruleText({ is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 })).toBe(
    'maxAge 180d',
  );
});
