import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import type { Twin } from '../../src/twin/twin.ts';
import { runOnce } from '../support/rehearsal.ts';
import { createWorld, type RehearsalWorld, type Script } from '../support/rehearsal-world.ts';

/** How old the oldest read of a batch may be at its POST. */
const OLDEST_MS = 30_000;
const DEVICES = 7;

const FLEET = `service: {baseUrl: https://twin.test, organization: acme}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
rollouts: {at-once: {canary: none, waves: [{name: all, percent: 100%}]}}
firmware:
  p32: {select: {model: P3245-LVE}, version: "11.11.160", rollout: at-once, windows: anytime}
`;

/** A read of one device takes so long. */
function script(ms: number, devices = DEVICES): Script {
  return {
    about: 'a service that is slow to tell of a device',
    devices,
    sites: 1,
    every: {
      vendor: 'Axis',
      model: 'P3245-LVE',
      deviceType: 'camera',
      firmwareVersion: '11.11.124',
      condition: 'well',
      maintenance: false,
    },
    faults: [{ match: { endpoint: 'getDevice' }, fault: { type: 'latency', ms } }],
    runs: [{}],
  };
}

/** For each device of each POST: how long before it the device was last asked for, and how often by then. */
interface Sent {
  readonly size: number;
  readonly ages: readonly number[];
  readonly reads: number;
}

function watched(world: RehearsalWorld): { readonly world: RehearsalWorld; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const asked = new Map<string, number[]>();
  const handle = async (request: Request): Promise<Response> => {
    const now = world.clock.now();
    const { pathname } = new URL(request.url);
    const read = /^\/v1\/devices\/([^/]+)$/.exec(pathname)?.[1];
    if (read !== undefined) asked.set(read, [...(asked.get(read) ?? []), now]);
    if (request.method === 'POST' && pathname === '/v1/tasks') {
      const { devices } = (await request.clone().json()) as { devices: { deviceId: string }[] };
      const times = devices.map(({ deviceId }) => asked.get(deviceId) ?? []);
      sent.push({
        size: devices.length,
        ages: times.map((all) => now - (all.at(-1) ?? -Infinity)),
        reads: Math.max(...times.map((all) => all.length)),
      });
    }
    return world.twin.handle(request);
  };
  const twin: Twin = Object.create(world.twin, { handle: { value: handle } });
  return { world: { ...world, twin }, sent };
}

describe('at the POST', () => {
  it.each([100, 4_500, 7_000, 13_000, 29_000])(
    'every device of a batch was read at most half a minute ago, where a read takes %i ms',
    async (ms) => {
      const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);
      if (!documents) throw new Error('documents with findings');
      const { world, sent } = watched(createWorld(script(ms)));
      const rehearsal = { name: 'young-reads', script: script(ms), documents };
      const { report } = await runOnce(rehearsal, world, { process: 1 });
      expect(report?.counts.verified).toBe(DEVICES);
      expect(sent.reduce((sum, { size }) => sum + size, 0)).toBe(DEVICES);
      expect(Math.max(...sent.flatMap(({ ages }) => ages))).toBeLessThanOrEqual(OLDEST_MS);
    },
  );

  it('a batch that was too slow to read was made smaller, and read again', async () => {
    const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);
    if (!documents) throw new Error('documents with findings');
    // Eight reads are made at once, so ten take twice as long.
    const slow = script(16_000, 12);
    const { world, sent } = watched(createWorld(slow));
    await runOnce({ name: 'young-reads', script: slow, documents }, world, { process: 1 });
    expect(Math.max(...sent.map(({ size }) => size))).toBeGreaterThan(1);
    expect(Math.max(...sent.map(({ size }) => size))).toBeLessThan(10);
    expect(Math.max(...sent.map(({ reads }) => reads))).toBeGreaterThan(1);
  });
});
