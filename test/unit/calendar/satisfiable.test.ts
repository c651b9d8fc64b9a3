import { expect, test } from 'vitest';
import type { FreezeSpec, WindowSpec } from '../../../src/model/documents/window.ts';
import {
  startChances,
  floorBreach,
  startGaps,
  proveStarts,
} from '../../../src/calendar/satisfiable.ts';
import {
  aCalendar,
  aFreeze,
  asked,
  at,
  aWindow,
  DAY,
  HOUR,
  shown,
} from '../../support/rollout-windows.ts';

const NOW = '2026-07-01T12:00Z';

function proof(nights: WindowSpec, stop?: FreezeSpec, autoCutoff = HOUR) {
  const calendar = aCalendar(NOW, { nights }, stop && { stop });
  const freezes = stop ? ['stop'] : [];
  return proveStarts(calendar, asked({ zones: ['UTC'], freezes, autoCutoff }), at(NOW));
}

test('W30 400 nights are 400 spans with a start', () => {
  const { starts } = proof(aWindow(['01:00-05:00']));
  expect(starts).toHaveLength(400);
  expect(starts[0]?.open).toBe(at('2026-07-02T01:00Z'));
});

test('R6 a window that its denies leave nothing of never starts anything', () => {
  const { starts, tooShort } = proof(aWindow(['01:00-05:00'], { deny: ['00:00-06:00'] }));
  expect({ starts, tooShort }).toEqual({ starts: [], tooShort: [] });
});

test('a freeze over the whole horizon leaves nothing', () => {
  const stop = aFreeze('2026-01-01T00:00Z', '2099-01-01T00:00Z');
  expect(proof(aWindow(['01:00-05:00']), stop).starts).toEqual([]);
});

test('what is open for no longer than the cutoff is a counter-example', () => {
  const { starts, tooShort } = proof(aWindow(['sat 01:00-02:00'], { cutoff: 'auto' }));
  expect(starts).toEqual([]);
  expect(shown(tooShort)[0]).toBe('2026-07-04T01:00Z..2026-07-04T02:00Z');
  const longer = proof(aWindow(['sat 01:00-02:01'], { cutoff: 'auto' }));
  expect([longer.starts.length, longer.tooShort.length]).toEqual([57, 0]);
});

test('the stretches without a start are named, from the last start to the next open', () => {
  const stop = aFreeze('2026-12-18T00:00Z', '2027-01-04T00:00Z');
  const nights = proof(aWindow(['01:00-05:00'], { cutoff: 'auto' }), stop);
  expect(shown(startGaps(nights, 2 * DAY))).toEqual(['2026-12-17T04:00Z..2027-01-04T01:00Z']);
});

test('a stretch that is exactly as long as the deadline is too long', () => {
  const nights = proof(aWindow(['01:00-05:00']));
  expect(startGaps(nights, 20 * HOUR).length).toBeGreaterThan(390);
  expect(startGaps(nights, 20 * HOUR + 1)).toEqual([]);
});

test('without any start the whole horizon is one gap', () => {
  const never = proof(aWindow(['01:00-05:00'], { deny: ['00:00-06:00'] }));
  expect(startGaps(never, DAY)).toEqual([never.over]);
});

test('W30 the chances between a due instant and a deadline are counted', () => {
  const saturdays = proof(aWindow(['sat 01:00-05:00'], { cutoff: 'auto' }));
  const between = (due: string, before: string) =>
    startChances(saturdays.starts, { due: at(due), before: at(before), most: 9 }).length;
  expect(between('2026-07-04T03:59Z', '2026-07-11T01:00Z')).toBe(1);
  expect(between('2026-07-04T04:00Z', '2026-07-11T01:00Z')).toBe(0);
  expect(between('2026-07-04T00:00Z', '2026-07-11T01:01Z')).toBe(2);
});

test('the floor is 8 hours in any 32 days', () => {
  expect(floorBreach(proof(aWindow(['0 0 1 * * + 8h'])))).toBeUndefined();
  expect(floorBreach(proof(aWindow(['0 0 1 * * + 7h'])))).toMatchObject({ time: 7 * HOUR });
});

test('the worst 32 days are named', () => {
  expect(floorBreach(proof(aWindow(['0 0 1 1,2,4,5,6,7,8,9,10,11,12 * + 10h'])))).toEqual({
    open: at('2027-02-01T10:00Z'),
    close: at('2027-03-05T10:00Z'),
    time: 0,
  });
});

test('a window that opens every few minutes is measured like any other', () => {
  expect(floorBreach(proof(aWindow(['*/5 * * * * + 1m'])))).toBeUndefined();
  expect(floorBreach(proof(aWindow(['*/30 4 * * * + 1m'])))).toMatchObject({ time: 64 * 60_000 });
});

test('blocks that are not longer than the cutoff do not count towards the floor', () => {
  const nightly = aWindow(['01:00-02:00'], { cutoff: 'auto' });
  expect(floorBreach(proof(nightly, undefined, HOUR - 1))).toBeUndefined();
  expect(floorBreach(proof(nightly, undefined, HOUR))).toMatchObject({ time: 0 });
});
