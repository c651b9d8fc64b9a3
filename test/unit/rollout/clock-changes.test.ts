import { expect, test } from 'vitest';
import { formatWall } from '../../../src/model/documents/window.ts';
import { freezeSpans } from '../../../src/calendar/freezes.ts';
import { createReadings } from '../../../src/calendar/wall-clock.ts';
import { computeSpans, type Width } from '../../../src/calendar/windows.ts';
import { openZone } from '../../../src/calendar/zones.ts';
import { aFreeze, at, DAY, HOUR, rule, shown } from '../../support/rollout-windows.ts';

interface Vector {
  readonly name: string;
  readonly zone: string;
  readonly is: Width | 'freeze';
  readonly rule: string;
  /** The local day that the vector is about; what starts in the 36 hours around its noon counts. */
  readonly day: string;
  readonly gives: readonly string[];
  readonly lost?: readonly string[];
}

const NEW_YORK = 'America/New_York';
const SPRING = '2026-03-08';
const AUTUMN = '2026-11-01';

/** The vectors of semantics W1 to W22, computed with tzdata 2025b. */
const VECTORS: readonly Vector[] = [
  {
    name: 'W1 an allow that starts in the gap starts at the change and lasts its whole duration',
    zone: NEW_YORK,
    is: 'narrow',
    rule: '30 2 * * SUN + 2h',
    day: SPRING,
    gives: ['2026-03-08T07:00Z..2026-03-08T09:00Z'],
  },
  {
    name: 'W2 an allow that starts in the gap and ends behind it is what is left',
    zone: NEW_YORK,
    is: 'narrow',
    rule: 'sun 02:30-03:30',
    day: SPRING,
    gives: ['2026-03-08T07:00Z..2026-03-08T07:30Z'],
  },
  {
    name: 'W3 an allow inside the gap does not open, and that is reported',
    zone: NEW_YORK,
    is: 'narrow',
    rule: 'sun 02:15-02:45',
    day: SPRING,
    gives: [],
    lost: ['2026-03-08T02:15:00'],
  },
  {
    name: 'W3 a deny inside the gap has no length, and that is reported',
    zone: NEW_YORK,
    is: 'wide',
    rule: 'sun 02:15-02:45',
    day: SPRING,
    gives: [],
    lost: ['2026-03-08T02:15:00'],
  },
  {
    name: 'W4 an allow that starts in a repeated hour opens once, the first time',
    zone: NEW_YORK,
    is: 'narrow',
    rule: '30 1 * * SUN + 30m',
    day: AUTUMN,
    gives: ['2026-11-01T05:30Z..2026-11-01T06:00Z'],
  },
  {
    name: 'W5 a deny in a repeated hour holds both times',
    zone: NEW_YORK,
    is: 'wide',
    rule: 'sun 01:15-01:45',
    day: AUTUMN,
    gives: ['2026-11-01T05:15Z..2026-11-01T05:45Z', '2026-11-01T06:15Z..2026-11-01T06:45Z'],
  },
  {
    name: 'W6 a duration is elapsed time across a change',
    zone: 'Europe/London',
    is: 'narrow',
    rule: '0 23 * * SAT + 6h',
    day: '2026-03-28',
    gives: ['2026-03-28T23:00Z..2026-03-29T05:00Z'],
  },
  {
    name: 'W7 an end by the clock is the clock after the change',
    zone: 'Europe/London',
    is: 'narrow',
    rule: 'sat 23:00-05:00',
    day: '2026-03-28',
    gives: ['2026-03-28T23:00Z..2026-03-29T04:00Z'],
  },
  {
    name: 'W17 an allow that ends in the gap ends at the change',
    zone: NEW_YORK,
    is: 'narrow',
    rule: 'sun 01:00-02:30',
    day: SPRING,
    gives: ['2026-03-08T06:00Z..2026-03-08T07:00Z'],
  },
  {
    name: 'W17 a deny that ends in the gap ends at the change',
    zone: NEW_YORK,
    is: 'wide',
    rule: 'sun 01:00-02:30',
    day: SPRING,
    gives: ['2026-03-08T06:00Z..2026-03-08T07:00Z'],
  },
  {
    name: 'W18 an allow that ends in a repeated hour ends the first time',
    zone: NEW_YORK,
    is: 'narrow',
    rule: 'sun 00:30-01:30',
    day: AUTUMN,
    gives: ['2026-11-01T04:30Z..2026-11-01T05:30Z'],
  },
  {
    name: 'W18 a deny that ends in a repeated hour ends the second time',
    zone: NEW_YORK,
    is: 'wide',
    rule: 'sun 00:30-01:30',
    day: AUTUMN,
    gives: ['2026-11-01T04:30Z..2026-11-01T06:30Z'],
  },
  {
    name: 'W19 a freeze in a repeated hour runs from the first `from` to the second `to`',
    zone: NEW_YORK,
    is: 'freeze',
    rule: '2026-11-01T01:15:00 2026-11-01T01:45:00',
    day: AUTUMN,
    gives: ['2026-11-01T05:15Z..2026-11-01T06:45Z'],
  },
  {
    name: 'W20 an allow that starts in a repeated hour runs through the second one',
    zone: NEW_YORK,
    is: 'narrow',
    rule: 'sun 01:30-03:00',
    day: AUTUMN,
    gives: ['2026-11-01T05:30Z..2026-11-01T08:00Z'],
  },
  {
    name: 'W21 a midnight that does not exist is the change',
    zone: 'America/Santiago',
    is: 'narrow',
    rule: '0 0 * * SUN + 2h',
    day: '2026-09-06',
    gives: ['2026-09-06T04:00Z..2026-09-06T06:00Z'],
  },
  {
    name: 'W22 a deny by cron in a repeated half hour opens twice and overlaps itself',
    zone: 'Australia/Lord_Howe',
    is: 'wide',
    rule: '45 1 * * SUN + 1h',
    day: '2026-04-05',
    gives: ['2026-04-04T14:45Z..2026-04-04T16:15Z'],
  },
  {
    name: 'a deny on the day that a date line skips has no length, and that is reported',
    zone: 'Pacific/Apia',
    is: 'wide',
    rule: 'fri 08:00-09:00',
    day: '2011-12-30',
    gives: [],
    lost: ['2011-12-30T08:00:00'],
  },
];

test.each(VECTORS)('$name', ({ zone, is, rule: text, day, gives, lost = [] }) => {
  const noon = at(`${day}T12:00Z`);
  const interval = { open: noon - 2 * DAY, close: noon + 2 * DAY };
  const opened = openZone(zone, interval);
  if (is === 'freeze') {
    const [from = '', to = ''] = text.split(' ');
    expect(shown(freezeSpans(aFreeze(from, to), opened, interval))).toEqual(gives);
    return;
  }
  const found = computeSpans(rule(text), {
    zone: opened,
    readings: createReadings(interval),
    width: is,
  });
  expect(shown(found.spans)).toEqual(gives);
  expect(found.lost.map(formatWall)).toEqual(lost);
});

test('W9 a wall time of the half hour that Lord Howe repeats comes twice', () => {
  const zone = openZone('Australia/Lord_Howe', {
    open: at('2026-04-01T00:00Z'),
    close: at('2026-04-10T00:00Z'),
  });
  expect(zone.occurrences(at('2026-04-05T01:45Z'))).toEqual([
    at('2026-04-04T14:45Z'),
    at('2026-04-04T15:15Z'),
  ]);
});

test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'])(
  'W8 a span after midnight belongs to the day it starts on: %s',
  (name) => {
    const interval = { open: at('2026-06-10T00:00Z'), close: at('2026-06-20T00:00Z') };
    const zone = openZone(name, interval);
    const { spans } = computeSpans(rule('sat 23:00-02:00'), {
      zone,
      readings: createReadings(interval),
      width: 'narrow',
    });
    const isOpen = (wall: string): boolean => {
      const [instant = NaN] = zone.occurrences(at(wall));
      return spans.some(({ open, close }) => open <= instant && instant < close);
    };
    expect([isOpen('2026-06-13T00:30Z'), isOpen('2026-06-14T00:30Z')]).toEqual([false, true]);
    expect(spans.map(({ open, close }) => (close - open) / HOUR)).toEqual([3]);
  },
);
