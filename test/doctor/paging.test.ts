import { expect, test } from 'vitest';
import { assembleCheckup } from '../../src/doctor/checkup.ts';
import { examineDevices, type DeviceSample } from '../../src/doctor/paging.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { ProbeAnswer, ProbeRequest } from '../../src/doctor/probing.ts';

interface Habits {
  readonly devices: number;
  /** The longest page, whatever is requested. */
  readonly cut?: number;
  readonly ignoresOffset?: boolean;
  readonly totalOfPage?: boolean;
  readonly lastSeen?: string;
}

function answer(
  { devices, cut = Infinity, ignoresOffset, totalOfPage, lastSeen }: Habits,
  request: ProbeRequest,
): ProbeAnswer {
  const query = request.kind === 'read' ? request.query : {};
  const offset = ignoresOffset ? 0 : Number(query?.['offset'] ?? 0);
  const end = Math.min(devices, offset + Math.min(Number(query?.['limit'] ?? 100), cut));
  const rows = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({
    id: `d-${offset + index}`,
    status: 'online',
    ...(lastSeen !== undefined && { lastSeen }),
  }));
  const value = { devices: rows, total: totalOfPage ? rows.length : devices };
  return { status: 200, value, text: JSON.stringify(value), contentType: 'application/json' };
}

function sampled(habits: Habits): DeviceSample {
  const probing = examineDevices();
  let step = probing.next();
  while (!step.done) step = probing.next(answer(habits, step.value));
  return step.value;
}

function examined(habits: Habits): Readonly<Record<string, string>> {
  const paging = sampled(habits).checks.filter(({ name }) =>
    ['total', 'pageLimit', 'offset'].includes(name),
  );
  return Object.fromEntries(paging.map(({ name, state, code }) => [name, `${state} ${code}`]));
}

test.each<readonly [string, Habits, Readonly<Record<string, string>>]>([
  [
    'pages as documented',
    { devices: 60 },
    { total: 'good totalRight', pageLimit: 'good limitTaken', offset: 'good offsetRight' },
  ],
  [
    'pages that are cut',
    { devices: 60, cut: 50 },
    { total: 'note pageShort', pageLimit: 'good limitCut', offset: 'good offsetRight' },
  ],
  [
    'an offset that is ignored, where the fleet needs a second page',
    { devices: 60, cut: 50, ignoresOffset: true },
    { total: 'note pageShort', pageLimit: 'good limitCut', offset: 'bad offsetIgnored' },
  ],
  [
    'an offset that is ignored, where the fleet fits on one page',
    { devices: 60, ignoresOffset: true },
    { total: 'good totalRight', pageLimit: 'good limitTaken', offset: 'note offsetIgnored' },
  ],
  [
    'a total that counts the page',
    { devices: 1_100, totalOfPage: true },
    { total: 'bad totalOfPage', pageLimit: 'good limitFull', offset: 'good offsetRight' },
  ],
])('doctor tells %s', (_, habits, expected) => {
  expect(examined(habits)).toEqual(expected);
});

const AT = Date.UTC(2026, 10, 20, 12);

function clocks(lastSeen: string, devices = 3): readonly string[] {
  const { checks, seenAt } = sampled({ devices, lastSeen });
  const checkup = assembleCheckup({
    settled: { checks, seenAt, judged: new Map(), changes: [], unread: [] },
    exchanges: [],
    written: {},
    dialect: resolveDialect(),
    at: AT,
    tookMs: 0,
  });
  return checkup.checks.filter(({ name }) => name === 'clock').map(({ code }) => code);
}

test.each([
  { lastSeen: '2026-11-20T12:00:00Z', codes: [] },
  { lastSeen: '2026-11-20T11:45:00Z', codes: [] },
  { lastSeen: '2026-11-20T11:44:59Z', codes: ['lastSeenOff'] },
  { lastSeen: '2026-11-20T17:00:00Z', codes: ['lastSeenOff'] },
  { lastSeen: '2026-11-20T17:00:00Z', devices: 2, codes: [] },
  { lastSeen: '2026-11-20T13:00:00+01:00', codes: [] },
  { lastSeen: '2026-11-20T12:00:00', codes: ['datesZoneless'] },
])('doctor compares `lastSeen` of online devices with now: %j', ({ lastSeen, devices, codes }) => {
  expect(clocks(lastSeen, devices)).toEqual(codes);
});
