import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import { runOnce } from '../support/rehearsal.ts';
import { createWorld, type Script } from '../support/rehearsal-world.ts';

const DEVICES = 5_000;
const IN_TASK = 100;
/** One task with the single device with which a task type begins, and the others full. */
const TASKS = 1 + Math.ceil((DEVICES - 1) / IN_TASK);
const PAGES = 6;
/** At this pace the reads before a POST of a hundred devices fit into the age of a read. */
const PER_SECOND = 10;

const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: ${PER_SECOND}}
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

const SCRIPT: Script = {
  about: 'a fleet of six pages',
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
  runs: [{}],
};

/** The requests of a run over the whole fleet by what they ask, and how many devices it verified. */
async function countRequests() {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);
  if (!documents) throw new Error('documents with errors');
  const counts: Record<string, number> = {};
  const onEffect = (what: string): void => {
    const asked = what.replace(/(devices|tasks)\/[^/]+/, '$1/ID');
    counts[asked] = (counts[asked] ?? 0) + 1;
  };
  const how = { process: 1, pollEvery: 30_000, requestsPerSecond: PER_SECOND, onEffect };
  const rehearsal = { name: 'requests-of-a-run', script: SCRIPT, documents };
  const { report } = await runOnce(rehearsal, createWorld(SCRIPT), how);
  return { verified: report?.counts.verified, asked: (what: string) => counts[what] ?? 0 };
}

describe('X20 V1 N31 a run over 5,000 devices in tasks of a hundred', () => {
  it('makes hardly more requests than there can be', async () => {
    const { verified, asked } = await countRequests();
    expect(verified).toBe(DEVICES);
    expect(asked('POST /v1/tasks')).toBe(TASKS);
    // One poll after `pollEvery`, and few for each half of its devices.
    expect(asked('GET /v1/tasks/ID')).toBeLessThan(4 * TASKS);
    // Before each POST one read that only its own device answers, and the pages of all devices.
    expect(asked('GET /v1/devices/ID/targetFirmware')).toBeLessThan(1.01 * DEVICES);
    expect(asked('GET /v1/devices')).toBeLessThan(PAGES * TASKS);
    // One read by ID proves a device.
    expect(asked('GET /v1/devices/ID')).toBeLessThan(1.01 * DEVICES);
  });
});
