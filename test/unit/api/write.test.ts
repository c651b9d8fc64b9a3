import { describe, expect, it } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { WorldError } from '../../../src/model/error.ts';
import { TransportError } from '../../../src/model/ports.ts';
import type { TaskRequest } from '../../../src/model/fleet/task.ts';
import { fakeService, json, type Answer } from '../../support/api-service.ts';

const restart: TaskRequest = { task: 'restartDevice', devices: [{ deviceId: 'd-1' }] };
const accepted: Answer = () => json({ taskId: 't-1' });

async function bodyOf(request: TaskRequest, options = {}): Promise<unknown> {
  const { client, calls } = fakeService(accepted, options);
  await client.createTask(request);
  return JSON.parse(calls()[0]?.body ?? '');
}

describe('the body of a task', () => {
  it.each([
    [undefined, {}],
    [null, { defaultPayload: null }],
    [{}, { defaultPayload: {} }],
  ])('carries a default payload of %j as the request says', async (defaultPayload, rest) => {
    const request = { ...restart, ...(defaultPayload !== undefined && { defaultPayload }) };
    expect(await bodyOf(request)).toEqual({
      taskType: 'restartDevice',
      devices: [{ deviceId: 'd-1' }],
      ...rest,
    });
  });

  it('carries a payload per device where they differ', async () => {
    const devices = [
      { deviceId: 'd-1', payload: { targetVersion: '11.11.65' } },
      { deviceId: 'd-2', payload: { targetVersion: '12.0.1' } },
      { deviceId: 'd-3' },
    ];
    expect(await bodyOf({ task: 'upgradeFirmware', devices })).toEqual({
      taskType: 'upgradeFirmware',
      devices,
    });
  });

  it('names devices as the dialect says, for onboarding too', async () => {
    const dialect = resolveDialect({ onboardDeviceField: 'discoId', taskDeviceField: 'dev' });
    const devices = [{ deviceId: 'disc-1' }];
    expect(await bodyOf({ task: 'onboardDevice', devices }, { dialect })).toEqual({
      taskType: 'onboardDevice',
      devices: [{ discoId: 'disc-1' }],
    });
    expect(await bodyOf(restart, { dialect })).toMatchObject({ devices: [{ dev: 'd-1' }] });
  });

  it('holds the values of secrets, wherever they are referred to', async () => {
    const secret = { fromEnv: 'CAMERA_PASSWORD' };
    const defaultPayload = { password: secret, deep: [{ a: secret }], fromEnv: 'plain' };
    const body = await bodyOf({ ...restart, task: 'rotatePassword', defaultPayload });
    expect(body).toMatchObject({
      defaultPayload: {
        password: 'hunter2-very-secret',
        deep: [{ a: 'hunter2-very-secret' }],
        fromEnv: 'plain',
      },
    });
  });

  it.each([
    ['secretMissing', { ...restart, defaultPayload: { p: { fromEnv: 'NOT_SET' } } }],
    ['idUnsafe', { ...restart, devices: [{ deviceId: '../tasks' }] }],
  ])('that cannot be made is %s, and nothing is sent', async (code, request) => {
    const { client, seen } = fakeService(accepted);
    await expect(client.createTask(request)).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(0);
  });

  it.each([
    ['taskDeviceType', restart],
    ['onboardDeviceType', { ...restart, task: 'onboardDevice' as const }],
  ] as const)('names %s where an id is no number', async (key, request) => {
    const { client, seen } = fakeService(accepted, {
      dialect: resolveDialect({ [key]: 'number' }),
    });
    await expect(client.createTask(request)).rejects.toMatchObject({ params: { key } });
    expect(seen).toHaveLength(0);
  });

  it('is JSON, sent with POST', async () => {
    const { client, calls } = fakeService(accepted);
    await client.createTask(restart);
    expect(calls()).toMatchObject([{ method: 'POST', path: '/v1/tasks' }]);
  });
});

describe('a task that waits its turn', () => {
  it('I13 is not sent when it is too late by then, and says that no byte left', async () => {
    const { client, calls, clock } = fakeService(accepted);
    await client.createTask(restart);
    const late = clock.now() + 500;
    const answer = await client.createTask(restart, { isLate: () => clock.now() > late });
    expect(answer).toEqual({ kind: 'failed', phase: 'unsent', code: 'tooLate' });
    expect(calls().length).toBe(1);
  });
});

describe('the answer to a task', () => {
  const answerTo = (response: () => Response) => {
    const { client } = fakeService(response);
    return client.createTask(restart);
  };

  it.each([
    ['one id', { taskId: 't-1' }, ['t-1']],
    ['no id', {}, []],
    ['an empty id', { taskId: '' }, []],
    ['an id that is no text', { taskId: 17 }, []],
    ['an id that is a path', { taskId: '../devices' }, []],
    ['two ids in a list', [{ taskId: 't-1' }, { taskId: 't-2' }], ['t-1', 't-2']],
    ['two ids below', { tasks: [{ taskId: 't-1' }, { taskId: 't-2' }] }, ['t-1', 't-2']],
    ['one id many times', { taskId: 't-1', deviceTasks: [{ taskId: 't-1' }] }, ['t-1']],
    ['a number', 17, []],
  ])('with %s has the ids %3$j', async (_, body, taskIds) => {
    expect(await answerTo(() => json(body))).toMatchObject({ json: true, taskIds });
  });

  it('with one name twice has both ids', async () => {
    const answer = await answerTo(() => new Response('{"taskId":"t-1","taskId":"t-2"}'));
    expect(answer).toMatchObject({ taskIds: ['t-2', 't-1'] });
  });

  it.each([
    [{ taskId: 't-1' }, undefined],
    [{ taskId: 't-1', devices: [{ deviceId: 'd-1' }, { deviceId: 7 }] }, ['d-1', '7']],
    [{ taskId: 't-1', deviceIds: ['d-1', 'd-9'] }, ['d-1', 'd-9']],
    [{ taskId: 't-1', devices: [{ discoveredDeviceId: 'x-1' }] }, ['x-1']],
  ])('%j echoes the devices %j', async (body, deviceIds) => {
    const answer = await answerTo(() => json(body));
    expect(answer.kind === 'answered' && answer.deviceIds).toEqual(deviceIds);
  });

  it.each([200, 201, 202, 302, 400, 403, 404, 408, 409, 422, 429, 500, 503])(
    'with status %i comes back as it is, and is not asked for again',
    async (status) => {
      const { client, calls } = fakeService(() => json({ error: 'x' }, status));
      expect(await client.createTask(restart)).toMatchObject({ kind: 'answered', status });
      expect(calls()).toHaveLength(1);
    },
  );

  it.each(['<html></html>', '{"taskId":"t-', ''])('that is %j is no JSON', async (text) => {
    expect(await answerTo(() => new Response(text))).toMatchObject({ json: false, taskIds: [] });
  });

  it('says when it came and how long to wait', async () => {
    const headers = { date: 'Fri, 20 Nov 2026 20:00:05 GMT', 'retry-after': '3' };
    expect(await answerTo(() => json({}, 429, headers))).toMatchObject({
      retryAfter: 3_000,
      date: Date.parse('2026-11-20T20:00:05Z'),
    });
  });

  it.each([
    [new TransportError('unsent', 'ECONNREFUSED'), 'unsent', 'ECONNREFUSED'],
    [new TransportError('sent', 'ECONNRESET'), 'sent', 'ECONNRESET'],
    [new Error('odd'), 'sent', 'failed'],
  ])('that never came is a value, not an error: %s', async (error, phase, code) => {
    const { client, calls } = fakeService(() => {
      throw error;
    });
    expect(await client.createTask(restart)).toEqual({ kind: 'failed', phase, code });
    expect(calls()).toHaveLength(1);
  });

  it.each([
    new WorldError('fileUnreadable', { file: 'trace' }),
    new WorldError('credentialsRefused'),
    new WorldError('unreachable'),
    new TransportError('unsent', 'failed'),
    new TransportError('unsent', 'ENOSPC'),
    'no error at all',
  ])('whose way threw %s may have been sent: that is no code of before the bytes', async (what) => {
    const { client } = fakeService(() => {
      throw what;
    });
    expect(await client.createTask(restart)).toMatchObject({ kind: 'failed', phase: 'sent' });
  });

  it.each([
    [
      'throws what looks like a request that never left',
      () => {
        throw new TransportError('unsent', 'ECONNREFUSED');
      },
    ],
    [
      'throws an error of the world',
      () => {
        throw new WorldError('credentialsRefused');
      },
    ],
    [
      'throws no error',
      () => {
        throw 'odd';
      },
    ],
    ['promises and breaks it', () => Promise.reject(new Error('later')) as unknown as undefined],
  ])('is the same where an observer %s', async (_, observe) => {
    const options = { trace: observe, onRetry: observe };
    const tokens: Answer = (_seen, nth) =>
      nth === 1 ? json({}, 503) : json({ access_token: 'token-7', expires_in: 3600 });
    const { client, calls } = fakeService(accepted, { ...options, tokens });
    expect(await client.createTask(restart)).toMatchObject({ status: 200, taskIds: ['t-1'] });
    expect(calls()).toHaveLength(1);
    const lost = fakeService(
      () => {
        throw new TransportError('sent', 'ECONNRESET');
      },
      { ...options },
    );
    expect(await lost.client.createTask(restart)).toMatchObject({
      phase: 'sent',
      code: 'ECONNRESET',
    });
  });

  it('to a token that could not be had is that nothing was sent', async () => {
    const tokens: Answer = () => json({}, 401);
    const { client, calls } = fakeService(accepted, { tokens });
    expect(await client.createTask(restart)).toEqual({
      kind: 'failed',
      phase: 'unsent',
      code: 'credentialsRefused',
    });
    expect(calls()).toHaveLength(0);
    const lost: Answer = () => Promise.reject(new TransportError('sent', 'ECONNRESET'));
    const second = fakeService(accepted, { tokens: lost });
    expect(await second.client.createTask(restart)).toMatchObject({ phase: 'unsent' });
  });
});
