import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import type { FaultRule } from '../../src/twin/faults/fault.ts';
import type { StopPoint } from '../support/effects.ts';
import { runOnce } from '../support/rehearsal.ts';
import { createWorld, pass, type RehearsalWorld, type Script } from '../support/rehearsal-world.ts';

/** What one task has after the single device with which a task type begins, and what the fleet has. */
const IN_TASK = 2_500;
const DEVICES = 5_000;

const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000}
  dialect: {maxDevicesPerTask: ${IN_TASK}}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: ${DEVICES}}
  default-storage-server: {per: storageServer, maxInFlight: ${DEVICES}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: ${DEVICES}}}
rollouts:
  at-once: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: ${DEVICES}, batch: ${IN_TASK}}
firmware:
  p32: {select: {model: P3245-LVE}, version: "11.11.160", rollout: at-once, windows: anytime}
`;

const SCRIPT: Omit<Script, 'about'> = {
  devices: DEVICES,
  sites: 5,
  every: {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    tasks: ['upgradeFirmware'],
    maintenance: false,
  },
  dialect: { maxDevicesPerTask: IN_TASK },
  runs: [{}],
};

const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);

function worldWith(faults: readonly FaultRule[] = []): RehearsalWorld {
  const world = createWorld({ about: 'a task of three pages', ...SCRIPT, faults });
  for (const device of world.twin.world.state.devices.slice(IN_TASK + 1)) device.model = 'Q6135-LE';
  return world;
}

/** One process; a killed one has no report. */
async function runIn(world: RehearsalWorld, process: number, stopAt?: StopPoint) {
  if (!documents) throw new Error('documents with errors');
  const rehearsal = { name: 'larger-than-a-page', script: { about: '', ...SCRIPT }, documents };
  const { report } = await runOnce(rehearsal, world, { process, ...(stopAt && { stopAt }) });
  return report;
}

/** The sizes of all tasks that the service got, none of which has a device of another. */
function tasksOf({ twin }: RehearsalWorld): readonly number[] {
  const { tasks } = twin.world.state;
  const devices = tasks.flatMap(({ deviceTasks }) => deviceTasks.map(({ deviceId }) => deviceId));
  expect(new Set(devices).size).toBe(devices.length);
  return tasks.map(({ deviceTasks }) => deviceTasks.length);
}

/** Pages overlap by five rows. */
const page = (offset: number) => ({ endpoint: 'getTask', query: `offset=${offset}` }) as const;
const rows = (change: 'repeat' | 'drop' | 'foreign', count: number) =>
  ({ type: 'rows', change, count, keepTotal: true }) as const;

/** Something else is wrong with each of the first polls, and the list of devices moves between its pages. */
const TROUBLES: readonly FaultRule[] = [
  ...[1, 3, 5].map((nth): FaultRule => {
    const fault = { type: 'churn', list: 'devices', change: 'reorder', rows: 40 } as const;
    return { match: { endpoint: 'listDevices', nth }, fault };
  }),
  { match: { ...page(995), nth: 1 }, fault: { type: 'truncated' } },
  { match: { ...page(995), nth: 2 }, fault: rows('repeat', 9) },
  { match: { ...page(1_990), nth: 2 }, fault: { type: 'page', by: -7 } },
  { match: { ...page(1_990), nth: 3 }, fault: rows('drop', 9) },
];

describe('T40 X9 a task of 2,500 devices in a fleet of 5,000, on three pages', () => {
  it('is read whole behind pages that are torn, short, and have rows twice', async () => {
    const world = worldWith(TROUBLES);
    const report = await runIn(world, 1);
    expect(report?.counts).toMatchObject({ verified: IN_TASK + 1, skipped: 0 });
    expect(tasksOf(world)).toEqual([1, IN_TASK]);
  });

  it('with a device of others on its third page is read to its end, and the device is named', async () => {
    const world = worldWith([{ match: { ...page(1_990), nth: 1 }, fault: rows('foreign', 1) }]);
    const report = await runIn(world, 1);
    expect(report?.anomalies.join(' ')).toContain('foreignDevices');
    expect(report?.counts).toMatchObject({ verified: IN_TASK + 1 });
    expect(tasksOf(world)).toEqual([1, IN_TASK]);
  });

  it('is resumed, and sent to no device again, by runs that are killed before its answer and half-way', async () => {
    const world = worldWith();
    await runIn(world, 1, { what: 'POST /v1/tasks', n: 2, when: 'after' });
    expect(tasksOf(world)).toEqual([1, IN_TASK]);
    pass(world, { after: '2h' });
    await runIn(world, 2, { n: 1_500, when: 'after' });
    const report = await runIn(world, 3);
    expect(report?.counts.inDoubt).toBe(0);
    expect(report?.attempts).toBe(0);
    expect(tasksOf(world)).toEqual([1, IN_TASK]);
    const records = world.store.records.map(({ body }) => body);
    const settled = records.flatMap((body) => (body.type === 'SETTLED' ? [body.intentId] : []));
    expect(new Set(settled).size).toBe(IN_TASK + 1);
    expect(settled).toHaveLength(IN_TASK + 1);
  });
});
