import { describe, expect, it } from 'vitest';
import { clockChanges } from '../../../src/calendar/zones.ts';

const YEAR = { open: Date.UTC(2026, 0, 1), close: Date.UTC(2027, 0, 1) };
const HOUR = 3_600_000;

describe('W26 changes of a clock', () => {
  it.each<[string, readonly (readonly [string, number, number])[]]>([
    ['UTC', []],
    ['Asia/Tokyo', []],
    [
      'Europe/Berlin',
      [
        ['2026-03-29T01:00', 1, 2],
        ['2026-10-25T01:00', 2, 1],
      ],
    ],
    [
      'Australia/Lord_Howe',
      [
        ['2026-04-04T15:00', 11, 10.5],
        ['2026-10-03T15:30', 10.5, 11],
      ],
    ],
  ])('of %s in 2026', (zone, expected) => {
    const changes = clockChanges(zone, YEAR).map(({ at, before, after }) => [
      new Date(at).toISOString().slice(0, 16),
      before / HOUR,
      after / HOUR,
    ]);
    expect(changes).toEqual(expected);
  });

  it('are none before the span and none at its end', () => {
    const [spring = 0, autumn = 0] = clockChanges('Europe/Berlin', YEAR).map(({ at }) => at);
    const between = clockChanges('Europe/Berlin', { open: spring + 1, close: autumn });
    expect(between).toEqual([]);
  });
});
