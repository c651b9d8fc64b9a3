import { expect, test } from 'vitest';
import { parseCron, type Cron } from '../../../src/lib/cron.ts';
import { at } from '../../support/rollout-windows.ts';

function read(text: string): Cron {
  const cron = parseCron(text);
  if ('problem' in cron) throw new Error(`${text}: ${cron.problem}`);
  return cron;
}

/** Days of January 2026, which begins on a Thursday. */
const january = (text: string): readonly number[] =>
  read(text)
    .days(at('2026-01-01T00:00Z'), at('2026-02-01T00:00Z'))
    .map((day) => new Date(day).getUTCDate());

test.each([
  ['0 1 * * SAT#3', [17]],
  ['0 1 * * sat#3', [17]],
  ['0 1 * * 6#3', [17]],
  ['0 1 * * SAT#5', [31]],
  ['0 1 * * SATL', [31]],
  ['0 1 * * 6L', [31]],
  ['0 1 * * 0', [4, 11, 18, 25]],
  ['0 1 * * 7', [4, 11, 18, 25]],
  ['0 1 * * Sun', [4, 11, 18, 25]],
  ['0 1 * * FRI-SUN', [2, 3, 4, 9, 10, 11, 16, 17, 18, 23, 24, 25, 30, 31]],
  ['0 1 * * TUE-THU', [1, 6, 7, 8, 13, 14, 15, 20, 21, 22, 27, 28, 29]],
  ['0 1 * * MON#1,SUNL', [5, 25]],
  ['0 1 1,15 * *', [1, 15]],
  ['0 1 L * *', [31]],
  ['0 1 */10 * *', [1, 11, 21, 31]],
  ['0 1 5-7 JAN-MAR *', [5, 6, 7]],
  ['0 1 * FEB *', []],
])('`%s` is a matter of days', (text, days) => {
  expect(january(text)).toEqual(days);
});

test.each([
  ['0 1 * * *', [60]],
  ['30,15 0,23 * * *', [15, 30, 1_395, 1_410]],
  ['*/20 2-3 * * *', [120, 140, 160, 180, 200, 220]],
  ['0-10/5 4 * * *', [240, 245, 250]],
])('`%s` is a matter of times of the day', (text, times) => {
  expect(read(text).times).toEqual(times);
});

test('every minute of the day is a time', () => {
  expect(read('* * * * *').times).toHaveLength(1_440);
});

test('W25 the days of a cron are those in [from, to)', () => {
  const days = read('0 1 * * *').days(at('2026-01-01T00:00Z'), at('2026-01-03T00:00Z'));
  expect(days).toEqual([at('2026-01-01T00:00Z'), at('2026-01-02T00:00Z')]);
});

test.each([
  ['0 0 30 2 *', false],
  ['0 0 31 4,6,9,11 *', false],
  ['0 0 29 2 *', true],
  ['0 0 * 2 SAT#5', true],
])('`%s` ever matches: %s', (text, ever) => {
  expect(read(text).everMatches).toBe(ever);
});

test.each([
  ['0 1 * *', 'fields'],
  ['0 0 1 * * *', 'fields'],
  ['@daily', 'fields'],
  ['0 1 1 * MON', 'bothDays'],
  ['0 1 L * 1-5', 'bothDays'],
  ['0 1 * * SAT-MON', 'range'],
  ['0 5-3 * * *', 'range'],
  ['60 1 * * *', 'value'],
  ['0 24 * * *', 'value'],
  ['0 1 0 * *', 'value'],
  ['0 1 * 13 *', 'value'],
  ['0 1 * * 8', 'value'],
  ['0 1 * * SAT#6', 'value'],
  ['0 1 * * ABC', 'value'],
  ['0 1 * * THU-TUE', 'range'],
  ['0 1 15W * *', 'value'],
  ['0 1 ? * *', 'value'],
  ['*/70 1 * * *', 'value'],
  ['5/10 1 * * *', 'value'],
])('`%s` is refused: %s', (text, problem) => {
  expect(parseCron(text)).toEqual({ problem });
});

test('an expression that is asked again, earlier, later or for longer, answers as if it were the first time', () => {
  const asked = [
    ['2026-03-01', '2026-04-01'],
    ['2026-03-10', '2026-04-20'],
    ['2026-03-31', '2026-04-01'],
    ['2026-01-15', '2026-02-15'],
    ['2026-02-01', '2027-03-01'],
    ['2026-01-01', '2028-01-01'],
  ] as const;
  const kept = read('0 1 * * SAT#3');
  for (const [from, to] of asked) {
    const span = [at(`${from}T00:00Z`), at(`${to}T00:00Z`)] as const;
    const days = kept.days(...span);
    expect(days).toEqual(read('0 1 * * SAT#3').days(...span));
    expect(days.every((day) => day >= span[0] && day < span[1])).toBe(true);
  }
  expect(kept.days(at('2026-03-01T00:00Z'), at('2026-04-01T00:00Z'))).toHaveLength(1);
});
