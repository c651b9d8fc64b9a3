import { expect, test } from 'vitest';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { Change } from '../../../../src/model/plan/change.ts';
import { intersect } from '../../../../src/plan/compare/compare.ts';
import type { Planned } from '../../../../src/plan/plan.ts';
import { aChange, aPlan } from '../../../support/plan-change.ts';
import { aDevice, aMemory, anIntent, aSnapshot } from '../../../support/plan-fleet.ts';

interface Now {
  readonly changes?: readonly Change[];
  readonly managed?: readonly string[];
  readonly discovered?: readonly string[];
  readonly converged?: readonly string[];
  readonly past?: readonly IntentState[];
}

/** What became of approved changes, as `device: state`. */
function statesOf(approved: readonly Change[], now: Now): readonly string[] {
  const { changes = [], managed = ['dev-1', 'dev-2'], discovered = [], converged = [] } = now;
  const planned: Pick<Planned, 'plan' | 'noted'> = {
    plan: aPlan(changes),
    noted: (_, id) => (converged.includes(id) ? 'alreadyConverged' : undefined),
  };
  const snapshot = aSnapshot(
    managed.map((id) => aDevice(id)),
    { discovered: discovered.map((id) => ({ id })) },
  );
  return intersect(aPlan(approved), { ...planned, snapshot }, aMemory(now.past ?? [])).map(
    ({ approved: { device }, state }) => `${device.id}: ${state}`,
  );
}

const ONE = aChange('dev-1');

test('still wanted with the same precondition: same, whether it runs or waits', () => {
  expect(statesOf([ONE], { changes: [ONE] })).toEqual(['dev-1: same']);
  expect(statesOf([ONE], { changes: [aChange('dev-1', { action: 'wait' })] })).toEqual([
    'dev-1: same',
  ]);
});

const MOVED: readonly [string, Partial<Change>][] = [
  ['before', { before: { firmwareVersion: '11.9.60' } }],
  ['after', { after: { firmwareVersion: '12.1.4' } }],
  ['target', { target: '12.1.4' }],
  ['generation', { generation: 1 }],
  ['policy', { at: { ...ONE.at, policy: 'firmware.renamed' } }],
  ['payload', { payload: 'another' }],
  ['window zone', { window: { name: 'anytime', zone: 'Europe/Berlin' } }],
];

test.each(MOVED)('X12 stale as soon as its %s moved', (_, fields) => {
  expect(statesOf([ONE], { changes: [aChange('dev-1', fields)] })).toEqual(['dev-1: stale']);
});

test('N6 a value that could not be read shows no change: unreadable, not stale', () => {
  const reason = { code: 'unsupported', why: 'valueUnknown' } as const;
  const now = aChange('dev-1', { action: 'skip', reason, before: {}, after: {}, target: '' });
  expect(statesOf([ONE], { changes: [now] })).toEqual(['dev-1: unreadable']);
});

test('K25 right by now: converged; selected no more: left; not shown any more: gone', () => {
  const before = { firmwareVersion: '11.5.64' };
  const moved = aChange('dev-1', { before });
  expect(statesOf([moved], { converged: ['dev-1'] })).toEqual(['dev-1: converged']);
  expect(statesOf([ONE], {})).toEqual(['dev-1: left']);
  expect(statesOf([ONE], { managed: [] })).toEqual(['dev-1: gone']);
});

test('F3 nothing to do any more for a device that did not move: its target was withdrawn', () => {
  expect(statesOf([ONE], { converged: ['dev-1'] })).toEqual(['dev-1: stale']);
});

test('a device to be onboarded is converged once it is managed', () => {
  const onboard = aChange('disc-1', { task: 'onboardDevice' });
  expect(statesOf([onboard], { managed: ['disc-1'] })).toEqual(['disc-1: converged']);
  expect(statesOf([onboard], { discovered: ['disc-1'] })).toEqual(['disc-1: left']);
  expect(statesOf([onboard], {})).toEqual(['disc-1: gone']);
});

test('X12 what is new is never in it', () => {
  expect(statesOf([ONE], { changes: [ONE, aChange('dev-2')] })).toEqual(['dev-1: same']);
});

test.each([
  ['skip', 'run', ['dev-1: same', 'dev-2: stale']],
  ['note', 'run', ['dev-1: same', 'dev-2: stale']],
  ['skip', 'wait', ['dev-1: same', 'dev-2: stale']],
  ['skip', 'skip', ['dev-1: same']],
] as const)('X12 planned as %s and %s by now: stale once it may start', (before, now, states) => {
  const planned = aChange('dev-2', { action: before });
  const current = aChange('dev-2', { action: now });
  expect(statesOf([ONE, planned], { changes: [ONE, current] })).toEqual(states);
});

test('the change as it stands now comes with it', () => {
  const waits = aChange('dev-1', { action: 'wait', reason: { code: 'offline' } });
  const current = { plan: aPlan([waits]), diagnostics: [], noted: () => undefined };
  const [found] = intersect(aPlan([ONE]), { ...current, snapshot: aSnapshot([]) }, aMemory([]));
  expect(found).toEqual({ approved: ONE, state: 'same', current: waits });
});

test('N71 the next step of an approved upgrade: where our own verified steps led from there to here', () => {
  const first = aChange('dev-1', {
    before: { firmwareVersion: '7.0' },
    after: { firmwareVersion: '8.0', finalVersion: '9.0' },
    target: '8.0',
    marker: '7.0',
  });
  const second = aChange('dev-1', {
    before: { firmwareVersion: '8.0' },
    after: { firmwareVersion: '9.0' },
    target: '9.0',
    marker: '8.0',
  });
  const step = { target: '8.0', towards: '9.0', marker: '7.0', verdict: 'done' } as const;
  const stateOf = (change: Change, intent?: Partial<IntentState>): string | undefined =>
    statesOf([first], {
      changes: [change],
      past: intent ? [anIntent('dev-1', { ...step, ...intent })] : [],
    })[0];
  expect(stateOf(second, {})).toBe('dev-1: nextStep');
  // Another client or user made the first step, or it is not verified, or it began elsewhere.
  expect(stateOf(second)).toBe('dev-1: stale');
  expect(stateOf(second, { verdict: 'unverified' })).toBe('dev-1: stale');
  expect(stateOf(second, { marker: '6.0' })).toBe('dev-1: stale');
  // Another final version, policy or window is another outcome.
  const other = { after: { firmwareVersion: '9.1' }, target: '9.1' };
  expect(stateOf({ ...second, ...other }, {})).toBe('dev-1: stale');
  expect(stateOf({ ...second, at: { ...second.at, policy: 'firmware.b' } }, {})).toBe(
    'dev-1: stale',
  );
  expect(stateOf({ ...second, window: { name: 'nights' } }, {})).toBe('dev-1: stale');
});
