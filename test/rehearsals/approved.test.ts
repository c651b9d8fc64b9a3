import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import type { Change } from '../../src/model/plan/change.ts';
import type { DeviceState } from '../../src/twin/world/state.ts';
import { planNow, runOnce } from '../support/rehearsal.ts';
import { draws } from '../support/campaign.ts';
import { createWorld, START, type Rehearsal, type RehearsalWorld } from '../support/rehearsal-world.ts';

/** Firmware, passwords and restarts, all at once: what was approved is the only limit. */
function fleet(version: string): string {
  return `service: {baseUrl: https://twin.test, organization: acme}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: 50}
guardrails: {default: {maxPercentOfFleet: 100%}}
rollouts: {at-once: {canary: none, waves: [{name: all, percent: 100%}]}}
firmware:
  p32: {select: {model: P3245-LVE}, version: "${version}", rollout: at-once, windows: anytime}
restarts:
  dark: {when: {status: offline, for: 20m}, select: {vendor: Axis}, rollout: at-once, windows: anytime}
`;
}

const WANTED = '11.11.160';
const DEVICES = 5;
const EVERY = {
  vendor: 'Axis',
  model: 'P3245-LVE',
  deviceType: 'camera',
  firmwareVersion: '11.11.124',
  condition: 'well',
  maintenance: false,
} as const;

/** What somebody may do to the fleet or the documents between the plan and its apply. */
type Edit =
  | { readonly do: 'set'; readonly device: number; readonly to: Partial<DeviceState> }
  | { readonly do: 'remove'; readonly device: number }
  | { readonly do: 'add'; readonly to: Partial<DeviceState> }
  | { readonly do: 'want'; readonly version: string }
  | { readonly do: 'wait'; readonly minutes: number };

const state: fc.Arbitrary<Partial<DeviceState>> = fc.oneof(
  fc.constantFrom('9.80.55', '10.12.236', '11.11.124', WANTED).map((version) => ({
    firmwareVersion: version,
  })),
  fc.constantFrom('well', 'dark').map((condition) => ({
    condition: condition as DeviceState['condition'],
    lastSeen: START - 3_600_000,
  })),
  fc.boolean().map((maintenance) => ({ maintenance })),
  fc.constantFrom('P3245-LVE', 'P1455-LE').map((model) => ({ model })),
  fc.constantFrom('renamed', '../tasks').map((name) => ({ name })),
);
const device = fc.nat({ max: DEVICES - 1 });
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('set' as const), device, to: state }) },
    fc.record({ do: fc.constant('remove' as const), device }),
    fc.record({ do: fc.constant('add' as const), to: state }),
    fc.record({ do: fc.constant('want' as const), version: fc.constantFrom('11.11.124', WANTED) }),
    fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 600 }) }),
  ),
  { maxLength: 12 },
);

const RUNS = draws(40);

describe('apply FILE', () => {
  it('runs nothing but what was approved and still holds, whatever happened since', async () => {
    let ran = 0;
    let stale = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const world = freshWorld();
        const approved = await planNow(rehearsal(WANTED), world);
        const version = list.reduce((now, edit) => apply(edit, world) ?? now, WANTED);
        const before = versionsOf(world);
        const { report } = await runOnce(rehearsal(version), world, { process: 1, approved });
        const allowed = new Map([...approved.changes].filter(isWanted).map((each) => [each.id, each]));
        for (const work of world.twin.world.state.tasks.flatMap((task) =>
          task.deviceTasks.map((one) => ({ ...one, type: task.type })),
        )) {
          const change = allowed.get(`${work.type}/${work.deviceId}`);
          expect(change, `${work.type} on ${work.deviceId}`).toBeDefined();
          if (work.type !== 'upgradeFirmware') continue;
          expect(work.payload['targetVersion']).toBe(change?.target);
          expect(before.get(work.deviceId)).toBe(change?.before['firmwareVersion']);
          ran += 1;
        }
        stale += report?.endings.filter(({ reason }) => reason?.code === 'stale').length ?? 0;
      }),
      { numRuns: RUNS, seed: 20_261_122 },
    );
    expect(ran).toBeGreaterThan(RUNS * 0.75);
    expect(stale).toBeGreaterThan(RUNS * 0.2);
  }, 300_000);

  it('runs every approved change where nothing happened', async () => {
    const world = freshWorld();
    const approved = await planNow(rehearsal(WANTED), world);
    const { report } = await runOnce(rehearsal(WANTED), world, { process: 1, approved });
    expect(report?.counts.verified).toBe([...approved.changes].filter(isWanted).length);
    expect(new Set(versionsOf(world).values())).toEqual(new Set([WANTED]));
  });
});

function rehearsal(version: string): Rehearsal {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: fleet(version) }]);
  if (!documents) throw new Error('documents with findings');
  const script = { about: '', devices: DEVICES, sites: 2, runs: [] };
  return { name: 'approved', script, documents };
}

function freshWorld(): RehearsalWorld {
  return createWorld({ about: '', devices: DEVICES, sites: 2, every: EVERY, runs: [] });
}

function isWanted({ action }: Change): boolean {
  return action === 'run' || action === 'wait';
}

function versionsOf({ twin }: RehearsalWorld): ReadonlyMap<string, string> {
  return new Map(twin.world.state.devices.map(({ id, firmwareVersion }) => [id, firmwareVersion]));
}

/** Does it; the version that the documents want from then on, where that is what happened. */
function apply(edit: Edit, { twin, clock }: RehearsalWorld): string | undefined {
  const { devices } = twin.world.state;
  if (edit.do === 'want') return edit.version;
  if (edit.do === 'wait') clock.skip(edit.minutes * 60_000);
  if (edit.do === 'set') Object.assign(devices[edit.device % devices.length] ?? {}, edit.to);
  if (edit.do === 'remove' && devices.length > 2) devices.splice(edit.device % devices.length, 1);
  const [first] = devices;
  if (edit.do === 'add' && first)
    devices.push({ ...first, ...EVERY, ...edit.to, id: `new-${devices.length}` });
  return undefined;
}

