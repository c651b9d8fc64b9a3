import { expect, test } from 'vitest';
import type { Budget } from '../../../../src/model/documents/budget.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { findBlocked } from '../../../../src/rollout/budgets/blocked.ts';
import { aDevice, aSnapshot, NOW, someDocuments } from '../../../support/plan-fleet.ts';
import {
  anAllow,
  documentsIn,
  membersOf,
  sick,
  type BookCase,
} from '../../../support/rollout-book.ts';

/** What is blocked, shortest form: `budget why: set set`. Every row is targeted unless it is said. */
function blocked(
  theCase: BookCase,
  targeted: readonly number[] = theCase.devices.map((_, n) => n),
) {
  const { devices } = theCase;
  const found = findBlocked({
    documents: documentsIn(theCase),
    snapshot: aSnapshot(devices, { sites: [{ id: 's1', name: 'HQ Berlin' }] }),
    members: membersOf(devices),
    now: NOW,
    targeted: new Set(targeted),
  });
  return found.map(
    ({ budget, why, sets }) => `${budget} ${why}: ${sets.map(({ name }) => name).join(' ')}`,
  );
}

const cameras = (count: number, fields: Partial<Device> = {}): readonly Device[] =>
  Array.from({ length: count }, (_, n) => aDevice(`dev-${n}`, fields));
const INTERCOM = [aDevice('dev-0', { deviceType: 'intercom' })];
const written = (budget: Partial<Budget> & Pick<Budget, 'per'>): Pick<BookCase, 'budgets'> => ({
  budgets: { mine: { ...budget, ...sick() } },
});

test('B5 a set of one that wants an approval is said, under the name of its site', () => {
  const perSite = written({ per: 'site', maxUnavailable: { count: 1 } });
  expect(blocked({ devices: INTERCOM, ...perSite })).toEqual(['mine approval: HQ Berlin']);
});

test('an approval for any task opens it', () => {
  const exceptions = { door: anAllow({ allow: 'singleton' }, { device: ['dev-0'] }) };
  const perSite = written({ per: 'site', maxUnavailable: { count: 1 } });
  expect(blocked({ devices: INTERCOM, exceptions, ...perSite })).toEqual([]);
});

test.each([
  ['maxUnavailable written 0', { per: 'site', maxUnavailable: { count: 0 } }],
  ['minAvailable as large as the set', { per: 'site', minAvailable: 3 }],
] as const)('B5 %s leaves no room, and no exception opens it', (_, budget) => {
  expect(blocked({ devices: cameras(3), ...written(budget) })).toEqual(['mine never: HQ Berlin']);
});

test('a percent that rounds down to 0 is said where it does', () => {
  const sources = [
    ...cameras(2, { sources: [{ id: 'vms' }] }),
    ...Array.from({ length: 10 }, (_, n) => aDevice(`x-${n}`, { sources: [{ id: 'big' }] })),
  ];
  const tenth = written({ per: 'deviceSource', maxUnavailable: { percent: 10 } });
  expect(blocked({ devices: sources, ...tenth })).toEqual(['mine percent: vms']);
});

test('a percent per site never rounds down to 0', () => {
  const tenth = written({ per: 'site', maxUnavailable: { percent: 10 } });
  expect(blocked({ devices: cameras(2), ...tenth })).toEqual([]);
});

test('a group of one door is said, a group of one camera is not', () => {
  const groups = { door: { is: 'devices', devices: ['dev-0'], redundancy: true } } as const;
  expect(blocked({ devices: INTERCOM, groups })).toEqual(['groups.door approval: door']);
  expect(blocked({ devices: cameras(1), groups })).toEqual([]);
});

test('what is built in is said only where it stands in the way of something targeted', () => {
  const snapshot = aSnapshot(INTERCOM);
  const input = { documents: someDocuments(), snapshot, members: membersOf(INTERCOM), now: NOW };
  expect(findBlocked({ ...input, targeted: new Set() })).toEqual([]);
  expect(findBlocked({ ...input, targeted: new Set([0]) })).toEqual([
    { budget: 'default-site', why: 'approval', sets: [{ name: 's1', device: 'dev-0' }] },
  ]);
});
