import { describe, expect, it } from 'vitest';
import { desire } from '../../../src/desired/desire.ts';
import type { DiscoveredDevice } from '../../../src/model/fleet/device.ts';
import type { Desired, OnboardingWant } from '../../../src/model/plan/desired-state.ts';
import {
  device,
  documentsOf,
  hold,
  NOW,
  onboarding,
  snapshotOf,
} from '../../support/desired-documents.ts';

const HQ = { id: '1', name: 'HQ' };
const DISCOVERED: readonly DiscoveredDevice[] = [
  { id: 'd2', serial: 'B8A4', vendor: 'Bosch', name: 'yard', site: HQ, discoveredAt: NOW - 2 },
  { id: 'd1', vendor: 'Axis', name: 'lobby', site: HQ, onboardingStatus: 'archived' },
  { id: 'd3', vendor: 'Axis', name: 'lobby', site: { id: '2' }, discoveredAt: NOW - 9 },
  { id: 'm1', serial: 'B8A5', vendor: 'Axis', name: 'gate' },
];
const MANAGED = [
  device('m1', { name: 'gate', sites: ['HQ'] }),
  device('m2', { name: 'twin', sites: ['HQ'] }),
  device('m3', { name: 'twin', sites: ['Lager'] }),
];
const PLACE = { file: 'fleet/on.yaml', line: 7, column: 9 };

function run(
  policies: ReturnType<typeof onboarding>[],
  exceptions: NonNullable<Parameters<typeof documentsOf>[0]>['exceptions'] = {},
): Desired {
  const documents = documentsOf({ onboarding: policies, exceptions });
  return desire({
    documents,
    snapshot: snapshotOf(MANAGED, { discovered: DISCOVERED }),
    now: NOW,
  });
}

function brief(want: OnboardingWant): string {
  switch (want.found) {
    case 'discovered':
      return `${want.device.id} ${want.why}`;
    case 'managed':
      return `${want.deviceId} managed (${want.entry})`;
    case 'several':
      return `several ${want.devices.map(({ id }) => id).join('+')} (${want.entry})`;
    case 'none':
      return `none (${want.entry})${want.meant === undefined ? '' : `, meant ${want.meant}`}`;
  }
}

describe('an entry of a list', () => {
  it.each([
    [{ id: 'd1' }, 'd1 listed'],
    [{ serial: 'B8A4' }, 'd2 listed'],
    [{ name: 'lobby', site: 'HQ' }, 'd1 listed'],
    [{ name: 'lobby', site: '2' }, 'd3 listed'],
    [{ id: 'd1', name: 'yard' }, 'none (id=d1, name=yard)'],
    [{ serial: 'b8a4' }, 'none (serial=b8a4), meant B8A4'],
    [{ id: 'D1' }, 'none (id=D1), meant d1'],
    [{ name: 'Lobby', site: 'HQ' }, 'none (name=Lobby, site=HQ), meant lobby'],
    [{ serial: 'B8A4', site: 'Lager' }, 'none (serial=B8A4, site=Lager)'],
    [{ name: 'lobby' }, 'several d1+d3 (name=lobby)'],
    [{ id: 'm1' }, 'm1 managed (id=m1)'],
    [{ serial: 'B8A5' }, 'm1 managed (serial=B8A5)'],
    [{ name: 'twin', site: 'HQ' }, 'm2 managed (name=twin, site=HQ)'],
    [{ name: 'twin' }, 'none (name=twin)'],
    [{ id: 'gone' }, 'none (id=gone)'],
  ])('%j stands for: %s', (entry, expected) => {
    const desired = run([onboarding('a', { devices: [{ ...entry, at: PLACE }] })]);
    expect(desired.onboarding.map(brief)).toEqual([expected]);
    expect(desired.onboarding[0]?.at).toEqual({ ...PLACE, policy: 'onboarding.a' });
  });

  it.each([
    ['error', ['nameNotUnique']],
    ['skip', []],
  ] as const)(
    'that several devices answer to is, with onDuplicate %s: %j',
    (onDuplicate, codes) => {
      const devices = [{ name: 'lobby', at: PLACE }];
      const { diagnostics } = run([onboarding('a', { devices, onDuplicate })]);
      expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    },
  );
});

describe('a selector of discovered devices', () => {
  it.each([
    [{ vendor: ['Axis'] }, 'd1 matched, d3 matched, m1 managed (id=m1)'],
    [{ name: ['y*'] }, 'd2 matched'],
    [{ status: ['archived'] }, 'd1 matched'],
    [{ discoveredAfter: NOW - 3 }, 'd2 matched'],
    [{ discoveredAfter: NOW - 2 }, ''],
    [{ discoveredBefore: NOW - 2 }, 'd3 matched'],
    [{ vendor: ['Axis'], status: ['ready*'] }, ''],
  ])('%j', (select, expected) => {
    expect(
      run([onboarding('a', { select })])
        .onboarding.map(brief)
        .join(', '),
    ).toBe(expected);
  });

  it('joins the list of its policy, and what neither names is not wished', () => {
    const devices = [{ id: 'd3', at: PLACE }];
    const { onboarding: wants } = run([
      onboarding('a', { devices, select: { vendor: ['Bosch'] } }),
    ]);
    expect(wants.map(brief)).toEqual(['d2 matched', 'd3 listed']);
  });
});

it('a device that one policy lists and matches is listed, and loses to nobody', () => {
  const devices = [{ id: 'd3', at: PLACE }];
  const { onboarding: wants } = run([onboarding('a', { devices, select: { name: ['lobby'] } })]);
  expect(wants.map(brief)).toEqual(['d1 matched', 'd3 listed']);
  expect(wants.map(({ losers }) => losers)).toEqual([[], []]);
});

describe('a device that two policies claim', () => {
  const select = { vendor: ['Bosch'] };

  it('O5 goes to the higher priority', () => {
    const [want] = run([
      onboarding('a', { select }),
      onboarding('b', { select, priority: 600 }),
    ]).onboarding;
    expect(want?.policy.name).toBe('b');
    expect(want?.losers).toMatchObject([{ policy: 'onboarding.a' }]);
  });

  it('is a tie where equal priority wants something else', () => {
    const { diagnostics } = run([
      onboarding('a', { select }),
      onboarding('b', { select, blockVendors: ['Dahua'] }),
    ]);
    expect(diagnostics).toMatchObject([{ code: 'conflict', params: { count: 1, device: 'd2' } }]);
  });
});

it('an exception for the task exempts discovered devices', () => {
  const exceptions = {
    held: hold('hold', { select: { vendor: ['Bosch'] }, tasks: ['onboardDevice'] }),
    other: hold('hold', { select: { vendor: ['Axis'] }, tasks: ['upgradeFirmware'] }),
  };
  const { onboarding: wants } = run([onboarding('a', { select: { name: ['*'] } })], exceptions);
  const held = wants.filter(({ exemption }) => exemption.hold?.name === 'held');
  expect(held.map(brief)).toEqual(['d2 matched']);
  expect(wants.every(({ exemption }) => exemption.hold?.name !== 'other')).toBe(true);
});
