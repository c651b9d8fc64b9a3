import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, rig, taskRequest, type Wire } from '../../../support/twin-rig.ts';

const healthy = (one: ReturnType<typeof rig>): string[] =>
  one.twin.world.state.devices.filter((d) => d.condition === 'well').map(({ id }) => id);

describe('creating a task', () => {
  it.each<[string, unknown, number]>([
    ['an unknown task type', { taskType: 'hardenDevice', devices: [{ deviceId: 'dev-1' }] }, 400],
    ['no task type', { devices: [{ deviceId: 'dev-1' }] }, 400],
    ['no devices', { taskType: 'restartDevice' }, 400],
    ['an empty list', { taskType: 'restartDevice', devices: [] }, 400],
    ['an entry without id', { taskType: 'restartDevice', devices: [{ id: 'dev-1' }] }, 400],
    ['an entry that is text', { taskType: 'restartDevice', devices: ['dev-1'] }, 400],
    ['the same device twice', taskRequest('restartDevice', ['dev-1', 'dev-1']), 400],
    ['an unknown device', taskRequest('restartDevice', ['dev-1', 'dev-none']), 404],
    ['a discovered device', taskRequest('restartDevice', ['disc-1']), 404],
    ['a text as payload', { ...taskRequest('restartDevice', ['dev-1']), defaultPayload: 'x' }, 400],
    ['a list', [], 400],
    [
      '101 devices',
      taskRequest(
        'restartDevice',
        Array.from({ length: 101 }, (_, n) => `${n}`),
      ),
      400,
    ],
  ])('with %s is refused, and nothing is done', async (_what, body, status) => {
    const one = rig();
    expect((await one.post(body)).status).toBe(status);
    expect(one.twin.world.state.tasks).toEqual([]);
  });

  it('refuses a body that is not JSON', async () => {
    const one = rig();
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const answer = await one.send('/v1/tasks', { method: 'POST', headers, body: '{' });
    expect(answer.status).toBe(400);
  });

  it.each([
    ['absent', {}],
    ['empty', { defaultPayload: {} }],
    ['null', { defaultPayload: null }],
  ])('takes a restart whose default payload is %s', async (_what, more) => {
    const one = rig();
    const [id = ''] = healthy(one);
    const reply = await one.post({ ...taskRequest('restartDevice', [id]), ...more });
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([200, ['taskId']]);
  });

  it('gives the same ids for the same seed, and no two alike', async () => {
    const ids = async (): Promise<unknown[]> => {
      const one = rig();
      const request = taskRequest('restartDevice', healthy(one).slice(0, 2));
      return [(await one.post(request)).body, (await one.post(request)).body];
    };
    const first = await ids();
    expect(first).toEqual(await ids());
    expect(first[0]).not.toEqual(first[1]);
  });
});

describe('reading a task', () => {
  it('shows pending, then running, then completed with a result', async () => {
    const one = rig();
    const [id = ''] = healthy(one);
    const { body } = await one.post<Wire['TaskCreated']>(taskRequest('restartDevice', [id]));
    const read = async () =>
      (await one.get<Wire['Task']>(`/v1/tasks/${body.taskId}`)).body.deviceTasks?.[0];
    expect(await read()).toMatchObject({ status: 'pending', result: null });
    one.pass(15_000);
    expect(await read()).toMatchObject({ status: 'running', result: null });
    one.pass(HOUR);
    expect(await read()).toMatchObject({
      status: 'completed',
      result: 'succeeded',
      currentStepStatus: 'runSucceeded',
    });
  });

  it('names who executed it, and each device', async () => {
    const one = rig();
    const [id = ''] = healthy(one);
    const device = one.twin.world.device(id);
    const created = await one.post<Wire['TaskCreated']>(
      taskRequest('rotatePassword', [id]),
      'operator',
    );
    const { body } = await one.get<Wire['Task']>(`/v1/tasks/${created.body.taskId}`);
    expect(body).toMatchObject({
      userName: 'Otto Operator',
      total: 1,
      deviceTasks: [
        {
          createDate: '2026-11-20T12:00:00Z',
          deviceId: id,
          deviceName: device?.name,
          deviceModel: device?.model,
          deviceHost: device?.host,
          taskId: created.body.taskId,
          taskType: 'rotatePassword',
        },
      ],
    });
  });

  it('has steps only where they are asked for, each with its times', async () => {
    const one = rig();
    const [id = ''] = healthy(one);
    const [task] = await one.run('rotateSslCertificate', [id]);
    expect(task?.steps?.length).toBeGreaterThanOrEqual(4);
    expect(task?.steps?.every((step) => step.status === 'runSucceeded' && step.endDate)).toBe(true);
    const plain = await one.get<Wire['Task']>(`/v1/tasks/${task?.taskId}`);
    expect(plain.body.deviceTasks?.[0]).not.toHaveProperty('steps');
    expect((await one.get(`/v1/tasks/${task?.taskId}?includeSteps=maybe`)).status).toBe(400);
  });

  it('is paged and filtered by status and result', async () => {
    const one = rig();
    const ids = healthy(one).slice(0, 5);
    const dark = one.twin.world.device(ids[0] ?? '');
    if (dark) dark.condition = 'dark';
    const [task] = await one.run('rotatePassword', ids);
    const total = async (query: string) => {
      const { body } = await one.get<Wire['Task']>(`/v1/tasks/${task?.taskId}?${query}`);
      return [body.deviceTasks?.length, body.total];
    };
    expect(await total('limit=2&offset=4')).toEqual([1, 5]);
    expect(await total('result=failed')).toEqual([1, 1]);
    expect(await total('result=succeeded&limit=2')).toEqual([2, 4]);
    expect(await total('status=running')).toEqual([0, 0]);
    expect((await one.get(`/v1/tasks/${task?.taskId}?status=done`)).status).toBe(400);
  });

  it('is a 404 for an id that no task has', async () => {
    expect((await rig().get('/v1/tasks/none')).status).toBe(404);
  });

  it('ends sooner by the time scale, with true timestamps', async () => {
    const one = rig({ timeScale: 60 });
    const [id = ''] = healthy(one);
    const { body } = await one.post<Wire['TaskCreated']>(taskRequest('restartDevice', [id]));
    one.pass(MINUTE / 20);
    const task = await one.get<Wire['Task']>(`/v1/tasks/${body.taskId}?includeSteps=1`);
    const [done] = task.body.deviceTasks ?? [];
    expect(done?.result).toBe('succeeded');
    expect(Date.parse(done?.steps?.at(-1)?.endDate ?? '')).toBeLessThanOrEqual(one.now());
  });
});
