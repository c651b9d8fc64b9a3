import { expect, test } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import { chance } from '../support/rehearsal-chance.ts';
import { mergeCommit } from '../support/rehearsal-gate.ts';
import { createWorld, type Rehearsal, type Script } from '../support/rehearsal-world.ts';
import { runOnce } from '../support/rehearsal.ts';

const KINDS = ['recorder', 'switch', 'camera'] as const;
const TARGET = '11.11.160';
const HOUR = 3_600_000;

/** A fleet, and documents in which each kind of device comes after some of those before it. */
function draft(seed: number) {
  const next = chance(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const devices = Array.from({ length: 8 + Math.floor(next() * 10) }, (_, index) => ({
    id: `dev-${index + 1}`,
    kind: pick(KINDS),
    site: 1 + Math.floor(next() * 3),
    firmwareVersion: pick(['10.12.236', '11.11.124', TARGET]),
    isExcluded: next() < 0.1,
  }));
  const orders = KINDS.map((kind, index) => ({
    kind,
    after: KINDS.slice(0, index)
      .filter(() => next() < 0.7)
      .map((before) => ({ before, per: pick(['site', 'site', 'fleet']) })),
  }));
  const faults = devices
    .filter(() => next() < 0.15)
    .map(({ id }) => ({
      match: { deviceId: id },
      fault: { type: 'failingDevice', result: pick(['failed', 'rolledBack'] as const) } as const,
    }));
  return { devices, orders, faults };
}

function documentsOf({ devices, orders }: ReturnType<typeof draft>): string {
  const policies = orders.map(({ kind, after }) => {
    const entries = after.map(({ before, per }) => `{policy: firmware.${before}, per: ${per}}`);
    const order = entries.length > 0 ? `, after: [${entries.join(', ')}]` : '';
    return `  ${kind}: {select: {deviceType: ${kind}}, version: ${TARGET}, rollout: all, windows: anytime${order}}`;
  });
  const out = devices.filter(({ isExcluded }) => isExcluded).map(({ id }) => id);
  const until = 'until: "2027-01-01T00:00:00Z", reason: broken, owner: ops, ticket: T-1';
  return `service: {baseUrl: https://twin.test, organization: acme}
guardrails: {default: {maxPercentOfFleet: 100%}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
rollouts:
  all:
    canary: none
    waves: [{name: all, percent: 100%, soak: 0m}]
    gate: {checks: []}
    stopOn: {wave: 100%, model: 100%}
    retry: {maxAttemptsPerWindow: 1, maxWindows: 1}
firmware:
${policies.join('\n')}
exceptions:
  out: {type: exclude, select: {device: [${['none', ...out].join(', ')}]}, task: upgradeFirmware, ${until}}
`;
}

/** The devices that were sent while one that comes first was neither at its target nor excluded, or had a task. */
async function sentTooEarly(seed: number): Promise<{ early: readonly string[]; sent: number }> {
  const fleet = draft(seed);
  const text = documentsOf(fleet);
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const edit = fleet.devices.map(({ id, kind, site, firmwareVersion }) => {
    return [id, { deviceType: kind, siteId: site, firmwareVersion }] as const;
  });
  const every = { vendor: 'Axis', model: 'P3245-LVE', condition: 'well', maintenance: false };
  const script = { devices: edit.length, sites: 3, every, edit: Object.fromEntries(edit) };
  const made = createWorld({ ...script, faults: fleet.faults, about: '', runs: [] } as Script);
  const { state } = made.twin.world;
  const isOpen = ({ id, isExcluded }: (typeof fleet.devices)[number]): boolean => {
    const tasks = state.tasks.flatMap(({ deviceTasks }) => deviceTasks);
    if (tasks.some((task) => task.deviceId === id && task.status !== 'completed')) return true;
    return !isExcluded && state.devices.find((one) => one.id === id)?.firmwareVersion !== TARGET;
  };
  const early: string[] = [];
  let sent = 0;
  const handle: typeof made.twin.handle = async (request) => {
    const isTask = request.method === 'POST' && new URL(request.url).pathname === '/v1/tasks';
    const body = isTask ? await request.clone().text() : '';
    for (const device of fleet.devices) {
      if (!body.includes(`"${device.id}"`)) continue;
      sent += 1;
      const { after = [] } = fleet.orders.find(({ kind }) => kind === device.kind) ?? {};
      const first = fleet.devices.filter(({ kind, site }) =>
        after.some((one) => one.before === kind && (one.per === 'fleet' || site === device.site)),
      );
      early.push(...first.filter(isOpen).map(({ id }) => `${seed}: ${device.id} before ${id}`));
    }
    return made.twin.handle(request);
  };
  const world = { ...made, twin: { ...made.twin, handle } };
  const name = 'orders';
  const merged = mergeCommit(documents, []);
  const rehearsal: Rehearsal = { name, documents, merged, script: { ...script, runs: [] } as never };
  for (let run = 1; run <= 3; run += 1) {
    await runOnce(rehearsal, world, { process: run, wait: HOUR });
    await made.clock.run(made.clock.sleep(30 * HOUR));
  }
  return { early, sent };
}

test('no device is sent before what comes first is done, in fleets made at random (semantics K28, K29)', async () => {
  let sent = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const found = await sentTooEarly(seed);
    expect(found.early).toEqual([]);
    sent += found.sent;
  }
  expect(sent).toBeGreaterThan(50);
}, 300_000);
