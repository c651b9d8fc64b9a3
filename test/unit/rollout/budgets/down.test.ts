import { expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { IntentState, ObservedFact } from '../../../../src/model/ledger/memory.ts';
import { sightingKey } from '../../../../src/model/ledger/sightings.ts';
import type { Facts } from '../../../../src/model/fleet/snapshot.ts';
import { createTable } from '../../../../src/live/device-table.ts';
import {
  judgeCoverage,
  heldDown,
  ONLINE_AGAIN,
  rowCoverage,
} from '../../../../src/rollout/budgets/down.ts';
import { NOW, aDevice, aMemory, anIntent, anOpenIntent } from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;

const COVERAGE: readonly [string, Partial<Device>, string][] = [
  ['online and seen', {}, 'up'],
  ['offline', { status: 'offline' }, 'down'],
  ['offline and not seen for long', { status: 'offline', lastSeen: 0 }, 'down'],
  ['partial', { status: 'partial' }, 'partial'],
  ['unknown', { status: 'unknown' }, 'unknown'],
  ['of a status nobody knows', { status: 'dormant' }, 'unknown'],
  ['in maintenance', { maintenanceMode: true }, 'down'],
  ['last seen 15 minutes ago', { lastSeen: NOW - 15 * MINUTE }, 'up'],
  ['last seen more than 15 minutes ago', { lastSeen: NOW - 15 * MINUTE - 1 }, 'down'],
];

test.each(COVERAGE)('a device that is %s', (_, fields, coverage) => {
  expect(judgeCoverage(aDevice('z', fields), NOW)).toBe(coverage);
});

test('a row is covered as its device is, whatever others of its kind are', () => {
  const devices = COVERAGE.flatMap(([, fields], at) =>
    [{}, { unreadable: ['status'] }, { lastSeen: NOW - 16 * MINUTE }].map((more, nth) =>
      aDevice(`cam-${at}-${nth}`, { ...fields, ...more }),
    ),
  );
  const { lastSeen: _unknown, ...unseen } = aDevice('cam-z');
  const table = createTable([...devices, unseen]);
  const coverageAt = rowCoverage({ devices: table, takenAt: NOW });
  for (let row = 0; row < table.length; row += 1)
    expect(coverageAt(row)).toBe(judgeCoverage(table.at(row), NOW));
});

test('a device without a status is unknown', () => {
  expect(judgeCoverage({ id: 'z', probe: {}, sites: [], sources: [], available: {} }, NOW)).toBe(
    'unknown',
  );
});

const seen = (intent: IntentState, times: Pick<ObservedFact, 'value' | 'firstAt' | 'lastAt'>) =>
  aMemory([intent], {
    sightings: new Map([
      [sightingKey(ONLINE_AGAIN, intent.id), { ...times, since: times.lastAt, times: 1 }],
    ]),
  });

test.each([
  ['B8 once', 'once', 0, true],
  ['B8 twice, nine minutes apart', 'twice', 9, true],
  ['B8 twice, ten minutes apart', 'twice', 10, false],
] as const)('an unverified device that was read online %s', (_, value, minutes, held) => {
  const intent = anIntent('z', { verdict: 'unverified' });
  const firstAt = NOW - 20 * MINUTE;
  const memory = seen(intent, { value, firstAt, lastAt: firstAt + minutes * MINUTE });
  expect(heldDown(memory, aDevice('z'), { facts: () => ({}), now: NOW })).toBe(held);
});

test('B8 what was seen after one intent says nothing about a later one', () => {
  const [old, later] = [
    anIntent('z', { id: 'old', verdict: 'unverified' }),
    anIntent('z', { id: 'later', verdict: 'unverified', settledAt: NOW - MINUTE }),
  ];
  const { sightings = new Map() } = seen(old, { value: 'twice', firstAt: 0, lastAt: NOW });
  const memory = aMemory([old, later], { sightings });
  expect(heldDown(memory, aDevice('z'), { facts: () => ({}), now: NOW })).toBe(true);
});

const unverified = (fields: Partial<IntentState> = {}) =>
  anIntent('z', { verdict: 'unverified', ...fields });
const AT_TARGET = { firmwareVersion: '11.11.73' };

const HELD: readonly [string, IntentState, Partial<Device>, Facts, boolean][] = [
  ['an intent is open', anOpenIntent('z', { phase: 'open' }), {}, {}, true],
  ['an intent is running', anOpenIntent('z'), {}, {}, true],
  ['an intent is in doubt', anOpenIntent('z', { phase: 'inDoubt' }), {}, {}, true],
  ['a task ended well long ago', anIntent('z'), {}, {}, false],
  ['a task failed long ago', anIntent('z', { verdict: 'failed' }), {}, {}, false],
  ['a task was verified just now', anIntent('z', { settledAt: NOW }), {}, {}, false],
  [
    'it was onboarded just now',
    anIntent('z', { task: 'onboardDevice', settledAt: NOW }),
    {},
    {},
    false,
  ],
  [
    'an onboarding is unverified, and it is listed',
    unverified({ task: 'onboardDevice' }),
    {},
    {},
    false,
  ],
  ['an upgrade is unverified', unverified(), {}, {}, true],
  ['an unverified upgrade shows its target', unverified(), AT_TARGET, {}, false],
  [
    'it shows its target, but is partial',
    unverified(),
    { ...AT_TARGET, status: 'partial' },
    {},
    true,
  ],
  [
    'a restart is unverified, and it was seen since',
    unverified({ task: 'restartDevice' }),
    {},
    {},
    false,
  ],
  [
    'a restart is unverified, and it was not seen since',
    unverified({ task: 'restartDevice' }),
    { lastSeen: 0 },
    {},
    true,
  ],
  ['a rotation is unverified', unverified({ task: 'rotatePassword', marker: 'm1' }), {}, {}, true],
  [
    'the password is the old one',
    unverified({ task: 'rotatePassword', marker: 'm1' }),
    {},
    { passwords: { marker: 'm1' } },
    true,
  ],
  [
    'the password moved',
    unverified({ task: 'rotatePassword', marker: 'm1' }),
    {},
    { passwords: { marker: 'm2', changedAt: NOW } },
    false,
  ],
  [
    'the certificate moved',
    unverified({ task: 'rotateSslCertificate', marker: 'm1' }),
    {},
    { certificates: { fingerprint: 'm2' } },
    false,
  ],
];

test.each(HELD)('%s: the ledger holds it down or not', (_, ...given) => {
  const [intent, fields, facts, down] = given;
  const sight = { facts: () => facts, now: NOW };
  expect(heldDown(aMemory([intent]), aDevice('z', fields), sight)).toBe(down);
});

test('a task that ended well after an unverified one brings the device back', () => {
  const later = anIntent('z', { task: 'restartDevice', settledAt: NOW - 60 * MINUTE });
  const sight = { facts: () => ({}), now: NOW };
  expect(heldDown(aMemory([unverified(), later]), aDevice('z'), sight)).toBe(false);
});
