import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parseDialect } from '../../src/twin/dialect/dialect.ts';
import { contract, contractChecker, find, resolve } from '../support/openapi.ts';
import { basic, rig, taskRequest, type Rig } from '../support/twin-rig.ts';

const violations = contractChecker();

/** A list in a list in a list, so deep. */
function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function taskText(payload: string): string {
  return `{"taskType":"rotatePassword","devices":[{"deviceId":"dev-1","payload":{"deep":${payload}}}]}`;
}

async function postText(one: Rig, body: string, headers?: Record<string, string>) {
  const authorization = { Authorization: `Bearer ${await one.token()}` };
  const init = { method: 'POST', headers: headers ?? authorization, body, duplex: 'half' } as const;
  const answer = await one.send('/v1/tasks', init);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as unknown };
}

/** A body that says how much of it was asked for. */
function counted(chunks: number, bytes = 1024 * 1024) {
  const read = { chunks: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read.chunks === chunks) return controller.close();
        read.chunks++;
        controller.enqueue(new Uint8Array(bytes).fill(0x20));
      },
      cancel() {
        read.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { read, body };
}

describe('a body', () => {
  it.each([
    ['deep enough to break whoever copies it', nested(5_000), 400],
    ['one deeper than is taken', nested(61), 400],
    ['as deep as is taken', nested(60), 200],
    [
      'with brackets in its texts alone',
      JSON.stringify(`${'['.repeat(9_000)}\\"${'{'.repeat(9)}`),
      200,
    ],
  ])('%s is answered as the contract says, and the world lives on', async (_, payload, status) => {
    const one = rig();
    const reply = await postText(one, taskText(payload));
    expect(reply.status).toBe(status);
    expect(violations('POST /v1/tasks', reply.status, reply.body)).toEqual([]);
    expect(one.twin.save().tasks).toHaveLength(status === 200 ? 1 : 0);
    expect(() => JSON.stringify(one.twin.save())).not.toThrow();
    expect((await one.get('/v1/devices')).status).toBe(200);
  });

  it.each([
    ['of a task', '/v1/tasks'],
    ['of a token', '/v1/auth/acme'],
  ])('%s is read up to a limit', async (_, path) => {
    const one = rig({ manners: { maxDevicesPerTask: 1 } });
    const { read, body } = counted(100);
    const headers =
      path === '/v1/tasks' ? { Authorization: `Bearer ${await one.token()}` } : basic('admin');
    const answer = await one.send(path, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
    const operation = path === '/v1/tasks' ? 'POST /v1/tasks' : 'POST /v1/auth/{organization}';
    expect(violations(operation, 413, await answer.json())).toEqual([]);
    expect(read).toEqual({ chunks: 2, cancelled: true });
  });

  it('may be as large as a task with a payload for every device', async () => {
    const one = rig({ manners: { maxDevicesPerTask: 60 } });
    const devices = one.twin.world.state.devices.map(({ id }) => ({
      deviceId: id,
      payload: { note: 'n'.repeat(16_000) },
    }));
    expect((await one.post({ taskType: 'rotatePassword', devices })).status).toBe(200);
  });

  it.each([
    ['without a token', '/v1/tasks', {}],
    ['with a forged token', '/v1/tasks', { Authorization: 'Bearer a.b.c' }],
    ['for a token, with wrong credentials', '/v1/auth/acme', { Authorization: 'Basic YTpi' }],
  ])('%s is not read at all', async (_, path, headers) => {
    const one = rig();
    const { read, body } = counted(3);
    const answer = await one.send(path, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, read.chunks]).toEqual([401, 0]);
  });

  it.each([
    '',
    '{',
    '[1',
    '"unended',
    '{"taskType":"restartDevice",}',
    '\u0000',
    `"${'\\n'.repeat(500_000)}`,
  ])('that is no JSON is refused (%#)', async (text) => {
    const one = rig();
    const reply = await postText(one, text);
    expect(reply.status).toBe(400);
    expect(violations('POST /v1/tasks', reply.status, reply.body)).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    ['GET /v1/devices/{id}', '/v1/devices/%ff'],
    ['GET /v1/devices/{id}', '/v1/devices/%E0%A4'],
    ['GET /v1/devices/{id}/passwords', '/v1/devices/%ff/passwords'],
    ['GET /v1/sites/{id}', '/v1/sites/%c3%28'],
    ['GET /v1/tasks/{id}', '/v1/tasks/%'],
  ])('that is not UTF-8 is 400: %s %s', async (operation, path) => {
    const reply = await rig().get(path);
    expect(reply.status).toBe(400);
    expect(violations(operation, reply.status, reply.body)).toEqual([]);
  });

  it('that is UTF-8 names what it says', async () => {
    const one = rig();
    const { world } = one.twin;
    const [device] = world.state.devices;
    if (device) world.addDevice({ ...device, id: 'tür 1/2' });
    expect((await one.get<{ id: string }>('/v1/devices/t%C3%BCr%201%2F2')).body.id).toBe('tür 1/2');
  });

  it.each([
    ['DELETE', '/v1/devices', 'GET, HEAD'],
    ['POST', '/v1/devices/dev-1', 'GET, HEAD'],
    ['PUT', '/v1/sites/1', 'GET, HEAD'],
    ['GET', '/v1/tasks', 'POST'],
    ['PATCH', '/v1/tasks/x', 'GET, HEAD'],
    ['GET', '/v1/auth/acme', 'POST'],
    ['OPTIONS', '/v1/firmwarePaths', 'GET, HEAD'],
  ])('with a wrong method is 405: %s %s', async (method, path, allow) => {
    const answer = await rig().send(path, { method });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow]);
    expect(await answer.json()).toMatchObject({ error: 'method_not_allowed' });
  });

  it.each(['/v2/devices', '/v1', '/v1/devices/dev-1/none'])(
    'that is none is 404: %s',
    async (path) => {
      expect((await rig().send(path, { method: 'DELETE' })).status).toBe(404);
    },
  );
});

describe('an id', () => {
  it.each(['0x1', '01', '1.0', '1e0', '%201', '+1', '1_', 'Infinity'])(
    'is matched as a text: %s is no site and no source',
    async (id) => {
      const one = rig();
      expect((await one.get(`/v1/sites/${id}`)).status).toBe(404);
      expect((await one.get(`/v1/deviceSources/${id}`)).status).toBe(404);
    },
  );

  it.each(['0x1', '01', '1.0', '-1'])(
    'in a filter is matched as a text: %s is refused',
    async (id) => {
      expect((await rig().get(`/v1/discoveredDevices?deviceSources.id=${id}`)).status).toBe(400);
    },
  );

  it('as it is written is found', async () => {
    const one = rig();
    expect((await one.get('/v1/sites/1')).status).toBe(200);
    expect((await one.get('/v1/deviceSources/1')).status).toBe(200);
    expect((await one.get('/v1/discoveredDevices?deviceSources.id=1')).status).toBe(200);
  });
});

describe('a date in a filter', () => {
  it.each([
    '2026-02-29',
    '2026-02-31T00:00:00Z',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T10:00:00%2B25:00',
    '2026-01-01T10:00:00',
    'yesterday',
    '',
  ])('that no calendar has is refused: %s', async (date) => {
    const reply = await rig().get(`/v1/discoveredDevices?discoveredAfter=${date}`);
    expect(reply.status).toBe(400);
    expect(violations('GET /v1/discoveredDevices', reply.status, reply.body)).toEqual([]);
    expect((await rig().get(`/v1/devices?onboardingDateBefore=${date}`)).status).toBe(400);
  });

  it.each(['2028-02-29', '2026-12-31T23:59:59Z', '2026-01-01T00:00:00.5%2B02:00', '0099-01-01'])(
    'that a calendar has is taken: %s',
    async (date) => {
      expect((await rig().get(`/v1/discoveredDevices?discoveredAfter=${date}`)).status).toBe(200);
    },
  );
});

describe('the contract', () => {
  const document = contract();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'contract' });
  const fits = ajv.compile({ $ref: 'contract#/components/schemas/TaskRequest' });

  it('wants an id in every entry of a task, as the twin does', async () => {
    const one = rig();
    const without = { taskType: 'restartDevice', devices: [{ payload: null }] };
    const found = one.twin.world.state.discovered[0]?.device.id ?? '';
    for (const body of [
      taskRequest('restartDevice', ['dev-1']),
      taskRequest('onboardDevice', [found]),
    ]) {
      expect([fits(body), (await one.post(body)).status]).toEqual([true, 200]);
    }
    for (const body of [without, { taskType: 'restartDevice', devices: [{}] }]) {
      expect([fits(body), (await one.post(body)).status]).toEqual([false, 400]);
    }
  });

  it('says how large an offset may be, and the twin holds to it', async () => {
    const schema = find(document, 'components', 'parameters', 'offset', 'schema');
    const maximum = Number(resolve(document, schema)['maximum']);
    const one = rig();
    expect((await one.get(`/v1/devices?offset=${maximum}`)).status).toBe(200);
    expect((await one.get(`/v1/devices?offset=${maximum + 1}`)).status).toBe(400);
  });
});

describe('a twin that speaks a dialect', () => {
  const dialect = parseDialect(
    '{"tokenPath": "/token/{organization}", "tokenBody": {"key": {"fromEnv": "KEY"}}, "taskDeviceField": "ref"}',
  );
  const bearer = async (one: Rig) => {
    const body = JSON.stringify({ key: 'k' });
    const answer = await one.send('/token/acme', { method: 'POST', headers: basic('admin'), body });
    return {
      Authorization: `Bearer ${((await answer.json()) as { access_token: string }).access_token}`,
    };
  };

  it.each([
    ['deep', nested(5_000), 400],
    ['no JSON', '{', 400],
    ['as it should be', '"flat"', 200],
  ])('answers a body that is %s with %s', async (_, payload, status) => {
    const one = rig({ dialect });
    const body = `{"taskType":"rotatePassword","devices":[{"ref":"dev-1","payload":{"deep":${payload}}}]}`;
    const answer = await one.send('/v1/tasks', {
      method: 'POST',
      headers: await bearer(one),
      body,
    });
    expect(answer.status).toBe(status);
    expect(one.twin.save().tasks).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each(['/v1/tasks', '/token/acme'])('reads nothing from nobody: %s', async (path) => {
    const one = rig({ dialect });
    const { read, body } = counted(3);
    const init = { method: 'POST', headers: { Authorization: 'Basic YTpi' }, body, duplex: 'half' };
    expect((await one.send(path, init as RequestInit)).status).toBe(401);
    expect(read.chunks).toBe(0);
  });

  it('reads a body up to a limit, and wants what belongs into it', async () => {
    const one = rig({ dialect, manners: { maxDevicesPerTask: 1 } });
    const { body } = counted(100);
    const init = { method: 'POST', headers: await bearer(one), body, duplex: 'half' };
    expect((await one.send('/v1/tasks', init as RequestInit)).status).toBe(413);
    const empty = { method: 'POST', headers: basic('admin'), body: '' };
    expect((await one.send('/token/acme', empty)).status).toBe(400);
    expect((await one.send('/v1/devices/%ff', { headers: await bearer(one) })).status).toBe(400);
  });
});

describe('a task of many devices', () => {
  it('is taken up to the number that the twin is told', async () => {
    const one = rig({ devices: 1_300, manners: { maxDevicesPerTask: 1_200 } });
    const ids = one.twin.world.state.devices.map(({ id }) => id);
    const send = async (count: number) =>
      await one.post<{ taskId: string }>(taskRequest('restartDevice', ids.slice(0, count)));
    expect((await send(1_201)).status).toBe(400);
    const { status, body } = await send(1_200);
    expect(status).toBe(200);
    const page = await one.get<{ deviceTasks: unknown[]; total: number }>(
      `/v1/tasks/${body.taskId}?limit=1000&offset=1000`,
    );
    expect([page.body.deviceTasks.length, page.body.total]).toEqual([200, 1_200]);
  });

  it('is taken up to 100 otherwise', async () => {
    const one = rig({ devices: 101 });
    const ids = one.twin.world.state.devices.map(({ id }) => id);
    expect((await one.post(taskRequest('restartDevice', ids))).status).toBe(400);
    expect((await one.post(taskRequest('restartDevice', ids.slice(1)))).status).toBe(200);
  });
});
