import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../../src/api/client.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { bodyText, overFetch, parsedAnswer } from '../../../src/model/http.ts';
import type { Collection } from '../../../src/model/ports.ts';
import type { DeviceState } from '../../../src/twin/world/state.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { DAY, HOUR, MINUTE, rig, type Rig } from '../../support/twin-rig.ts';
import { request } from '../../support/http.ts';

/**
 * A rehearsal hands the simulator's answers to the client as values. Whatever happens to the fleet, the client
 * reads what it reads from JSON.
 */
describe('answers within the process', () => {
  it('say the same as their JSON, whatever happened to the fleet meanwhile', async () => {
    const faults = [
      { match: 'GET /v1/devices', at: [5], fault: { type: 'stale', versions: 1 } },
      { match: 'GET /v1/devices', at: [7], fault: { type: 'word', field: 'status', value: 'odd' } },
    ];
    const pair = twoLines(faults);
    for (const [ms, change] of STEPS) {
      await pair.change(ms, change);
      const [plain, parsed] = [await readAll(pair.plain.client), await readAll(pair.parsed.client)];
      expect(parsed).toEqual(plain);
    }
  });

  it('are JSON for whoever reads them as text', async () => {
    const answer = parsedAnswer({ a: [1], b: undefined }, { status: 201 });
    expect([answer.status, await answer.text()]).toEqual([201, '{"a":[1]}']);
    const sent = await overFetch(() => Promise.resolve(answer))(request('https://twin.test/'));
    expect(sent.headers).toEqual({ 'content-type': 'application/json' });
    expect([sent.status, bodyText(sent)]).toEqual([201, '{"a":[1]}']);
  });
});

interface Line {
  readonly rig: Rig;
  readonly client: Client;
}

/** Two simulators of one world: one is read as JSON, one as values. */
function twoLines(faults: readonly unknown[]) {
  const script = { faults: faults as never };
  const plain = open(rig(script));
  const respond = ({ body, ...init }: { body: unknown; status: number }): Response =>
    parsedAnswer(body, init);
  const parsed = open(rig({ ...script, respond }));
  return {
    plain,
    parsed,
    async change(ms: number, change: (rig: Rig) => unknown) {
      for (const { rig: each } of [plain, parsed]) {
        each.pass(ms);
        await change(each);
      }
    },
  };
}

function open(own: Rig): Line {
  const transport = overFetch((request) => own.twin.handle(request));
  const client = createClient({
    transport,
    clock: { now: own.now, monotonic: own.now, sleep: async (ms) => own.pass(ms) },
    random: () => 0.5,
    baseUrl: 'https://twin.test',
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'a', clientSecret: CLIENT_SECRETS.admin }),
    dialect: resolveDialect({}),
    pace: { requestsPerSecond: 1_000, tokenRequestsPerMinute: 1_000 } as never,
    secrets: () => undefined,
  });
  return { rig: own, client };
}

const LISTS: readonly Collection[] = ['sites', 'deviceSources', 'devices', 'discoveredDevices'];

async function readAll(client: Client): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const list of LISTS) {
    const rows: unknown[] = [];
    for await (const page of client.list(list)) rows.push(...page);
    all[list] = rows;
  }
  const ids = (all['devices'] as readonly Device[]).slice(0, 3).map(({ id }) => id);
  all['single'] = await Promise.all(
    ids.map(async (id) => [
      (await client.device(id)).value,
      await client.passwords(id),
      await client.certificates(id),
      await client.targetFirmware(id),
    ]),
  );
  all['paths'] = await client.firmwarePaths();
  return all;
}

function at(own: Rig, index: number): DeviceState {
  const device = own.twin.world.state.devices[index];
  if (!device) throw new Error(`no device ${index}`);
  return device;
}

/** What happens to a fleet, and how long after the step before. */
const STEPS: readonly (readonly [number, (own: Rig) => unknown])[] = [
  [0, () => undefined],
  [MINUTE, () => undefined],
  [0, (own) => (at(own, 0).silent = true)],
  [0, (own) => (at(own, 0).silent = false)],
  [MINUTE, (own) => (at(own, 1).condition = 'stuck')],
  [0, (own) => (at(own, 2).maintenance = true)],
  [HOUR, (own) => Object.assign(at(own, 3), { hardenedAt: own.now() })],
  [0, (own) => (at(own, 4).name = 'renamed')],
  [0, (own) => own.twin.world.state.sites.forEach((site) => (site.name = `${site.name} 2`))],
  [400 * DAY, () => undefined],
  [MINUTE, (own) => own.run('rotatePassword', [at(own, 5).id])],
  [MINUTE, (own) => own.run('rotateSslCertificate', [at(own, 6).id])],
  [MINUTE, (own) => own.run('restartDevice', [at(own, 7).id])],
  [0, (own) => own.twin.world.addDevice({ ...at(own, 0), id: 'dev-new', name: 'new' })],
];
