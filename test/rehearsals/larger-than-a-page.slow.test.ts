import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import { runOnce } from '../support/rehearsal.ts';
import { createWorld, type Script } from '../support/rehearsal-world.ts';

/** More device tasks than the service shows in a page. */
const DEVICES = 1_012;

const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000}
  dialect: {maxDevicesPerTask: 1500}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: 1500}
  default-storage-server: {per: storageServer, maxInFlight: 1500}
guardrails: {default: {maxPercentOfFleet: 100%}}
rollouts:
  at-once: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 1500, batch: 1500}
firmware:
  p32: {select: {model: P3245-LVE}, version: "11.11.160", rollout: at-once, windows: anytime}
`;

const SCRIPT: Script = {
  about: 'one device first, then all others in one task',
  devices: DEVICES,
  sites: 1,
  every: {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    tasks: ['upgradeFirmware'],
    maintenance: false,
  },
  dialect: { maxDevicesPerTask: 1_500 },
  runs: [{}],
};

describe('a task of more devices than a page shows', () => {
  it('is read whole, and each device of it is verified', async () => {
    const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);
    if (!documents) throw new Error(JSON.stringify(diagnostics));
    const world = createWorld(SCRIPT);
    const rehearsal = { name: 'larger-than-a-page', script: SCRIPT, documents };
    const { report } = await runOnce(rehearsal, world, { process: 1 });
    expect(report?.counts).toMatchObject({ verified: DEVICES, skipped: 0 });
    const sizes = world.twin.world.state.tasks.map(({ deviceTasks }) => deviceTasks.length);
    expect(sizes).toEqual([1, DEVICES - 1]);
  });
});
