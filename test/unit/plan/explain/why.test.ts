import { expect, test } from 'vitest';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { OnboardingPolicy } from '../../../../src/model/documents/policy.ts';
import { plan, type PlannerInput } from '../../../../src/plan/plan.ts';
import { why } from '../../../../src/plan/explain/why.ts';
import { DEFAULT_ROLLOUT } from '../../../../src/model/documents/rollout-defaults.ts';
import { INPUTS } from '../../../support/plan-change.ts';
import {
  A_ROLLOUT,
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anIntent,
  entries,
  someDocuments,
  sourced,
} from '../../../support/plan-fleet.ts';

const FACTS = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
const HIGH = aFirmwarePolicy('high', { priority: 600, rollout: 'one' });
const LOW = aFirmwarePolicy('low');
const OTHER = aFirmwarePolicy('other', { select: { vendor: ['Axis'], model: ['Q*'] } });
const ONBOARDING: OnboardingPolicy = {
  section: 'onboarding',
  task: 'onboardDevice',
  address: 'onboarding.hq',
  priority: 500,
  windows: ['anytime'],
  select: { vendor: ['Axis'] },
  devices: [],
  blockVendors: [],
  maxPerDay: 25,
  expectWithin: 14 * 86_400_000,
  onDuplicate: 'error',
  after: ['rotatePassword', 'upgradeFirmware'],
};
const EXCLUDED = {
  type: 'exclude',
  select: { device: ['excluded'] },
  tasks: ['upgradeFirmware'],
  until: NOW + 1,
  notice: 0,
  reason: 'shared login',
  owner: 'ops',
  ticket: 'OPS-9',
} as const;

function input(...devices: readonly Device[]): PlannerInput {
  return {
    documents: someDocuments({
      firmware: entries({ high: HIGH, low: LOW, other: OTHER }),
      onboarding: entries({ hq: ONBOARDING }),
      rollouts: entries({ one: A_ROLLOUT }),
      exceptions: entries({ bay: EXCLUDED }),
    }),
    snapshot: aSnapshot(devices, {
      discovered: [{ id: 'disc-1', vendor: 'Axis', onboardingStatus: 'archived' }],
      facts: () => FACTS,
    }),
    memory: aMemory([anIntent('dev-1', { target: '11.9.60' })]),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 1,
  };
}

const firmwareOf = (asked: PlannerInput, id: string) =>
  why(asked, id).tasks.find(({ task }) => task === 'upgradeFirmware');
const stepsOf = (asked: PlannerInput, id: string) =>
  firmwareOf(asked, id)?.steps.map(({ code, verdict }) => `${code} ${verdict}`);

test('it names the winner, the losers, and who does not select the device and why not', () => {
  const found = firmwareOf(input(aDevice('dev-1')), 'dev-1');
  expect(found?.winner).toMatchObject({ at: { policy: 'firmware.high' }, priority: 600 });
  expect(found?.losers).toMatchObject([{ at: { policy: 'firmware.low' }, priority: 500 }]);
  expect(found?.others).toMatchObject([{ at: { policy: 'firmware.other' }, clause: 'model' }]);
});

test('of a list that names a discovered device, it names the entry that another value keeps from it', () => {
  const base = input();
  const listed = { id: 'disc-1', site: 'nowhere', at: sourced('', 0).at };
  const { select: _, ...unselecting } = ONBOARDING;
  const entriesOf = (policy: OnboardingPolicy) =>
    why(
      { ...base, documents: { ...base.documents, onboarding: entries({ hq: policy }) } },
      'disc-1',
    )
      .tasks.find(({ task }) => task === 'onboardDevice')
      ?.others.map(({ clause }) => clause);
  expect(entriesOf({ ...unselecting, devices: [listed] })).toEqual([
    'devices (id=disc-1, site=nowhere)',
  ]);
  expect(entriesOf({ ...unselecting, devices: [{ ...listed, id: 'disc-2' }] })).toEqual([
    'devices',
  ]);
  expect(entriesOf({ ...ONBOARDING, select: { vendor: ['Bosch'] } })).toEqual(['select']);
});

test('a device that runs passed every step', () => {
  const steps = stepsOf(input(aDevice('dev-1')), 'dev-1');
  expect(steps?.at(-1)).toBe('act bites');
  expect(steps?.slice(0, -1).every((step) => step.endsWith(' passed'))).toBe(true);
});

test('steps after the one that bites were not reached', () => {
  const steps = stepsOf(input(aDevice('excluded')), 'excluded');
  expect(steps?.slice(5, 8)).toEqual(['hold passed', 'exclude bites', 'pinned notReached']);
  expect(steps?.slice(-2)).toEqual(['budgetExhausted notReached', 'act notReached']);
});

test('a refused share is the step that bit', () => {
  const steps = stepsOf(input(aDevice('a'), aDevice('b')), 'b');
  expect(steps?.slice(-2)).toEqual(['budgetExhausted bites', 'act notReached']);
});

test('exceptions come with all that stands in them', () => {
  const found = firmwareOf(input(aDevice('excluded')), 'excluded');
  const { type, reason, owner, ticket } = EXCLUDED;
  expect(found?.exemptions).toMatchObject([
    { name: 'bay', type, reason, owner, ticket, effective: true },
  ]);
  expect(found?.result).toMatchObject({ action: 'skip', reason: { code: 'exclude' } });
});

test('what was read and what is remembered is told', () => {
  const answer = why(input(aDevice('dev-1')), 'dev-1');
  expect(answer).toMatchObject({ standing: 'managed', evaluatedAt: NOW, readAt: NOW });
  expect(answer.observed).toMatchObject({
    status: 'online',
    firmwareVersion: '11.8.61',
    sites: 'HQ Berlin',
    approved: '11.11.73',
  });
  const found = firmwareOf(input(aDevice('dev-1')), 'dev-1');
  expect(found?.past).toMatchObject([{ target: '11.9.60', verdict: 'done' }]);
  expect(found?.needs.map(({ read }) => read)).toEqual(['targetFirmware']);
});

test('a device that is right as it is says so', () => {
  const found = firmwareOf(input(aDevice('dev-1', { firmwareVersion: '11.11.73' })), 'dev-1');
  expect(found?.result).toMatchObject({ action: 'note', reason: { code: 'alreadyConverged' } });
});

test('values that were left out are told as they hold, values that were written are not', () => {
  const written = { ...sourced('high', HIGH), places: new Map([['/priority', sourced('', 0).at]]) };
  const asked = input(aDevice('dev-1'));
  const documents = { ...asked.documents, firmware: new Map([['high', written]]) };
  expect(firmwareOf({ ...asked, documents }, 'dev-1')?.defaults).toEqual({
    rollout: 'one',
    deferral: '0s',
    downgrade: 'forbid',
    path: 'auto',
    restAtIntermediate: 'allow',
  });
});

test('a task that no policy wants says so', () => {
  const tasks = why(input(aDevice('dev-1')), 'dev-1').tasks;
  expect(tasks.map(({ task }) => task)).not.toContain('onboardDevice');
  const rotation = tasks.find(({ task }) => task === 'rotatePassword');
  expect(rotation).toMatchObject({ steps: [{ code: 'notSelected', verdict: 'bites' }], needs: [] });
  expect(rotation?.winner).toBeUndefined();
});

test('a discovered device has one task', () => {
  const answer = why(input(), 'disc-1');
  expect(answer).toMatchObject({
    standing: 'discovered',
    observed: { onboardingStatus: 'archived' },
  });
  expect(answer.tasks).toMatchObject([
    { task: 'onboardDevice', result: { action: 'skip', reason: { why: 'archived' } } },
  ]);
});

test('an id that the service does not show has none', () => {
  expect(why(input(), 'nobody')).toMatchObject({
    standing: 'unknown',
    device: { id: 'nobody' },
    tasks: [],
  });
});

test('N86 a device of a later wave starts when the plan says that its wave does', () => {
  const fleet = input(...Array.from({ length: 12 }, (_, n) => aDevice(`cam-${n + 1}`)));
  const rollouts = entries({ one: DEFAULT_ROLLOUT });
  const asked = { ...fleet, documents: { ...fleet.documents, rollouts } };
  const { dates = [], changes } = plan(asked).plan;
  const [mine] = dates;
  expect(mine?.waves.length).toBeGreaterThan(1);
  for (const { name, starts } of mine?.waves ?? []) {
    const ofWave = [...changes].filter(({ wave, action }) => wave === name && action === 'wait');
    const found = ofWave.map(({ device }) => firmwareOf(asked, device.id)?.result?.starts ?? '');
    expect(found.toSorted()[0]).toBe(starts);
  }
});

test('N86 while not all of a policy is read, nothing says when a device of it starts', () => {
  const read = (id: string) => (id === 'cam-1' ? FACTS : {});
  const asked = input(aDevice('cam-1'), aDevice('cam-2'));
  const partly = { ...asked, snapshot: { ...asked.snapshot, facts: read } };
  expect(firmwareOf(asked, 'cam-1')?.result?.starts).toBeDefined();
  expect(firmwareOf(partly, 'cam-1')?.result?.starts).toBeUndefined();
});

test('N86 a budget that keeps a later wave is the reason, and the step that decides', () => {
  const away = { sites: [{ id: 's2', name: 'Store Oslo' }] };
  const asked = input(
    aDevice('canary'),
    ...['a', 'b', 'c'].map((id) => aDevice(id, away)),
    ...['d', 'e', 'f'].map((id) => aDevice(id, { ...away, status: 'offline' })),
  );
  const select = { site: { name: ['HQ Berlin'] } };
  const waves = [
    { name: 'canary', slice: { is: 'select', select } as const, stratify: [], soak: 0 },
    ...A_ROLLOUT.waves,
  ];
  const rollouts = entries({ one: { ...DEFAULT_ROLLOUT, waves } });
  const documents = { ...asked.documents, rollouts };
  const planned = [...plan({ ...asked, documents }).plan.changes].find(
    ({ device }) => device.id === 'a',
  );
  expect(planned?.reason).toMatchObject({ code: 'budgetExhausted', next: 'never' });
  const found = firmwareOf({ ...asked, documents }, 'a');
  expect(found?.result?.reason).toEqual(planned?.reason);
  expect(found?.steps.slice(-2)).toMatchObject([
    { code: 'budgetExhausted', verdict: 'bites', why: 'downAlready' },
    { code: 'act', verdict: 'notReached' },
  ]);
  expect(found?.steps.filter(({ verdict }) => verdict === 'bites')).toHaveLength(1);
});
