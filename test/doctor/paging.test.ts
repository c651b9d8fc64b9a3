import { expect, test } from 'vitest';
import { examineDevices } from '../../src/doctor/paging.ts';
import type { ProbeAnswer, ProbeRequest } from '../../src/doctor/probing.ts';

interface Habits {
  readonly devices: number;
  /** The longest page, whatever is requested. */
  readonly cut?: number;
  readonly ignoresOffset?: boolean;
  readonly totalOfPage?: boolean;
}

function answer(
  { devices, cut = Infinity, ignoresOffset, totalOfPage }: Habits,
  request: ProbeRequest,
): ProbeAnswer {
  const query = request.kind === 'read' ? request.query : {};
  const offset = ignoresOffset ? 0 : Number(query?.['offset'] ?? 0);
  const end = Math.min(devices, offset + Math.min(Number(query?.['limit'] ?? 100), cut));
  const rows = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({
    id: `d-${offset + index}`,
    status: 'online',
  }));
  const value = { devices: rows, total: totalOfPage ? rows.length : devices };
  return { status: 200, value, text: JSON.stringify(value), contentType: 'application/json' };
}

function examined(habits: Habits): Readonly<Record<string, string>> {
  const probing = examineDevices();
  let step = probing.next();
  while (!step.done) step = probing.next(answer(habits, step.value));
  const paging = step.value.checks.filter(({ name }) =>
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
