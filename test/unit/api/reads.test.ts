import { describe, expect, it } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { TransportError } from '../../../src/model/ports.ts';
import { drain, fakeService, json, pageOf, type Answer } from '../../support/api-service.ts';

const rowsOf = (count: number, name = 'd') =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}-${index}` }));

describe('lists', () => {
  it('are read in pages of 1000 with five rows shared', async () => {
    const { client, calls } = fakeService(({ query }) => pageOf('devices', rowsOf(2_500), query));
    const { rows, result } = await drain(client.list('devices', { status: 'online' }));
    expect(rows).toHaveLength(2_500);
    expect(result).toEqual({ total: 2_500, rows: 2_500, pages: 3 });
    expect(calls().map(({ query }) => query)).toEqual([
      { status: 'online', limit: '1000', offset: '0' },
      { status: 'online', limit: '1000', offset: '995' },
      { status: 'online', limit: '1000', offset: '1990' },
    ]);
    expect(calls().map(({ at }) => at)).toEqual([0, 1_000, 2_000]);
  });

  it.each(['sites', 'deviceSources', 'discoveredDevices'] as const)(
    'of %s have their own path',
    async (list) => {
      const { client, calls } = fakeService(({ query }) => pageOf(list, rowsOf(3), query));
      expect((await drain(client.list(list))).rows.map(({ id }) => id)).toEqual([
        'd-0',
        'd-1',
        'd-2',
      ]);
      expect(calls()[0]?.path).toBe(`/v1/${list}`);
    },
  );

  it('may have its total as digits in a text', async () => {
    const { client } = fakeService(() => json({ devices: rowsOf(3), total: '3' }));
    expect((await drain(client.list('devices'))).rows).toHaveLength(3);
  });

  it('may leave the list out where nothing matches', async () => {
    const { client } = fakeService(() => json({ total: 0 }));
    expect((await drain(client.list('devices'))).rows).toEqual([]);
  });

  it.each([
    [{ devices: [] }, 'total'],
    [{ devices: [], total: -1 }, 'total'],
    [{ devices: [], total: 'three' }, 'total'],
    [{ devices: [], total: '' }, 'total'],
    [{ devices: [], total: '1e3' }, 'total'],
    [{ total: 3 }, 'devices'],
    [{ devices: {}, total: 1 }, 'devices'],
    [{ devices: [{ id: 'a' }, 7], total: 2 }, 'devices[1]'],
    [{ devices: [{ id: 'a' }, {}], total: 2 }, 'devices[1].id'],
    [[], '$'],
  ])('of the shape %j are not understood', async (body, place) => {
    const { client } = fakeService(() => json(body));
    await expect(drain(client.list('devices'))).rejects.toMatchObject({
      code: 'unexpectedShape',
      params: { path: '/v1/devices', at: place },
    });
  });
});

describe('a read', () => {
  it.each<[string, Answer, string]>([
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'notJson'],
    [
      'JSON under another name',
      () =>
        new Response('{"devices":[],"total":0}', {
          headers: { 'content-type': 'application/xml' },
        }),
      'notJson',
    ],
    ['HTML that nobody announced', () => new Response('<!doctype html>'), 'notJson'],
    ['half an answer', () => new Response('{"id":"d-1","na'), 'cut'],
    ['nothing', () => new Response(''), 'cut'],
    ['a text', () => json('d-1'), 'unexpectedShape'],
    ['another device', () => json({ id: 'd-2' }), 'unexpectedShape'],
    ['deep nesting', () => new Response('['.repeat(40)), 'unexpectedShape'],
    ['a redirect', () => json({}, 301), 'redirected'],
    ['403', () => json({}, 403), 'forbidden'],
    ['429 for ever', () => json({}, 429), 'tooManyRequests'],
    ['500 for ever', () => json({}, 500), 'unexpectedStatus'],
    ['418', () => json({}, 418), 'unexpectedStatus'],
  ])('that answers %s fails as %3$s', async (_, answer, code) => {
    const { client } = fakeService(answer);
    await expect(client.device('d-1')).rejects.toMatchObject({ code });
  });

  it.each([
    ['ENOTFOUND', 'unreachable'],
    ['ECONNREFUSED', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timedOut'],
    ['timedOut', 'timedOut'],
    ['tooLarge', 'tooLarge'],
    ['UND_ERR_SOCKET', 'cut'],
    ['CERT_HAS_EXPIRED', 'tlsFailed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tlsFailed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tlsFailed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tlsFailed'],
  ])('without an answer for %s fails as %s', async (cause, code) => {
    const { client } = fakeService(() => {
      throw new TransportError('sent', cause);
    });
    const params = { host: 'api.test', path: '/v1/devices/d-1', cause };
    await expect(client.device('d-1')).rejects.toMatchObject({ code, params });
  });

  it('says when the service answered', async () => {
    const date = 'Fri, 20 Nov 2026 20:00:05 GMT';
    const { client } = fakeService(() => json({ id: 'd-1' }, 200, { date }));
    expect((await client.device('d-1')).date).toBe(Date.parse(date));
    const odd = fakeService(() => json({ id: 'd-1' }, 200, { date: 'now' }));
    expect(await odd.client.device('d-1')).not.toHaveProperty('date');
  });

  it('of what is gone is a value', async () => {
    const { client } = fakeService(() => json({}, 404));
    expect(await client.device('d-1')).toEqual({ value: undefined });
    expect(await client.task('t-1')).toEqual({ value: undefined });
    expect(await client.passwords('d-1')).toBe('notFound');
    expect(await client.firmwarePaths()).toBe('forbidden');
  });

  it('that a user may not make is a value where the core can do without it', async () => {
    const { client } = fakeService(() => json({}, 403));
    expect(await client.targetFirmware('d-1')).toBe('forbidden');
    expect(await client.certificates('d-1')).toBe('forbidden');
    expect(await client.firmwarePaths()).toBe('forbidden');
    await expect(drain(client.listRaw('firmwarePaths'))).rejects.toMatchObject({
      code: 'forbidden',
      params: { needs: 'Admin' },
    });
  });

  it('ends when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const { client, calls } = fakeService(() => json({}), { signal });
    await expect(client.device('d-1')).rejects.toMatchObject({ params: { cause: 'cancelled' } });
    expect(calls()).toHaveLength(0);
  });
});

describe('ids in addresses', () => {
  const hostile = [
    '',
    '.',
    '..',
    '../tasks',
    'a/../b',
    'a\\..\\b',
    './a',
    'a/.. ',
    '%2f',
    '%2e%2e',
    'a\nb',
    'a\0b',
    '\u202e',
    '\ud800',
    'a'.repeat(129),
  ];

  it.each(hostile)('%j reach no server', async (id) => {
    const { client, seen } = fakeService(() => json({}));
    const reads: readonly (() => Promise<unknown>)[] = [
      () => client.device(id),
      () => client.targetFirmware(id),
      () => client.passwords(id),
      () => client.certificates(id),
      () => client.task(id),
      () => client.readRaw('site', id),
      () => client.readRaw('deviceSource', id),
      () => client.readRaw('vulnerabilities', id),
      async () => drain(client.taskRaw(id)),
    ];
    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'idUnsafe' });
    expect(seen).toHaveLength(0);
  });

  it.each([
    'd-1',
    '17',
    'a.b_c~d',
    '00:40:8c',
    'x@y=z+1',
    '$&',
    'a..b',
    'lobby 1',
    'HQ/lobby/1',
    'a\\b',
    '{7F3A-11}',
    'Tür-Süd',
    '门 1',
    'a?b#c',
    '100 %',
    'é',
    '{id}',
    ';',
    'a,b',
    '"',
    '<',
    '*',
  ])('%s arrive as they are', async (id) => {
    const { client, calls } = fakeService(() => json({ id }));
    await client.device(id);
    const [path = ''] = calls().map((call) => call.path);
    expect(path.split('/')).toHaveLength(4);
    expect(decodeURIComponent(path)).toBe(`/v1/devices/${id}`);
  });
});

describe('a task', () => {
  const tasksOf = (count: number, taskId = 't-1') =>
    Array.from({ length: count }, (_, index) => ({
      deviceTaskId: `dt-${index}`,
      deviceId: `d-${index}`,
      status: 'completed',
      result: 'succeeded',
      taskId,
    }));
  const paged =
    (rows: readonly unknown[]): Answer =>
    async ({ query }) => {
      const page = (await pageOf('deviceTasks', rows, query).json()) as object;
      return json({ userName: 'Otto', ...page });
    };

  it('is read over all its pages, steps only when asked for', async () => {
    const { client, calls } = fakeService(paged(tasksOf(1_500)));
    const { value } = await client.task('t-1');
    expect(value).toMatchObject({ taskId: 't-1', userName: 'Otto', total: 1_500 });
    expect(value?.deviceTasks).toHaveLength(1_500);
    expect(calls().every(({ query }) => query['limit'] === '1000')).toBe(true);
    expect(calls()[0]?.query).not.toHaveProperty('includeSteps');
    await client.task('t-1', { steps: true });
    expect(calls().at(-1)?.query).toMatchObject({ includeSteps: 'true' });
  });

  it('of somebody else is an unexpected shape', async () => {
    const { client } = fakeService(paged(tasksOf(2, 't-2')));
    await expect(client.task('t-1')).rejects.toMatchObject({
      params: { at: 'deviceTasks[dt-0].taskId' },
    });
  });

  it.each([
    ['no object', null, ''],
    ['without a device', { status: 'completed' }, ''],
    ['of another task', { deviceTaskId: 'x', deviceId: 'd-9', taskId: 't-2' }, 'd-9'],
  ])('counts a row that is %s, and shows the others (protocol X19)', async (_, bad, device) => {
    const rows = [bad, ...tasksOf(7), bad];
    const { client, calls } = fakeService(() => json({ deviceTasks: rows, total: 9 }));
    const { value } = await client.task('t-1');
    expect(value?.deviceTasks.map(({ deviceId }) => deviceId)).toHaveLength(7);
    expect(new Set(value?.unread)).toEqual(new Set([device]));
    expect([value?.total, calls().length < 3]).toEqual([9, true]);
  });

  it('that misses rows shows fewer than its total', async () => {
    const { client } = fakeService(() => json({ deviceTasks: tasksOf(2), total: 3 }));
    const { value } = await client.task('t-1');
    expect([value?.deviceTasks.length, value?.total]).toEqual([2, 3]);
  });
});

describe('firmware paths', () => {
  const path = { vendor: 'Axis', model: 'P3265', from: '10.1', to: '11.2', path: ['11.2'] };

  it('are read with or without a total', async () => {
    for (const body of [{ firmwarePaths: [path], total: 1 }, { firmwarePaths: [path] }]) {
      const { client } = fakeService(() => json(body));
      expect(await client.firmwarePaths()).toEqual([path]);
    }
  });

  it('may be a list alone', async () => {
    const { client } = fakeService(() => json([path]), {
      dialect: resolveDialect({ firmwarePathsListField: '' }),
    });
    expect(await client.firmwarePaths()).toEqual([path]);
  });

  it('are not requested from a service that has none', async () => {
    const { client, calls } = fakeService(() => json([path]), {
      dialect: resolveDialect({ firmwarePathsPages: 'none' }),
    });
    expect(await client.firmwarePaths()).toBe('forbidden');
    expect(calls()).toEqual([]);
  });

  it('that cannot be read are an unexpected shape', async () => {
    for (const [answer, key] of [
      [{ firmwarePaths: [{ vendor: 'Axis' }], total: 1 }, 'firmwarePathModelField'],
      [{ firmwarePaths: [{ ...path, to: undefined }] }, 'firmwarePathToField'],
      [{ paths: [path] }, 'firmwarePathsListField'],
    ] as const) {
      const { client } = fakeService(() => json(answer));
      await expect(client.firmwarePaths()).rejects.toMatchObject({
        code: 'unexpectedShape',
        params: { key },
      });
    }
  });
});
