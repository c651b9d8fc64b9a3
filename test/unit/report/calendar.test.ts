import { describe, expect, it } from 'vitest';
import type { CalendarEntry } from '../../../src/model/plan/calendar.ts';
import type { Outlook } from '../../../src/model/plan/outlook.ts';
import type { Documents, Exception } from '../../../src/model/documents/policy.ts';
import type { Snapshot } from '../../../src/model/fleet/snapshot.ts';
import { formatInstant } from '../../../src/lib/time.ts';
import { buildCalendar } from '../../../src/report/calendar.ts';
import { aDevice, aSnapshot, entries, NOW, someDocuments } from '../../support/plan-fleet.ts';
import { aFreeze, anOutlook, aWindow, utc } from '../../support/report-fleet.ts';

const DAY = 86_400_000;
const SITES = { sites: entries({ 'HQ Berlin': { timeZone: 'Europe/Berlin', tags: [] } }) };
/** A freeze by the clock of each site. */
const LOCAL = {
  term: {
    is: 'once',
    from: { wall: utc('2026-11-23T00:00') },
    to: { wall: utc('2026-11-30T00:00') },
  },
} as const;
const HOLD: Exception = {
  type: 'hold',
  tasks: ['rotatePassword'],
  until: utc('2026-12-15T00:00'),
  notice: 0,
  reason: 'evidence',
  owner: 'legal',
  ticket: 'LEG-4',
};

interface Given {
  readonly documents?: Partial<Documents>;
  readonly outlooks?: readonly Outlook[];
  readonly snapshot?: Snapshot;
  readonly days?: number;
}

function calendar({ documents, outlooks = [], snapshot, days = 30 }: Given) {
  return buildCalendar({
    documents: someDocuments({ ...SITES, ...documents }),
    outlooks,
    snapshot: snapshot ?? aSnapshot([]),
    now: NOW,
    horizon: days * DAY,
  }).entries;
}

/** Shortest form: kind, instant and, where there is one, the other end. */
function told(all: readonly CalendarEntry[]): readonly string[] {
  return all.map(({ kind, at, until }) => {
    const end = until === undefined ? '' : ` ${formatInstant(until)}`;
    return `${kind} ${formatInstant(at)}${end}`;
  });
}

const only = (all: readonly CalendarEntry[], kind: CalendarEntry['kind']) =>
  all.filter((entry) => entry.kind === kind);

describe('what comes to devices', () => {
  it('folds what falls due on one day for one policy, with a count and a few devices', () => {
    const at = utc('2026-11-30T02:00');
    const outlooks = ['a', 'b', 'c', 'd'].map((id, hour) =>
      anOutlook(id, { dueAt: at + hour * 3_600_000 }),
    );
    const [entry, ...more] = calendar({ outlooks });
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      kind: 'due',
      at,
      last: at + 3 * 3_600_000,
      name: 'rotations.pw',
      task: 'rotatePassword',
      place: { file: 'fleet/test.yaml', line: 7, column: 3 },
      devices: 4,
      examples: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    });
  });

  it('keeps days, policies and what is due already apart', () => {
    const other = { file: 'fleet/test.yaml', line: 9, column: 3, policy: 'rotations.other' };
    const outlooks = [
      anOutlook('now', { dueAt: NOW, since: NOW - 5 * DAY }),
      anOutlook('today', { dueAt: NOW + 60_000 }),
      anOutlook('tomorrow', { dueAt: NOW + DAY }),
      anOutlook('theirs', { dueAt: NOW + DAY, at: other }),
    ];
    const all = calendar({ outlooks });
    expect(all.map(({ examples, name }) => [examples?.[0]?.id, name])).toEqual([
      ['now', 'rotations.pw'],
      ['today', 'rotations.pw'],
      ['theirs', 'rotations.other'],
      ['tomorrow', 'rotations.pw'],
    ]);
    expect(all[0]?.since).toBe(NOW - 5 * DAY);
  });

  it.each([
    ['at the horizon', NOW + 30 * DAY, 0],
    ['just before it', NOW + 30 * DAY - 1, 1],
    ['before now', NOW - 1, 0],
  ])('takes what is in [now, horizon): %s', (_, dueAt, count) => {
    expect(calendar({ outlooks: [anOutlook('a', { dueAt })] })).toHaveLength(count);
  });

  it('tells when a credential ends, also one that no policy replaces, once', () => {
    const passwordExpiresAt = NOW + 3 * DAY;
    const snapshot = aSnapshot([
      aDevice('governed', { passwordExpiresAt }),
      aDevice('free', { passwordExpiresAt, sslCertificateExpiresAt: NOW + 4 * DAY }),
    ]);
    const { dueAt: _dueAt, ...rest } = anOutlook('governed');
    const outlooks = [{ ...rest, expiresAt: passwordExpiresAt }];
    const found = calendar({ outlooks, snapshot }).map(({ kind, name, task, examples }) => [
      kind,
      name,
      task,
      examples?.map(({ id }) => id),
    ]);
    expect(found).toEqual([
      ['expiry', undefined, 'rotatePassword', ['free']],
      ['expiry', 'rotations.pw', 'rotatePassword', ['governed']],
      ['expiry', undefined, 'rotateSslCertificate', ['free']],
    ]);
  });

  it('tells when an exception ends and on what it bears', () => {
    const exceptions = entries({
      court: HOLD,
      idle: HOLD,
      late: { ...HOLD, until: NOW + 40 * DAY },
    });
    const outlooks = [anOutlook('a', { exceptions: ['court'] })];
    const ends = only(calendar({ documents: { exceptions }, outlooks }), 'exceptionEnds');
    expect(ends.map(({ name, devices, at }) => [name, devices, at])).toEqual([
      ['exceptions.court', 1, HOLD.until],
      ['exceptions.idle', undefined, HOLD.until],
    ]);
  });
});

describe('what the clock brings by itself', () => {
  const windows = entries({ nights: aWindow() });

  it('walks through every opening and close of a window, in the zone of the site', () => {
    const all = calendar({ documents: { windows }, outlooks: [anOutlook('a')], days: 9 });
    expect(told(all)).toEqual([
      'windowOpens 2026-11-24T00:00:00Z 2026-11-24T04:00:00Z',
      'windowCloses 2026-11-24T04:00:00Z',
    ]);
    expect(all[0]).toMatchObject({ name: 'windows.nights', zone: 'Europe/Berlin', devices: 1 });
  });

  it('shifts an opening where the clock changes, and tells the change', () => {
    const all = calendar({ documents: { windows }, days: 150 });
    const spring = all.filter(
      ({ at }) => at > utc('2027-03-22T00:00') && at < utc('2027-04-01T00:00'),
    );
    expect(told(spring.filter(({ kind }) => kind !== 'windowCloses'))).toEqual([
      'windowOpens 2027-03-23T00:00:00Z 2027-03-23T04:00:00Z',
      'clockChange 2027-03-28T01:00:00Z',
      'windowOpens 2027-03-29T23:00:00Z 2027-03-30T03:00:00Z',
    ]);
    expect(only(all, 'clockChange')).toMatchObject([
      { zone: 'Europe/Berlin', offsets: { before: 60, after: 120 } },
    ]);
  });

  it('tells a freeze, which takes its time out of the windows when it is for every device', () => {
    const freezes = entries({ sale: aFreeze() });
    const all = calendar({
      documents: { windows, freezes },
      outlooks: [anOutlook('a', { dueAt: NOW - 1 })],
      days: 13,
    });
    expect(told(all)).toEqual([
      'freezeBegins 2026-11-23T00:00:00Z 2026-11-30T00:00:00Z',
      'freezeEnds 2026-11-30T00:00:00Z',
      'windowOpens 2026-12-01T00:00:00Z 2026-12-01T04:00:00Z',
      'windowCloses 2026-12-01T04:00:00Z',
    ]);
  });

  it.each([
    ['of some devices', { select: { vendor: ['Axis'] } }],
    ['of some tasks', { tasks: ['upgradeFirmware'] as const }],
  ])('leaves windows alone in a freeze %s', (_, fields) => {
    const freezes = entries({ sale: aFreeze(fields) });
    const all = calendar({ documents: { windows, freezes }, outlooks: [anOutlook('a')], days: 9 });
    expect(only(all, 'windowOpens')).toHaveLength(1);
  });

  it('takes what is open in all zones of a device that belongs to several', () => {
    const sites = entries({
      Berlin: { timeZone: 'Europe/Berlin', tags: [] },
      London: { timeZone: 'Europe/London', tags: [] },
    });
    const device = { id: 'a', sites: [{ id: 'Berlin' }, { id: '2', name: 'London' }] };
    const outlooks = [anOutlook('a', { device })];
    const all = calendar({ documents: { windows, sites }, outlooks, days: 9 });
    expect(told(all).slice(0, 1)).toEqual([
      'windowOpens 2026-11-24T01:00:00Z 2026-11-24T04:00:00Z',
    ]);
    expect(all[0]?.zone).toBe('Europe/Berlin, Europe/London');
  });

  it('opens no window for a device whose site has no zone', () => {
    const device = { id: 'a', sites: [{ id: 's9', name: 'Nowhere' }] };
    const documents = { windows, sites: entries({ Nowhere: { tags: [] } }) };
    expect(calendar({ documents, outlooks: [anOutlook('a', { device })], days: 9 })).toEqual([]);
  });
});

describe('what is easily overlooked', () => {
  it('counts the devices that a freeze holds, by zone where it goes by the sites', () => {
    const freezes = entries({ sale: aFreeze(), local: aFreeze({ timeZone: 'site', ...LOCAL }) });
    const outlooks = ['a', 'b', 'c'].map((id) =>
      anOutlook(id, { freezes: id === 'c' ? ['sale'] : ['sale', 'local'] }),
    );
    const begins = only(calendar({ documents: { freezes }, outlooks }), 'freezeBegins');
    expect(begins.map(({ name, zone, devices }) => [name, zone, devices])).toEqual([
      ['freezes.local', 'Europe/Berlin', 2],
      ['freezes.sale', undefined, 3],
    ]);
  });

  it('has the deadlines of firmware, and none of what is late already', () => {
    const at = utc('2026-12-01T00:00');
    const firmware = { task: 'upgradeFirmware', dueAt: NOW } as const;
    const outlooks = [
      anOutlook('a', { ...firmware, breachesAt: at }),
      anOutlook('b', { ...firmware, breachesAt: at + 60_000 }),
      anOutlook('late', { ...firmware, breachesAt: NOW - DAY }),
    ];
    expect(only(calendar({ outlooks }), 'deadline')).toMatchObject([
      { at, last: at + 60_000, task: 'upgradeFirmware', devices: 2 },
    ]);
  });

  it('tells of an opening that a change of the clock skips', () => {
    const allow = [{ is: 'days', days: ['sun'], from: 135, to: 165 }] as const;
    const windows = entries({ nights: aWindow({ allow }) });
    const all = calendar({ documents: { windows }, outlooks: [anOutlook('a')], days: 150 });
    expect(only(all, 'openingLost')).toMatchObject([
      {
        at: utc('2027-03-28T01:00'),
        name: 'windows.nights',
        zone: 'Europe/Berlin',
        wall: '2027-03-28T02:15:00',
        devices: 1,
      },
    ]);
  });
});
