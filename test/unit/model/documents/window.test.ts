import { expect, test } from 'vitest';
import {
  formatWall,
  parseClock,
  parseMonthDay,
  parseWall,
} from '../../../../src/model/documents/window.ts';

test.each([
  ['00:00', 0],
  ['01:05', 65],
  ['23:59', 1_439],
  ['24:00', 0],
  ['1:00', undefined],
  ['12:60', undefined],
  ['12:00:00', undefined],
])('the clock time `%s` is %s minutes', (text, minutes) => {
  expect(parseClock(text)).toBe(minutes);
});

test.each(['2026-11-23T00:00:00', '2028-02-29T23:59:59', '1999-12-31T12:00:00'])(
  'the local time `%s` reads as it is written',
  (text) => {
    expect(formatWall(parseWall(text) ?? 0)).toBe(text);
  },
);

test.each([
  '2026-02-29T00:00:00',
  '2026-04-31T00:00:00',
  '2026-11-23T24:00:00',
  '2026-11-23T00:00',
  '2026-11-23T00:00:00Z',
  '2026-11-23T00:00:00+01:00',
  '2026-11-23',
])('`%s` is no local time', (text) => {
  expect(parseWall(text)).toBeUndefined();
});

test.each([
  ['12-18', { month: 12, day: 18 }],
  ['02-29', { month: 2, day: 29 }],
  ['02-30', undefined],
  ['04-31', undefined],
  ['13-01', undefined],
  ['00-10', undefined],
  ['1-4', undefined],
])('the day of every year `%s` is %j', (text, day) => {
  expect(parseMonthDay(text)).toEqual(day);
});
