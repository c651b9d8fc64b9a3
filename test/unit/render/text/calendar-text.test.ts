import { describe, expect, it } from 'vitest';
import type { CalendarEntry, CalendarView } from '../../../../src/model/plan/calendar.ts';
import { calendarBlocks } from '../../../../src/render/outputs/calendar.ts';
import { calendarJson } from '../../../../src/render/data/output-json.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { shown } from '../../../support/render-look.ts';
import { utc } from '../../../support/report-fleet.ts';

const FROM = utc('2027-03-19T12:00');
const place = { file: 'fleet/fleet.yaml', line: 7, column: 3 };
const opening = { kind: 'windowOpens', name: 'windows.nights', place } as const;
const ENTRIES: readonly CalendarEntry[] = [
  {
    kind: 'due',
    at: FROM,
    since: utc('2027-02-01T08:00'),
    name: 'rotations.pw',
    task: 'rotatePassword',
    place,
    devices: 12,
    examples: [{ id: 'dev-1', name: 'lobby-cam-1' }, { id: 'dev-2' }],
  },
  {
    kind: 'windowCloses',
    name: 'windows.nights',
    place,
    at: utc('2027-03-19T14:00'),
    since: FROM - 1,
  },
  {
    ...opening,
    at: utc('2027-03-20T23:00'),
    until: utc('2027-03-21T03:00'),
    zone: 'Europe/Berlin',
    devices: 9,
  },
  {
    ...opening,
    at: utc('2027-03-20T23:00'),
    until: utc('2027-03-21T03:00'),
    zone: 'Europe/Paris',
    devices: 1,
  },
  {
    kind: 'windowCloses',
    name: 'windows.nights',
    place,
    at: utc('2027-03-21T03:00'),
    since: utc('2027-03-20T23:00'),
  },
  {
    kind: 'freezeBegins',
    name: 'freezes.sale',
    place,
    at: utc('2027-03-22T00:00'),
    until: utc('2027-03-24T00:00'),
    devices: 40,
  },
  {
    kind: 'expiry',
    at: utc('2027-03-22T06:00'),
    last: utc('2027-03-22T18:30'),
    task: 'rotateSslCertificate',
    devices: 2,
    examples: [{ id: 'dev-1' }, { id: 'dev-2' }],
  },
  {
    kind: 'freezeEnds',
    name: 'freezes.sale',
    place,
    at: utc('2027-03-24T00:00'),
    since: utc('2027-03-22T00:00'),
  },
  {
    kind: 'exceptionEnds',
    name: 'exceptions.court',
    place,
    at: utc('2027-03-25T00:00'),
    devices: 1,
    examples: [{ id: 'dev-3' }],
  },
  {
    kind: 'deadline',
    name: 'firmware.axis',
    task: 'upgradeFirmware',
    place,
    at: utc('2027-03-26T00:00'),
    devices: 1,
    examples: [{ id: 'dev-2' }],
  },
  {
    ...opening,
    kind: 'openingLost',
    at: utc('2027-03-28T01:00'),
    zone: 'Europe/Berlin',
    wall: '2027-03-28T02:15:00',
    devices: 9,
  },
  {
    kind: 'clockChange',
    at: utc('2027-03-28T01:00'),
    zone: 'Europe/Berlin',
    offsets: { before: 60, after: 120 },
  },
  {
    kind: 'clockChange',
    at: utc('2027-03-28T01:00'),
    zone: 'Europe/Paris',
    offsets: { before: 60, after: 120 },
  },
  {
    kind: 'clockChange',
    at: utc('2027-04-03T15:00'),
    zone: 'Australia/Lord_Howe',
    offsets: { before: 660, after: -210 },
  },
];
const VIEW: CalendarView = { from: FROM, to: FROM + 30 * 86_400_000, entries: ENTRIES };

describe('a calendar', () => {
  it('is told day by day', async () => {
    const text = shown(calendarBlocks(VIEW));
    await expect(text).toMatchFileSnapshot('../goldens/calendar.txt');
  });

  it('tells openings that are alike by the clocks of their sites once, over zones and days', () => {
    const night = (day: string, from: string, to: string, zone: string): CalendarEntry => ({
      ...opening,
      at: utc(`2027-03-${day}T${from}`),
      until: utc(`2027-03-${day}T${to}`),
      zone,
      devices: 5,
    });
    const entries = [
      night('23', '00:00', '04:00', 'Europe/Berlin'),
      night('23', '05:00', '09:00', 'America/New_York'),
      night('24', '00:00', '04:00', 'Europe/Berlin'),
      night('24', '05:00', '09:00', 'America/New_York'),
      // Shorter than the others.
      night('25', '00:00', '03:00', 'Europe/Berlin'),
      night('26', '00:00', '04:00', 'Europe/Berlin'),
      night('26', '05:00', '09:00', 'America/New_York'),
      // By the clocks there the same time as before they changed.
      night('30', '23:00', '23:30', 'Europe/London'),
      night('31', '05:00', '09:00', 'America/New_York'),
      night('31', '23:00', '23:30', 'Europe/London'),
    ];
    const text = shown(calendarBlocks({ ...VIEW, entries })).replace(/\s+/g, ' ');
    expect(text.match(/opens/g)).toHaveLength(4);
    expect(text).toContain(
      'Tue 23 Mar 01:00 opens windows.nights fleet/fleet.yaml:7:3 until 05:00, Europe/Berlin; America/New_York, 10 devices; again Wed 24 Mar, Fri 26 Mar',
    );
    expect(text).toContain('Thu 25 Mar 01:00 opens windows.nights');
    expect(text).toContain('Wed 31 Mar 00:00 opens windows.nights');
    expect(text).toContain('until 00:30, Europe/London, 5 devices; again Thu 1 Apr');
    expect(text).toContain('Total: 10 openings.');
  });

  it('says so when it is empty', () => {
    const text = shown(calendarBlocks({ ...VIEW, entries: [] }));
    expect(text).toContain('Nothing falls due, ends, opens or closes in this period.');
  });

  it('fits the width and obeys no name', () => {
    for (const name of hostileNames(40)) {
      const entries = ENTRIES.map((entry) => ({
        ...entry,
        name,
        zone: name,
        examples: [{ id: name, name }],
      }));
      for (const line of shown(calendarBlocks({ ...VIEW, entries })).split('\n')) {
        expect(line).not.toMatch(FORBIDDEN);
        expect(textWidth(line)).toBeLessThanOrEqual(80);
      }
    }
  });

  it('is plain JSON with instants as text, closes included', () => {
    expect(calendarJson(VIEW)).toMatchObject({
      from: '2027-03-19T12:00:00Z',
      horizon: '30d',
      entries: { length: ENTRIES.length, 0: { since: '2027-02-01T08:00:00Z', devices: 12 } },
    });
  });
});
