import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../../../src/apply/run/reaction.ts';

describe('the pause after an attempt', () => {
  it.each([
    ['an acceptance', { end: 'poll' as const }, 0, 0],
    ['a first failure to connect', { end: 'backOff' as const }, 1, 5_000],
    ['a second one', { end: 'backOff' as const }, 2, 15_000],
    ['a 429 that says how long', { end: 'throttled' as const, retryAfter: 7_000 }, 0, 7_000],
    ['a 429 that does not', { end: 'throttled' as const }, 0, 30_000],
    ['a 429 that says nothing useful', { end: 'throttled' as const, retryAfter: -5 }, 0, 1_000],
    ['a 429 years ahead', { end: 'throttled' as const, retryAfter: 1e12 }, 0, 900_000],
  ])('%s', (_what, event, streak, pause) => {
    expect(pauseAfter(event, streak)).toBe(pause);
  });
});
