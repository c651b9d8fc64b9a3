import { expect, test } from 'vitest';
import { Bug } from '../../../src/lib/bug.ts';
import { openZone } from '../../../src/calendar/zones.ts';
import { at } from '../../support/rollout-windows.ts';

test('W15 an unknown zone is never read as UTC', () => {
  const day = { open: at('2026-01-01T00:00Z'), close: at('2026-01-02T00:00Z') };
  expect(() => openZone('Europe/Berlinn', day)).toThrow(Bug);
});

test.each([
  ['Europe/Berlin', '2026-06-01T02:00Z', ['2026-06-01T00:00Z']],
  ['Asia/Kathmandu', '2026-06-01T05:45Z', ['2026-06-01T00:00Z']],
  ['UTC', '2026-06-01T02:00Z', ['2026-06-01T02:00Z']],
  ['Europe/Berlin', '2026-03-29T01:59Z', ['2026-03-29T00:59Z']],
  ['Europe/Berlin', '2026-03-29T02:00Z', ['2026-03-29T01:00Z']],
  ['Europe/Berlin', '2026-03-29T02:59Z', ['2026-03-29T01:00Z']],
  ['Europe/Berlin', '2026-03-29T03:00Z', ['2026-03-29T01:00Z']],
  ['Europe/Berlin', '2026-10-25T02:00Z', ['2026-10-25T00:00Z', '2026-10-25T01:00Z']],
  ['Europe/Berlin', '2026-10-25T02:59Z', ['2026-10-25T00:59Z', '2026-10-25T01:59Z']],
  ['Europe/Berlin', '2026-10-25T03:00Z', ['2026-10-25T02:00Z']],
  ['Pacific/Apia', '2011-12-30T12:00Z', ['2011-12-30T10:00Z']],
])('a clock in %s reads %s at %j', (name, wall, instants) => {
  const around = { open: at(wall) - 86_400_000, close: at(wall) + 86_400_000 };
  expect(openZone(name, around).occurrences(at(wall))).toEqual(instants.map(at));
});
