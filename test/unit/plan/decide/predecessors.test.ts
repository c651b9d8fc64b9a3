import { expect, test } from 'vitest';
import { basisNow, recheck } from '../../../../src/apply/send/recheck.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { IntentState, Memory } from '../../../../src/model/ledger/memory.ts';
import { plan } from '../../../../src/plan/plan.ts';
import { atWork, type AtWork } from '../../../support/last-look.ts';
import { madeOnce, readScenario } from '../../../support/plan-scenario.ts';

const DONE = readScenario('470-K28-K29-what-is-done-lets-the-cameras-of-its-site-start');
const LEFT_OUT = readScenario('471-K29-what-is-left-out-is-said');

/** The last look at the first camera of a site after something has happened since the reading. */
function lookAt({ run, survey, candidates }: AtWork, id: string) {
  const candidate = candidates.find(({ change }) => change.device.id === id);
  if (!candidate) throw new Error(`${id} may not start`);
  const { devices, facts } = survey.snapshot;
  const device = devices.at(devices.rowOf(id) ?? -1);
  const followed = run.reading.followNow();
  const predecessors = run.reading.predecessorsNow(followed);
  const basis = basisNow(run, {
    outages: run.reading.outagesNow(),
    schedule: run.reading.schedule,
    followed,
    ...(predecessors && { predecessors }),
  });
  const found = recheck(run, candidate, { basis, seen: { device, facts: facts(id) } });
  return found.is === 'holds' ? 'starts' : found.said.reason?.code;
}

function deviceIn({ survey }: AtWork, id: string): Device {
  const { devices } = survey.snapshot;
  return devices.at(devices.rowOf(id) ?? -1);
}

test('a camera starts whose recorder is still done (semantics K28)', async () => {
  const work = await atWork(DONE);
  expect(lookAt(work, 'arrived-cam-1')).toBe('starts');
});

test('a recorder that was read again with another version holds its site (semantics K28)', async () => {
  const work = await atWork(DONE);
  work.run.reading.keep({ ...deviceIn(work, 'arrived-rec-1'), firmwareVersion: '5.1.0' });
  expect(lookAt(work, 'arrived-cam-1')).toBe('orderPending');
  expect(lookAt(work, 'verified-cam-1')).toBe('starts');
});

test.each([
  ['runs', { phase: 'running' }],
  ['is in doubt', { phase: 'inDoubt' }],
] as const)('a recorder whose task %s by now holds its site (semantics K29)', async (_, state) => {
  const work = await atWork(DONE);
  const { memory } = work.run.journal;
  const policy = 'firmware.recorders';
  const past = { task: 'upgradeFirmware', policy, target: '5.2.0', attemptId: 'x.1' } as const;
  const intent = { ...past, device: 'arrived-rec-1', attemptedAt: 0, ...state } as IntentState;
  const intentsOf: Memory['intentsOf'] = (device, task) =>
    device === 'arrived-rec-1' && task !== 'rotatePassword'
      ? [intent]
      : memory.intentsOf(device, task);
  Object.assign(work.run.journal, {
    memory: Object.create(memory, { intentsOf: { value: intentsOf } }),
  });
  expect(lookAt(work, 'arrived-cam-1')).toBe('orderPending');
});

test('a recorder that was left out as offline holds its site once no list shows it as down', async () => {
  const { input, planned } = await madeOnce(LEFT_OUT);
  const ask = (isDown: boolean) => {
    const followed = planned.follow?.(input) ?? new Map();
    const predecessors = planned.precede?.({ ...input, followed, isDown: () => isDown });
    const policy = input.documents.firmware.get('cameras')?.value;
    const site = input.snapshot.devices.at(input.snapshot.devices.rowOf('gone-cam-1') ?? -1).sites;
    return policy && predecessors?.holding(policy, [site[0]?.id ?? ''])?.before.holds.length;
  };
  expect([ask(true), ask(false)]).toEqual([undefined, 1]);
});

test('an inconsistent list of devices holds all that comes after others (semantics K29)', async () => {
  const { input } = await madeOnce(DONE);
  const torn = plan({ ...input, snapshot: { ...input.snapshot, confidence: 'torn' } });
  const cameras = [...torn.plan.changes].filter(({ policy }) => policy === 'firmware.cameras');
  expect(new Set(cameras.map(({ reason: { code, why } }) => `${code} ${why}`))).toEqual(
    new Set(['orderPending listTorn']),
  );
});
