import { getResponse, http, HttpResponse, type RequestHandler } from 'msw';
import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { CLIENT_SECRETS } from '../support/canary.ts';
import { watchedTrace } from '../support/canary-watch.ts';
import { drain, START } from '../support/api-service.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { overFetch } from '../../src/model/http.ts';

/*
 * The service, written by hand from its interface document alone: paths, parameters, defaults, answers. Where that
 * document is silent, the client's default dialect fills in. Nothing here comes from the twin.
 */
const BASE = 'https://service.test';
const TOKEN = 'eyJ.abc.def';
const SITES = [
  { id: 1, name: 'HQ Berlin', description: 'Head office', coordinates: {}, status: 'online' },
  { id: 2, name: 'Lisbon', status: 'partial' },
];
const SOURCES = [
  { id: 5, name: 'VMS HQ', type: 'vms', version: '2024.R2' },
  { id: 6, name: 'Sheet', type: 'internal', version: '1' },
];
const DEVICES = Array.from({ length: 2_345 }, (_, index) => ({
  id: `dev-${index}`,
  name: `cam ${index}`,
  vendor: 'Axis',
  model: 'P3265-V',
  firmwareVersion: '11.8.61',
  deviceType: 'camera',
  status: index % 10 === 0 ? 'offline' : 'online',
  lastSeen: '2026-11-20T19:59:00Z',
  maintenanceMode: index === 7,
  probe: { agent: 'up', deviceSource: 'up', edge: 'unmonitored', host: 'unknown', app: 'down' },
  availableTask: { restartDevice: true, rotateSslCertificate: index % 2 === 0 },
  sites: [{ id: 1, name: 'HQ Berlin' }],
  deviceSources: [{ id: 5, name: 'VMS HQ' }],
}));
const DISCOVERED = [
  { id: 'disc-1', vendor: 'Bosch', deviceType: 'camera', onboardingStatus: 'readyToOnboard' },
  { id: 'disc-2', vendor: 'Bosch', deviceType: 'camera', onboardingStatus: 'archived' },
];
const VULNERABILITY = {
  cveId: 'CVE-2026-1',
  description: 'd',
  reportDate: '2026-01-01',
  severity: 'high',
  reportLink: 'https://cve.test/1',
};

type Query = URLSearchParams;
type Posted = { taskType: string; devices: { deviceId?: string; discoveredDeviceId?: string }[] };

/** `limit` 100 by default and 1000 at the most, `offset`, and `total` of what matches. */
function page(name: string, rows: readonly object[], query: Query) {
  const limit = Math.min(Number(query.get('limit') ?? 100), 1_000);
  const offset = Number(query.get('offset') ?? 0);
  return HttpResponse.json({ [name]: rows.slice(offset, offset + limit), total: rows.length });
}

const queryOf = (request: Request): Query => new URL(request.url).searchParams;

/** Refuses what carries no bearer token. */
function guarded(path: string, answer: (query: Query, id: string) => Response): RequestHandler {
  return http.get<{ id: string }>(`${BASE}${path}`, ({ request, params }) =>
    request.headers.get('authorization') === `Bearer ${TOKEN}`
      ? answer(queryOf(request), params.id)
      : new HttpResponse(null, { status: 401 }),
  );
}

const oneOf = (rows: readonly { id: string | number }[], id: string): Response => {
  const found = rows.find((row) => String(row.id) === id);
  return found ? HttpResponse.json(found) : new HttpResponse(null, { status: 404 });
};

/** A service of its own for each test; `posted` are the tasks that it was asked for. */
const handlersOf = (posted: Posted[]): RequestHandler[] => [
  http.post(`${BASE}/v1/auth/:organization`, ({ request, params }) => {
    const expected = `Basic ${Buffer.from(`id:${CLIENT_SECRETS.admin}`).toString('base64')}`;
    if (request.headers.get('content-type') !== 'application/json') return HttpResponse.error();
    if (params['organization'] !== 'acme') return new HttpResponse(null, { status: 404 });
    if (request.headers.get('authorization') !== expected) {
      return new HttpResponse(null, { status: 401 });
    }
    return HttpResponse.json({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3_600 });
  }),
  guarded('/v1/devices', (query) => {
    const status = query.get('status');
    const rotate = query.get('availableTask.rotateSSLCertificate');
    const rows = DEVICES.filter(
      (row) =>
        (status === null || row.status === status) &&
        (rotate === null || row.availableTask.rotateSslCertificate === (rotate === '1')),
    );
    return page('devices', rows, query);
  }),
  guarded('/v1/devices/:id', (_, id) => oneOf(DEVICES, id)),
  guarded('/v1/devices/:id/vulnerabilities', () =>
    HttpResponse.json({ vulnerabilities: [VULNERABILITY] }),
  ),
  guarded('/v1/devices/:id/passwords', () =>
    HttpResponse.json({ passwords: [{ userName: 'root', lastChanged: '2026-05-01T00:00:00Z' }] }),
  ),
  guarded('/v1/devices/:id/certificates', () =>
    HttpResponse.json({
      certificates: [{ type: 'ssl', certificate: 'opaque', notAfter: '2027-01-01T00:00:00Z' }],
      total: 1,
    }),
  ),
  guarded('/v1/devices/:id/targetFirmware', () =>
    HttpResponse.json({ targetFirmware: [{ version: '11.11.65' }] }),
  ),
  guarded('/v1/firmwarePaths', () => new HttpResponse(null, { status: 403 })),
  guarded('/v1/sites', (query) =>
    page(
      'sites',
      SITES.filter(({ name }) => name === (query.get('name') ?? name)),
      query,
    ),
  ),
  guarded('/v1/sites/:id', (_, id) => oneOf(SITES, id)),
  guarded('/v1/deviceSources', (query) => page('deviceSources', SOURCES, query)),
  guarded('/v1/deviceSources/:id', (_, id) => oneOf(SOURCES, id)),
  guarded('/v1/discoveredDevices', (query) => {
    const status = query.get('onboardingStatus');
    const rows = DISCOVERED.filter((row) => status === null || row.onboardingStatus === status);
    return page('discoveredDevices', rows, query);
  }),
  http.post(`${BASE}/v1/tasks`, async ({ request }) => {
    posted.push((await request.json()) as Posted);
    return HttpResponse.json({ taskId: `task-${posted.length}` }, { status: 201 });
  }),
  guarded('/v1/tasks/:id', (query, id) => {
    const devices = posted[Number(id.split('-')[1]) - 1]?.devices ?? [];
    if (devices.length === 0) return new HttpResponse(null, { status: 404 });
    const rows = devices.map((device, index) => ({
      deviceTaskId: `${id}.${index}`,
      taskId: id,
      deviceId: device.deviceId ?? device.discoveredDeviceId,
      status: 'completed',
      result: index === 0 ? 'rolledBack' : 'succeeded',
      currentStepStatus: 'runSucceeded',
      ...(query.get('includeSteps') === 'true' && { steps: [{ name: 's', status: 'runFailed' }] }),
    }));
    return page('deviceTasks', rows, query);
  }),
];

function connect(options: { organization?: string; clientSecret?: string } = {}) {
  const posted: Posted[] = [];
  const handlers = handlersOf(posted);
  const client: Client = createClient({
    transport: overFetch(async (request) => {
      const response = await getResponse(handlers, request);
      return response ?? new Response('no such path', { status: 404 });
    }),
    clock: createVirtualClock(START),
    random: () => 0.5,
    baseUrl: BASE,
    organization: options.organization ?? 'acme',
    credentials: () =>
      Promise.resolve({
        clientId: 'id',
        clientSecret: options.clientSecret ?? CLIENT_SECRETS.admin,
      }),
    dialect: resolveDialect(),
    pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5 },
    secrets: () => undefined,
    trace: watchedTrace('client-msw'),
  });
  return { client, posted };
}

describe('the client against the interface as documented', () => {
  it('reads every device once, over pages of 1000', async () => {
    const { rows, result } = await drain(connect().client.list('devices'));
    expect(rows.map(({ id }) => id)).toEqual(DEVICES.map(({ id }) => id));
    expect(result).toEqual({ total: 2_345, rows: 2_345, pages: 3 });
    expect(rows[7]).toMatchObject({ maintenanceMode: true, sites: [{ id: '1' }] });
  });

  it('filters on the server, with the documented spellings', async () => {
    const { client } = connect();
    const offline = await drain(client.list('devices', { status: 'offline' }));
    expect(offline.result).toMatchObject({ total: 235, pages: 1 });
    const filter = { 'availableTask.rotateSslCertificate': true };
    expect((await drain(client.list('devices', filter))).result.total).toBe(1_173);
    expect((await drain(client.list('devices', { status: 'unknown' }))).rows).toEqual([]);
    const ready = { onboardingStatus: 'readyToOnboard' };
    expect((await drain(client.list('discoveredDevices', ready))).rows).toHaveLength(1);
  });

  it('reads sites and sources, by list and by id', async () => {
    const { client } = connect();
    const { rows: sites } = await drain(client.list('sites', { name: 'Lisbon' }));
    expect(sites).toEqual([{ id: '2', name: 'Lisbon', status: 'partial' }]);
    const { rows: sources } = await drain(client.list('deviceSources'));
    expect(sources).toContainEqual({ id: '6', name: 'Sheet', type: 'internal', version: '1' });
    expect(await client.readRaw('site', '1')).toEqual(SITES[0]);
    expect(await client.readRaw('deviceSource', '5')).toEqual(SOURCES[0]);
    expect(await client.readRaw('site', '99')).toBeUndefined();
  });

  it('reads a device and what hangs on it', async () => {
    const { client } = connect();
    expect((await client.device('dev-3')).value).toMatchObject({ id: 'dev-3', vendor: 'Axis' });
    expect((await client.device('dev-x')).value).toBeUndefined();
    expect(await client.readRaw('vulnerabilities', 'dev-3')).toEqual({
      vulnerabilities: [VULNERABILITY],
    });
    expect(await client.passwords('dev-3')).toMatchObject({ changedAt: Date.parse('2026-05-01') });
    expect(await client.certificates('dev-3')).toMatchObject({
      notAfter: Date.parse('2027-01-01'),
    });
    expect(await client.targetFirmware('dev-3')).toEqual([
      { version: '11.11.65', hops: ['11.11.65'] },
    ]);
    expect(await client.firmwarePaths()).toBe('forbidden');
  });

  it('creates tasks as the interface wants them, and reads them back', async () => {
    const { client, posted } = connect();
    const devices = [{ deviceId: 'dev-1' }, { deviceId: 'dev-2' }];
    const restarted = await client.createTask({ task: 'restartDevice', devices });
    expect(restarted).toMatchObject({ kind: 'answered', status: 201 });
    expect(posted.at(-1)).toEqual({ taskType: 'restartDevice', devices });
    const taskIds = restarted.kind === 'answered' ? restarted.taskIds : [];
    const { value } = await client.task(taskIds[0] ?? '');
    expect(value?.deviceTasks.map(({ deviceId, result }) => [deviceId, result])).toEqual([
      ['dev-1', 'rolledBack'],
      ['dev-2', 'succeeded'],
    ]);
    const steps = await client.task(taskIds[0] ?? '', { steps: true });
    expect(steps.value?.deviceTasks[0]?.steps).toEqual([{ name: 's', status: 'runFailed' }]);
    expect((await client.task('task-99')).value).toBeUndefined();
  });

  it('onboards by the id of the discovered device, with the payload that was asked for', async () => {
    const devices = [{ deviceId: 'disc-1' }];
    const { client, posted } = connect();
    await client.createTask({ task: 'onboardDevice', devices, defaultPayload: null });
    expect(posted.at(-1)).toEqual({
      taskType: 'onboardDevice',
      devices: [{ discoveredDeviceId: 'disc-1' }],
      defaultPayload: null,
    });
  });

  it('says which of organisation and secret is wrong', async () => {
    const { client: wrongSecret } = connect({ clientSecret: 'guess' });
    await expect(wrongSecret.device('dev-1')).rejects.toMatchObject({ code: 'credentialsRefused' });
    const { client: wrongTenant } = connect({ organization: 'umbrella' });
    await expect(wrongTenant.device('dev-1')).rejects.toMatchObject({
      code: 'organizationUnknown',
    });
  });
});
