import type { Membership } from '../../../src/model/documents/selector.ts';
import { expect, test } from 'vitest';
import { judge } from '../../../src/guard/guard.ts';
import type { Change } from '../../../src/model/plan/change.ts';
import type { Allowed, Exception } from '../../../src/model/documents/exception.ts';
import type { Guardrail } from '../../../src/model/documents/policy.ts';
import type { GuardInput } from '../../../src/guard/guard.ts';
import { policyDigest } from '../../../src/model/plan/policy-digest.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';
import { aChange } from '../../support/plan-change.ts';

const POLICY = aFirmwarePolicy('lts');

interface Fleet {
  /** Devices at each site: `s1`, `s2` and so on. */
  readonly sites: readonly number[];
  /** Which of them have a change, by number. */
  readonly changed: readonly number[];
  readonly guardrails?: Readonly<Record<string, Guardrail>>;
  readonly exceptions?: Readonly<Record<string, Exception>>;
  readonly changes?: readonly Change[];
  readonly rest?: Partial<GuardInput>;
}

/**
 * What guardrails say of a fleet, shortest form: `limit number/allowed`, and `!` where it is
 * refused.
 */
function verdicts({ sites, changed, guardrails = {}, exceptions = {}, changes, rest = {} }: Fleet) {
  const devices = sites
    .flatMap((count, site) =>
      Array.from({ length: count }, () => ({ id: `s${site + 1}`, name: `Site ${site + 1}` })),
    )
    .map((site, index) => aDevice(idOf(index), { sites: [site] }));
  return judge({
    documents: someDocuments({
      guardrails: entries(guardrails),
      exceptions: entries(exceptions),
      firmware: entries({ lts: POLICY }),
    }),
    snapshot: aSnapshot(devices, {
      sites: sites.map((_, n) => ({ id: `s${n + 1}`, name: `Site ${n + 1}` })),
    }),
    memory: aMemory(),
    changes: changes ?? changed.map((index) => aChange(idOf(index))),
    now: NOW,
    members:
      ({ device }) =>
      (row) =>
        device?.includes(idOf(row)) === true,
    ...rest,
  });
}

const text = (fleet: Fleet): readonly string[] =>
  verdicts(fleet).map(
    ({ limit, number, allowed, passed, scope }) =>
      `${limit}${scope ? ` at ${scope}` : ''} ${number}/${allowed}${passed ? '' : '!'}`,
  );

const idOf = (index: number): string => `dev-${String(index).padStart(3, '0')}`;
const first = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

type Raised = Exception & { type: 'allow' } & Allowed & { allow: 'guardrail' };

const allow = (fields: Partial<Raised> = {}): Exception => ({
  type: 'allow',
  allow: 'guardrail',
  guardrail: 'maxPercentOfFleet',
  value: 60,
  tasks: TASK_TYPES,
  until: NOW + 1,
  notice: 0,
  reason: 'move',
  owner: 'secops',
  ticket: 'CHG-1',
  ...fields,
});

test('G1 the built-in limit sleeps at 20 devices, holds at 21, and never refuses ten', () => {
  expect(text({ sites: [20], changed: first(20) })).toEqual(['maxPercentOfFleet 20/20']);
  for (const fleet of [21, 25, 29, 33]) {
    expect(text({ sites: [fleet], changed: first(10) })).toEqual(['maxPercentOfFleet 10/10']);
    expect(text({ sites: [fleet], changed: first(11) })).toEqual(['maxPercentOfFleet 11/10!']);
  }
  expect(text({ sites: [40], changed: first(13) })).toEqual(['maxPercentOfFleet 13/12!']);
});

test('exactly at the limit passes, one more does not', () => {
  expect(text({ sites: [40], changed: first(12) })).toEqual(['maxPercentOfFleet 12/12']);
  expect(text({ sites: [40], changed: first(13) })).toEqual(['maxPercentOfFleet 13/12!']);
});

test('G3 a percent rounds up, to at least 1 unless it is written 0', () => {
  const only = (percent: number) => ({ only: { maxPercentOfFleet: percent }, default: {} });
  expect(text({ sites: [7], changed: first(3), guardrails: only(30) })).toEqual([
    'maxPercentOfFleet 3/3',
  ]);
  expect(text({ sites: [7], changed: first(1), guardrails: only(1) })).toEqual([
    'maxPercentOfFleet 1/1',
  ]);
  expect(text({ sites: [7], changed: first(1), guardrails: only(0) })).toEqual([
    'maxPercentOfFleet 1/0!',
  ]);
});

test('a written limit holds in a fleet of any size', () => {
  const guardrails = { default: { maxPercentOfFleet: 30 } };
  expect(text({ sites: [10], changed: first(4), guardrails })).toEqual(['maxPercentOfFleet 4/3!']);
});

test('an entry called default replaces the built-in one, any other stands beside it', () => {
  const changed = first(25);
  expect(text({ sites: [50], changed, guardrails: { default: { maxChanges: 99 } } })).toEqual([
    'maxChanges 25/99',
  ]);
  expect(text({ sites: [50], changed, guardrails: { more: { maxChanges: 9 } } })).toEqual([
    'maxPercentOfFleet 25/15!',
    'maxChanges 25/9!',
  ]);
});

test('G6 all limits are judged and reported, with the place of the entry', () => {
  const limits = { maxPercentOfFleet: 50, maxChanges: 2, maxPercentOfSite: 50, maxSitesAtOnce: 1 };
  const found = verdicts({ sites: [4, 4], changed: [0, 1, 2, 4], guardrails: { default: limits } });
  expect(
    found.map(({ limit, number, allowed, passed }) => [limit, number, allowed, passed]),
  ).toEqual([
    ['maxPercentOfFleet', 4, 4, true],
    ['maxChanges', 4, 2, false],
    ['maxPercentOfSite', 3, 2, false],
    ['maxSitesAtOnce', 2, 1, false],
  ]);
  expect(found.every(({ at }) => at?.file === 'fleet/test.yaml')).toBe(true);
});

test('a limit for each site names every site over it, or the fullest', () => {
  const guardrails = { default: { maxPercentOfSite: 50 } };
  const sites = [2, 2, 4];
  expect(text({ sites, changed: [0, 1, 2, 3, 4], guardrails })).toEqual([
    'maxPercentOfSite at Site 1 2/1!',
    'maxPercentOfSite at Site 2 2/1!',
  ]);
  expect(text({ sites, changed: [0, 4], guardrails })).toEqual(['maxPercentOfSite at Site 1 1/1']);
  expect(text({ sites, changed: [], guardrails })).toEqual(['maxPercentOfSite 0/0']);
});

test('G2 what waits counts as what runs does; what is skipped does not', () => {
  const changes = (['run', 'wait', 'skip'] as const).map((action, index) =>
    aChange(idOf(index), { action }),
  );
  const guardrails = { default: { maxChanges: 9 } };
  expect(text({ sites: [3], changed: [], changes, guardrails })).toEqual(['maxChanges 2/9']);
});

test('a device with two changes is one device and two changes', () => {
  const changes = [aChange(idOf(0)), aChange(idOf(0), { task: 'rotatePassword' })];
  const guardrails = { default: { maxPercentOfFleet: 30, maxChanges: 9 } };
  expect(text({ sites: [3], changed: [], changes, guardrails })).toEqual([
    'maxPercentOfFleet 1/1',
    'maxChanges 2/9',
  ]);
});

test('G2 what a running rollout covers is not counted, a later device is', () => {
  const covered = (policy: string, digest: string) =>
    new Set(policy === POLICY.address && digest === policyDigest(POLICY) ? [idOf(0), idOf(1)] : []);
  const rest = { memory: aMemory([], { covered }) };
  expect(text({ sites: [30], changed: first(3), rest })).toEqual(['maxPercentOfFleet 1/10']);
});

test('G8 what falls due again is counted each time, whatever a rollout covers', () => {
  const moving = { ...POLICY, version: { is: 'approved' } } as const;
  const documents = someDocuments({ firmware: entries({ lts: moving }) });
  const covered = (_: string, digest: string) =>
    new Set(digest === policyDigest(moving) ? [idOf(0), idOf(1)] : []);
  const rest = { documents, memory: aMemory([], { covered }) };
  expect(text({ sites: [30], changed: first(3), rest })).toEqual(['maxPercentOfFleet 3/10']);
});

test('a device to be onboarded is a change, and no part of the fleet yet', () => {
  const changes = [aChange('disc-1', { task: 'onboardDevice' })];
  const guardrails = { default: { maxPercentOfFleet: 0, maxChanges: 9 } };
  expect(text({ sites: [3], changed: [], changes, guardrails })).toEqual([
    'maxPercentOfFleet 0/0',
    'maxChanges 1/9',
  ]);
});

test('G4 only allow raises a limit, only to its value', () => {
  const fleet = { sites: [100], exceptions: { move: allow() } };
  expect(text({ ...fleet, changed: first(60) })).toEqual(['maxPercentOfFleet 60/60']);
  expect(text({ ...fleet, changed: first(61) })).toEqual(['maxPercentOfFleet 61/60!']);
  expect(verdicts({ ...fleet, changed: first(60) })[0]?.raisedBy?.policy).toBe('exceptions.move');
  expect(verdicts({ ...fleet, changed: first(30) })[0]?.raisedBy).toBeUndefined();
});

const NOT_RAISED: readonly [string, Partial<Raised>][] = [
  ['it ended', { until: NOW }],
  ['it names another limit', { guardrail: 'maxChanges' }],
  ['it is for another task', { tasks: ['rotatePassword'] }],
  ['its value is lower', { value: 10 }],
  ['it selects other devices', { select: { device: ['other'] } }],
];

test.each(NOT_RAISED)('G4 an allow raises nothing when %s', (_, fields) => {
  const exceptions = { move: allow(fields) };
  expect(text({ sites: [100], changed: first(40), exceptions })).toEqual([
    'maxPercentOfFleet 40/30!',
  ]);
});

test('M20 an allow raises nothing for a device that it only may select', () => {
  const exceptions = { move: allow({ select: { firmwareVersion: ['<5'] } }) };
  const fleet = { sites: [100], changed: first(40), exceptions };
  const raised = (told: Membership) => text({ ...fleet, rest: { members: () => () => told } });
  expect(raised(true)).toEqual(['maxPercentOfFleet 40/60']);
  expect(raised('maybe')).toEqual(['maxPercentOfFleet 40/30!']);
});

test('a raised limit is for the devices it selects, the others keep to the written one', () => {
  const select = { device: first(40).map(idOf) };
  const exceptions = { move: allow({ select }) };
  expect(text({ sites: [100], changed: first(60), exceptions })).toEqual([
    'maxPercentOfFleet 60/60',
  ]);
  expect(text({ sites: [100], changed: first(75), exceptions })).toEqual([
    'maxPercentOfFleet 35/30!',
  ]);
});

test.each([
  { allow: 'singleton' },
  { allow: 'skipCanary' },
  { allow: 'gate', rollout: 'default', wave: 'early' },
] as const)('G5 %j raises no limit', (opens) => {
  const { guardrail: _, value: __, allow: ___, ...about } = allow() as Raised;
  const exceptions = { move: { ...about, ...opens } };
  expect(text({ sites: [100], changed: first(40), exceptions })).toEqual([
    'maxPercentOfFleet 40/30!',
  ]);
});
