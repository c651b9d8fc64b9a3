import { expect, test } from 'vitest';
import { endOfRounds } from '../../../src/calendar/pacing.ts';

const NIGHTS = [
  { open: 100, lastStart: 130, close: 140 },
  { open: 200, lastStart: 230, close: 240 },
];

test.each([
  ['one round begins when its span opens', 50, 1, 110],
  ['as many as may start before the last start', 50, 3, 130],
  ['what does not fit waits for the next span', 50, 4, 210],
  ['from the middle of a span on', 115, 2, 135],
  ['at the last start it is too late', 130, 1, 210],
  ['no more spans, no end', 50, 7, Infinity],
])('%s', (_, from, count, end) => {
  expect(endOfRounds(NIGHTS, from, { count, each: 10 })).toBe(end);
});

test('what is always open takes one round after another', () => {
  const always = [{ open: 0, lastStart: Infinity, close: Infinity }];
  expect(endOfRounds(always, 50, { count: 3, each: 10 })).toBe(80);
});
