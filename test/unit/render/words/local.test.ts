import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { localTicks, zoneClock } from '../../../../src/render/words/local.ts';
import { moment, wallMoment } from '../../../../src/render/words/moment.ts';

/** With changes by an hour, by half an hour, at midnight, of a whole day, and offsets with minutes and seconds. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Monrovia',
  'America/New_York',
];
const DAY = 86_400_000;
const anyZone = fc.constantFrom(...ZONES);
const anyInstant = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2099, 0, 1) });

function reading(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

describe('local times', () => {
  it('are those of Temporal, in every zone and on days of a clock change', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, fc.boolean(), (zone, any, nearChange) => {
        const change = nearChange ? reading(any, zone).getTimeZoneTransition('next') : null;
        const at = change === null ? any : change.epochMilliseconds + (any % 7_200_000) - 3_600_000;
        const wanted = reading(at, zone).toPlainDateTime();
        const clock = zoneClock(zone);
        const part = (options: Intl.DateTimeFormatOptions): string =>
          wanted.toLocaleString('en-US', options);
        const day = `${part({ weekday: 'short' })} ${wanted.day} ${part({ month: 'short' })}`;
        const time = wanted.toPlainTime().toString({ smallestUnit: 'minute' });
        expect(wallMoment(at, { clock })).toBe(`${day} ${wanted.year} ${time}`);
        for (const now of [at - 300 * DAY, at - 30 * DAY, at, at + 200 * DAY]) {
          const isOfYear = reading(now, zone).year === wanted.year;
          const shown = isOfYear ? day : `${day} ${wanted.year}`;
          expect(moment(at, { clock, now })).toBe(`${shown} ${time} ${zone}`);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('has a tick at each midnight, which on days of a change are 23 or 25 hours apart', () => {
    const clock = zoneClock('Europe/Berlin');
    const from = Date.UTC(2026, 9, 23, 12);
    const span = { from, to: from + 4 * 86_400_000 };
    const ticks = clock ? localTicks(span, clock, 86_400_000) : [];
    expect(ticks.map((at) => reading(at, 'Europe/Berlin').hour)).toEqual([0, 0, 0, 0]);
    const hours = ticks.slice(1).map((at, index) => (at - (ticks[index] ?? 0)) / 3_600_000);
    expect(hours).toEqual([24, 25, 24]);
  });

  it('knows no zone of another name', () => {
    expect(zoneClock('Europe/Nowhere')).toBeUndefined();
  });
});
