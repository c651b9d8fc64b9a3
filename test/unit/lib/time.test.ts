import { describe, expect, it } from 'vitest';
import { formatDuration, readableDuration } from '../../../src/lib/time.ts';

describe('a duration that was computed', () => {
  it.each([
    [2_592_030_000, '30d'],
    [2_591_970_000, '29d 23h'],
    [288_060_000, '3d 8h'],
    [259_260_000, '3d'],
    [3_661_000, '1h 1m'],
    [5_999_000, '1h 39m'],
  ])('of %i ms reads %s, never as thousands of a small unit', (ms, text) => {
    expect(readableDuration(ms)).toBe(text);
  });

  it.each([0, 90_000, 999_000, 36 * 3_600_000, 180 * 86_400_000])(
    'of %i ms reads as documents have it',
    (ms) => {
      expect(readableDuration(ms)).toBe(formatDuration(ms));
    },
  );
});
