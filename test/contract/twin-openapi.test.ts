import { describe, expect, it } from 'vitest';
import { contractChecker } from '../support/openapi.ts';
import { HOUR, basic, rig, taskRequest, type Wire } from '../support/twin-rig.ts';

const violations = contractChecker();
const one = rig({ devices: 120, sites: 6, refreshTokens: true });
const { discovered, devices } = one.twin.world.state;
const healthy = devices.filter(({ condition }) => condition === 'well').map(({ id }) => id);
const ready = discovered.find(({ onboardingStatus }) => onboardingStatus === 'readyToOnboard');

const READS: readonly (readonly [operation: string, path: string, status: number])[] = [
  ['GET /v1/devices', '/v1/devices?limit=1000', 200],
  ['GET /v1/devices', '/v1/devices?status=online&status=offline', 200],
  ['GET /v1/devices', '/v1/devices?status=gone', 400],
  ['GET /v1/devices/{id}', '/v1/devices/dev-1', 200],
  ['GET /v1/devices/{id}', '/v1/devices/none', 404],
  ['GET /v1/firmwarePaths', '/v1/firmwarePaths?limit=1000', 200],
  ['GET /v1/sites', '/v1/sites', 200],
  ['GET /v1/sites/{id}', '/v1/sites/1', 200],
  ['GET /v1/sites/{id}', '/v1/sites/none', 404],
  ['GET /v1/deviceSources', '/v1/deviceSources', 200],
  ['GET /v1/deviceSources/{id}', '/v1/deviceSources/1', 200],
  ['GET /v1/deviceSources/{id}', '/v1/deviceSources/none', 404],
  ['GET /v1/discoveredDevices', '/v1/discoveredDevices?limit=1000', 200],
  ['GET /v1/tasks/{id}', '/v1/tasks/none', 404],
];

describe('what the twin answers', () => {
  it.each(READS)(
    'to %s (%s, %i) is what the contract promises',
    async (...[operation, path, status]) => {
      const reply = await one.get(path);
      expect(reply.status).toBe(status);
      expect(violations(operation, reply.status, reply.body)).toEqual([]);
    },
  );

  it.each(['vulnerabilities', 'passwords', 'certificates', 'targetFirmware'])(
    'to %s of every device is what the contract promises',
    async (name) => {
      for (const { id } of devices) {
        const reply = await one.get(`/v1/devices/${id}/${name}`);
        const operation = `GET /v1/devices/{id}/${name}`;
        expect([id, violations(operation, reply.status, reply.body)]).toEqual([id, []]);
      }
    },
  );

  it.each([
    ['a token', basic('admin'), 200],
    ['wrong credentials', {}, 401],
  ])('to a request for %s is what the contract promises', async (_what, headers, status) => {
    const answer = await one.send('/v1/auth/acme', { method: 'POST', headers });
    const body: unknown = await answer.json();
    expect(answer.status).toBe(status);
    expect(violations('POST /v1/auth/{organization}', status, body)).toEqual([]);
  });

  it.each([
    ['restartDevice', [healthy[0] ?? '']],
    ['rotatePassword', [healthy[1] ?? '']],
    ['rotateSslCertificate', [healthy[2] ?? '']],
    ['upgradeFirmware', healthy.slice(3, 9)],
    ['onboardDevice', [ready?.device.id ?? '']],
  ])('about a task %s is what the contract promises, at every moment', async (type, ids) => {
    const created = await one.post<Wire['TaskCreated']>(taskRequest(type, ids));
    expect(violations('POST /v1/tasks', created.status, created.body)).toEqual([]);
    for (const ms of [0, 10_000, 60_000, HOUR]) {
      one.pass(ms);
      const path = `/v1/tasks/${created.body.taskId}?includeSteps=true`;
      const reply = await one.get(path);
      expect(violations('GET /v1/tasks/{id}', reply.status, reply.body)).toEqual([]);
      const list = await one.get('/v1/devices?limit=1000');
      expect(violations('GET /v1/devices', list.status, list.body)).toEqual([]);
    }
  });

  it.each([
    ['no known task type', { taskType: 'none' }, 'admin', 400],
    ['no permission', taskRequest('restartDevice', ['dev-1']), 'viewer', 403],
    ['an unknown device', taskRequest('restartDevice', ['none']), 'admin', 404],
  ] as const)(
    'to a task with %s is what the contract promises',
    async (...[, body, role, status]) => {
      const reply = await one.post(body, role);
      expect(reply.status).toBe(status);
      expect(violations('POST /v1/tasks', reply.status, reply.body)).toEqual([]);
    },
  );

  it.each(['401', '429', '500'] as const)(
    'by a fault %s is what the contract promises',
    async (type) => {
      const broken = rig({ faults: [{ match: { path: '/v1/sites' }, fault: { type } }] });
      const reply = await broken.get('/v1/sites');
      expect(violations('GET /v1/sites', reply.status, reply.body)).toEqual([]);
    },
  );
});

describe('the check itself', () => {
  it.each([
    ['a wrong type', 200, { devices: [{ id: 7 }], total: 1 }],
    ['an unknown word', 200, { devices: [{ status: 'gone' }], total: 1 }],
    ['a time that is none', 200, { devices: [{ lastSeen: 'today' }], total: 1 }],
    ['a status that is not listed', 418, {}],
  ])('finds %s', (_what, status, body) => {
    expect(violations('GET /v1/devices', status, body)).not.toEqual([]);
  });
});
