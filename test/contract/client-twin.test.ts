import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { listFilters, type KnownFilter } from '../../src/api/decode/filters.ts';
import { openTransport } from '../../src/api/transport/transport.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { TransportError, type Transport } from '../../src/model/ports.ts';
import { LostConnection } from '../../src/twin/faults/replaced-answer.ts';
import { serveTwin } from '../../src/twin/serve.ts';
import type { FaultRule } from '../../src/twin/faults/fault.ts';
import type { Role } from '../../src/twin/world/state.ts';
import { createTwin } from '../../src/twin/twin.ts';
import { drain } from '../support/api-service.ts';
import { HOUR, START, USERS } from '../support/twin-rig.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { watchedTrace } from '../support/canary-watch.ts';
import { overFetch } from '../../src/model/http.ts';

const dialect = resolveDialect();
const manners = { unknownFilters: 'refuse', maxDevicesPerTask: 2_050 } as const;
const COLLECTIONS = ['devices', 'sites', 'deviceSources', 'discoveredDevices'] as const;
const closers: (() => Promise<void>)[] = [];

interface Way {
  readonly name: string;
  connect(role: Role, wanted?: Wanted): Promise<Connected>;
}

interface Wanted {
  readonly faults?: readonly FaultRule[];
  /** Where it matters that a list has several pages; few otherwise. */
  readonly devices?: number;
}

interface Connected {
  readonly client: Client;
  /** Moves the time of twin and client on. */
  pass(ms: number): void;
}

/** A twin of its own for each connection, from one seed, so that two ways can be compared. */
function twinned(open: (twin: ReturnType<typeof createTwin>) => Promise<[string, Transport]>) {
  return async (role: Role, { faults = [], devices = 60 }: Wanted = {}): Promise<Connected> => {
    const clock = createVirtualClock(START);
    const twin = createTwin({ clock, devices, sites: 6, users: USERS, faults, manners });
    const [baseUrl, transport] = await open(twin);
    const user = USERS.find((known) => known.role === role);
    const client = createClient({
      transport,
      clock,
      random: () => 0.5,
      baseUrl,
      organization: twin.organization,
      credentials: () =>
        Promise.resolve({ clientId: user?.clientId ?? '', clientSecret: user?.clientSecret ?? '' }),
      dialect,
      pace: { requestsPerSecond: 1_000_000, tokenRequestsPerMinute: 5 },
      secrets: () => undefined,
      trace: watchedTrace('client-twin'),
    });
    return { client, pass: (ms) => clock.advance(ms) };
  };
}

const ways: readonly Way[] = [
  {
    name: 'in process',
    connect: twinned(async (twin) => [
      'http://127.0.0.1',
      overFetch(async (request) => {
        try {
          return await twin.handle(request);
        } catch (error) {
          throw error instanceof LostConnection ? new TransportError('sent', 'lost') : error;
        }
      }),
    ]),
  },
  {
    name: 'over HTTP',
    connect: twinned(async (twin) => {
      const served = await serveTwin(twin, 0);
      const { transport, close } = openTransport();
      closers.push(close, served.close);
      return [served.url, transport];
    }),
  },
];

afterAll(async () => {
  for (const close of closers) await close();
});

/** Everything that can be read, and what a restart and an upgrade do. */
async function tour({ client, pass }: Connected): Promise<Record<string, unknown>> {
  const lists: Record<string, unknown> = {};
  for (const collection of COLLECTIONS) lists[collection] = await drain(client.list(collection));
  const { rows } = await drain(client.listRaw('devices', { status: 'online' }));
  const id = String(rows[0]?.['id']);
  const restarted = await client.createTask({ task: 'restartDevice', devices: [{ deviceId: id }] });
  pass(HOUR);
  const taskId = restarted.kind === 'answered' ? (restarted.taskIds[0] ?? '') : '';
  return {
    lists,
    restarted: { ...restarted, date: undefined },
    task: (await client.task(taskId, { steps: true })).value,
    device: (await client.device(id)).value,
    facts: [
      await client.passwords(id),
      await client.certificates(id),
      await client.targetFirmware(id),
    ],
    paths: await client.firmwarePaths(),
    raw: [
      await client.readRaw('device', id),
      await client.readRaw('vulnerabilities', id),
      await client.readRaw('passwords', id),
      await client.readRaw('certificates', id),
      await client.readRaw('targetFirmware', id),
      await client.readRaw('site', '1'),
      await client.readRaw('deviceSource', '1'),
      await drain(client.listRaw('firmwarePaths')),
      await drain(client.taskRaw(taskId, { steps: true })),
    ],
  };
}

/** Words that the contract only assumes, so that the client takes any text for them. */
const ASSUMED_WORDS: Readonly<Record<string, string>> = {
  recordingStatus: 'recording',
  vulnerabilitySeverity: 'critical',
  sslCertificateStatus: 'compliant',
  dot1xCertificateStatus: 'compliant',
};

function valueFor({ type, name }: KnownFilter): string {
  if (type === 'flag' || type === 'whole') return '1';
  if (type === 'instant') return '2026-11-01T00:00:00Z';
  return type === 'text' ? (ASSUMED_WORDS[name] ?? 'x') : (type[0] ?? '');
}

describe('the client against the twin', () => {
  const tours: Record<string, unknown>[] = [];
  beforeAll(async () => {
    for (const way of ways) tours.push(await tour(await way.connect('admin', { devices: 2_100 })));
  });

  it('finds the same in process and over HTTP', () => {
    expect(tours[1]).toEqual(tours[0]);
  });

  it('finds a whole fleet, and a restart that succeeded', () => {
    expect(tours[0]).toMatchObject({
      lists: {
        devices: { result: { total: 2_100, rows: 2_100, pages: 3 } },
        sites: { result: { total: 6 } },
      },
      task: {
        userName: 'Ada Admin',
        total: 1,
        deviceTasks: [{ result: 'succeeded', steps: expect.any(Array) }],
      },
      facts: [
        { marker: expect.any(String) },
        { fingerprint: expect.any(String) },
        expect.any(Array),
      ],
      paths: expect.arrayContaining([expect.objectContaining({ vendor: expect.any(String) })]),
    });
  });

  it.each(ways)(
    '$name: every filter is understood, by a service that refuses unknown ones',
    async ({ connect }) => {
      const { client } = await connect('admin');
      for (const collection of COLLECTIONS) {
        const { total } = (await drain(client.list(collection))).result;
        for (const filter of listFilters(collection, dialect)) {
          const pass = client.listRaw(collection, { [filter.name]: valueFor(filter) });
          const { result } = await drain(pass);
          expect(result, filter.name).not.toHaveProperty('torn');
          expect(result.total, filter.name).toBeLessThanOrEqual(total);
        }
      }
    },
  );

  it.each(ways)('$name: a viewer sees his site, and may change nothing', async ({ connect }) => {
    const { client } = await connect('viewer');
    const { rows } = await drain(client.list('devices'));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ sites }) => sites.some(({ id }) => id === '1'))).toBe(true);
    expect(await client.firmwarePaths()).toBe('forbidden');
    const devices = [{ deviceId: rows[0]?.id ?? '' }];
    expect(await client.createTask({ task: 'restartDevice', devices })).toMatchObject({
      status: 403,
    });
    expect(await client.readRaw('site', '2')).toBeUndefined();
  });

  it.each(ways)('$name: a token that has ended is renewed', async ({ connect }) => {
    const { client, pass } = await connect('operator');
    await client.device('none');
    pass(2 * HOUR);
    expect((await client.device('none')).value).toBeUndefined();
  });

  it.each(ways)('$name: a task of more than two pages is read whole', async ({ connect }) => {
    const { client, pass } = await connect('admin', { devices: 2_100 });
    const { rows } = await drain(client.list('devices'));
    const ids = rows.slice(0, manners.maxDevicesPerTask + 1).map(({ id }) => id);
    const send = (named: readonly string[]): ReturnType<Client['createTask']> =>
      client.createTask({
        task: 'restartDevice',
        devices: named.map((deviceId) => ({ deviceId })),
      });
    expect(await send(ids)).toMatchObject({ kind: 'answered', status: 400 });
    const created = await send(ids.slice(1));
    pass(HOUR);
    const taskId = created.kind === 'answered' ? (created.taskIds[0] ?? '') : '';
    const task = (await client.task(taskId)).value;
    expect(task?.total).toBe(manners.maxDevicesPerTask);
    const read = task?.deviceTasks.map(({ deviceId }) => deviceId) ?? [];
    expect(read.toSorted()).toEqual(ids.slice(1).toSorted());
    expect(task?.deviceTasks.every(({ status }) => status === 'completed')).toBe(true);
  });

  it.each<[string, FaultRule['fault']]>([
    ['401', { type: '401' }],
    ['429', { type: '429', retryAfter: 2 }],
    ['500', { type: '500' }],
    ['a lost request', { type: 'lostRequest' }],
  ])('a read outlives %s', async (_, fault) => {
    // The second page is what fails.
    const devices = 1_100;
    for (const way of ways) {
      const match = { method: 'GET', path: '/v1/devices', nth: 2 };
      const { client } = await way.connect('admin', { devices, faults: [{ match, fault }] });
      expect((await drain(client.list('devices'))).result).toMatchObject({ rows: devices });
    }
  });

  it.each<[string, FaultRule['fault'], object]>([
    ['500', { type: '500' }, { kind: 'answered', status: 500 }],
    ['401', { type: '401' }, { kind: 'answered', status: 401 }],
    ['a lost answer', { type: 'lostAnswer' }, { kind: 'failed', phase: 'sent' }],
    ['HTML', { type: 'html' }, { json: false, taskIds: [] }],
  ])('a write is never repeated after %s', async (_, fault, expected) => {
    for (const way of ways) {
      const rule: FaultRule = { match: { method: 'POST', path: '/v1/tasks', nth: 1 }, fault };
      const { client } = await way.connect('admin', { faults: [rule] });
      expect(await restartOne(client)).toMatchObject(expected);
    }
  });

  it('half an answer to a write is no acceptance, and not that nothing was sent', async () => {
    for (const way of ways) {
      const match = { method: 'POST', path: '/v1/tasks', nth: 1 };
      const { client } = await way.connect('admin', {
        faults: [{ match, fault: { type: 'truncated' } }],
      });
      const answer = await restartOne(client);
      expect(answer.kind === 'answered' ? answer.taskIds : answer.phase).toEqual(
        answer.kind === 'answered' ? [] : 'sent',
      );
    }
  });
});

async function restartOne(client: Client): ReturnType<Client['createTask']> {
  const { rows } = await drain(client.list('devices', { status: 'online' }));
  return client.createTask({
    task: 'restartDevice',
    devices: [{ deviceId: rows[0]?.id ?? '' }],
  });
}
