import { expect, test } from 'vitest';
import { parseMonthDay, type FreezeSpec } from '../../../src/model/documents/window.ts';
import { freezeSpans, needsZone, tooLong } from '../../../src/calendar/freezes.ts';
import { openZone } from '../../../src/calendar/zones.ts';
import { aFreeze, at, DAY, shown } from '../../support/rollout-windows.ts';

const YEARS = { open: at('2026-01-10T00:00Z'), close: at('2027-12-31T00:00Z') };

function held(freeze: FreezeSpec, zone = 'Europe/Berlin', interval = YEARS): readonly string[] {
  return shown(freezeSpans(freeze, openZone(zone, interval), interval));
}

function annual(from: string, to: string): FreezeSpec {
  const day = (text: string) => parseMonthDay(text) ?? { month: 0, day: 0 };
  return {
    ...aFreeze('2026-01-01T00:00Z', '2026-01-02T00:00Z'),
    term: { is: 'annual', from: day(from), to: day(to) },
  };
}

test('a freeze by the clock holds by the clock of its zone', () => {
  const freeze = aFreeze('2026-11-23T00:00:00', '2026-12-01T00:00:00');
  expect(held(freeze)).toEqual(['2026-11-22T23:00Z..2026-11-30T23:00Z']);
  expect(held(freeze, 'America/New_York')).toEqual(['2026-11-23T05:00Z..2026-12-01T05:00Z']);
});

test('a freeze between instants holds then, whatever the zone', () => {
  const freeze = aFreeze('2026-11-23T00:00Z', '2026-12-01T00:00Z');
  expect(held(freeze, 'America/New_York')).toEqual(['2026-11-23T00:00Z..2026-12-01T00:00Z']);
});

test('an annual freeze spans the new year, also the one that began before the interval', () => {
  expect(held(annual('12-18', '01-14'), 'UTC')).toEqual([
    '2026-01-10T00:00Z..2026-01-14T00:00Z',
    '2026-12-18T00:00Z..2027-01-14T00:00Z',
    '2027-12-18T00:00Z..2027-12-31T00:00Z',
  ]);
});

test('an annual freeze within a year ends in the same year', () => {
  expect(held(annual('06-01', '06-15'))).toEqual([
    '2026-05-31T22:00Z..2026-06-14T22:00Z',
    '2027-05-31T22:00Z..2027-06-14T22:00Z',
  ]);
});

test('the 29th of February of a year without one is the day after the 28th', () => {
  expect(held(annual('02-27', '02-29'), 'UTC')).toContain('2026-02-27T00:00Z..2026-03-01T00:00Z');
});

test('W21 a freeze from a midnight that does not exist begins with the change', () => {
  const freeze = aFreeze('2026-09-06T00:00:00', '2026-09-07T00:00:00');
  expect(held(freeze, 'America/Santiago')).toEqual(['2026-09-06T04:00Z..2026-09-07T03:00Z']);
});

test('a freeze inside a gap has no length', () => {
  expect(held(aFreeze('2026-03-29T02:10:00', '2026-03-29T02:50:00'))).toEqual([]);
});

test('only what is read off a clock needs the zone of the site', () => {
  const local = aFreeze('2026-11-23T00:00:00', '2026-12-01T00:00:00');
  expect(needsZone(local)).toBe(true);
  expect(needsZone(annual('06-01', '06-15'))).toBe(true);
  expect(needsZone({ ...local, timeZone: 'Europe/Berlin' })).toBe(false);
  expect(needsZone(aFreeze('2026-11-23T00:00Z', '2026-12-01T00:00Z'))).toBe(false);
});

test('a freeze longer than it calls reasonable is named with its occurrence', () => {
  const freeze = aFreeze('2026-03-01T00:00:00', '2026-04-01T00:00:00', { timeZone: 'UTC' });
  expect(shown(tooLong({ ...freeze, maxLength: 31 * DAY }, 'Asia/Tokyo', YEARS))).toEqual([]);
  expect(shown(tooLong({ ...freeze, maxLength: 30 * DAY }, 'Asia/Tokyo', YEARS))).toEqual([
    '2026-03-01T00:00Z..2026-04-01T00:00Z',
  ]);
});
