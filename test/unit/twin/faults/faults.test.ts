import { describe, expect, it } from 'vitest';
import type { Fault, FaultMatch } from '../../../../src/twin/faults/fault.ts';
import { HOUR, rig, taskRequest, type Rig, type Wire } from '../../../support/twin-rig.ts';

const DEVICES = { path: '/v1/devices' };
const faulty = (fault: Fault, match: FaultMatch = DEVICES): Rig =>
  rig({ faults: [{ match, fault }] });
const statuses = async (one: Rig, paths: readonly string[]): Promise<number[]> => {
  const seen: number[] = [];
  for (const path of paths) seen.push((await one.get(path)).status);
  return seen;
};

describe('a fault on requests', () => {
  it.each(['401', '500', '429'] as const)('answers %s with an error body', async (type) => {
    const reply = await faulty({ type }).get('/v1/devices');
    expect(reply.status).toBe(Number(type));
    expect(reply.body).toHaveProperty('error');
    expect(reply.headers.get('Retry-After')).toBeNull();
  });

  it('says how long to wait where the script says so', async () => {
    const reply = await faulty({ type: '429', retryAfter: 7 }).get('/v1/devices');
    expect(reply.headers.get('Retry-After')).toBe('7');
  });

  it('adds latency on the clock of the twin', async () => {
    const one = faulty({ type: 'latency', ms: 1500 });
    const before = one.now();
    await one.get('/v1/devices');
    expect(one.now() - before).toBe(1500);
  });

  it('puts HTML in place of JSON', async () => {
    const one = faulty({ type: 'html' });
    const answer = await one.send('/v1/devices');
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html']);
    expect(await answer.text()).toContain('<html>');
  });

  it('cuts JSON short', async () => {
    const one = faulty({ type: 'truncated' });
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const text = await (await one.send('/v1/devices', { headers })).text();
    expect(text).toMatch(/^\{"devices":\[/);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it.each([
    ['lostAnswer', 'LostAnswer', 1],
    ['lostRequest', 'LostRequest', 0],
  ] as const)('breaks the connection: after %s the task exists or not', async (type, name, n) => {
    const one = faulty({ type }, { method: 'POST', path: '/v1/tasks' });
    await expect(one.post(taskRequest('restartDevice', ['dev-1']))).rejects.toMatchObject({ name });
    expect(one.twin.world.state.tasks).toHaveLength(n);
  });
});

describe('a match', () => {
  const paths = ['/v1/devices', '/v1/devices', '/v1/devices', '/v1/devices'];

  it.each<[FaultMatch, number[]]>([
    [{ nth: 2 }, [200, 500, 200, 200]],
    [{ times: 2 }, [500, 500, 200, 200]],
    [{ nth: 2, times: 2 }, [200, 500, 500, 200]],
    [{ share: 0 }, [200, 200, 200, 200]],
    [{ share: 1 }, [500, 500, 500, 500]],
    [{ method: 'POST' }, [200, 200, 200, 200]],
  ])('%j fires on these requests', async (match, wanted) => {
    expect(await statuses(faulty({ type: '500' }, { ...DEVICES, ...match }), paths)).toEqual(
      wanted,
    );
  });

  it.each<[string, number[]]>([
    ['/v1/devices', [500, 200, 200, 200]],
    ['/v1/devices/*', [200, 500, 200, 200]],
    ['/v1/devices/*/passwords', [200, 200, 500, 200]],
    ['/v1/devices/**', [500, 500, 500, 200]],
    ['/v1/*', [500, 200, 200, 500]],
  ])('of the path %s means these', async (path, wanted) => {
    const asked = ['/v1/devices', '/v1/devices/dev-1', '/v1/devices/dev-1/passwords', '/v1/sites'];
    expect(await statuses(faulty({ type: '500' }, { path }), asked)).toEqual(wanted);
  });

  it('of a device means its reads and the tasks that name it', async () => {
    const one = faulty({ type: '500' }, { deviceId: 'dev-2' });
    expect(await statuses(one, ['/v1/devices/dev-1', '/v1/devices/dev-2'])).toEqual([200, 500]);
    expect((await one.post(taskRequest('restartDevice', ['dev-1', 'dev-2']))).status).toBe(500);
    expect((await one.post(taskRequest('restartDevice', ['dev-1']))).status).toBe(200);
  });

  it('of a task type means the tasks of that type', async () => {
    const one = faulty({ type: '500' }, { taskType: 'rotatePassword' });
    expect((await one.post(taskRequest('rotatePassword', ['dev-1']))).status).toBe(500);
    expect((await one.post(taskRequest('restartDevice', ['dev-1']))).status).toBe(200);
  });
});

describe('a fault on device tasks', () => {
  const [a, b] = ['dev-1', 'dev-2'];
  const prepared = (fault: Fault, match: FaultMatch = { deviceId: a }): Rig => {
    const one = faulty(fault, match);
    for (const id of [a, b]) {
      const device = one.twin.world.device(id);
      Object.assign(device ?? {}, { vendor: 'Axis', model: 'P3265-V', condition: 'well' });
      Object.assign(device ?? {}, { firmwareVersion: '11.8.61' });
    }
    return one;
  };
  const versions = (one: Rig) => [a, b].map((id) => one.twin.world.device(id)?.firmwareVersion);

  it.each(['failed', 'rolledBack', 'aborted'] as const)(
    'ends it %s, leaves the device as it was, online, and spares the others',
    async (result) => {
      const one = prepared({ type: 'failingDevice', result });
      const tasks = await one.run('upgradeFirmware', [a, b]);
      expect(tasks.map((task) => task.result)).toEqual([result, 'succeeded']);
      expect(versions(one)).toEqual(['11.8.61', '11.11.160']);
      const { body } = await one.get<Wire['Device']>(`/v1/devices/${a}`);
      expect(body.status).toBe('online');
      const words = tasks[0]?.steps?.map(({ status }) => status);
      expect(words).toContain('runFailed');
      expect(words?.at(-1)).toBe(result === 'rolledBack' ? 'runSucceeded' : 'runSkipped');
    },
  );

  it('lies: it succeeds and nothing has changed', async () => {
    const one = prepared({ type: 'liar' });
    const tasks = await one.run('upgradeFirmware', [a, b]);
    expect(tasks.map((task) => task.result)).toEqual(['succeeded', 'succeeded']);
    expect(versions(one)).toEqual(['11.8.61', '11.11.160']);
  });

  it('leaves it running for ever', async () => {
    const one = prepared({ type: 'stuckTask' });
    const [task] = await one.run('upgradeFirmware', [a]);
    one.pass(1000 * HOUR);
    const { body } = await one.get<Wire['Task']>(`/v1/tasks/${task?.taskId}`);
    expect(body.deviceTasks?.[0]).toMatchObject({
      status: 'running',
      result: null,
      currentStepStatus: 'runInProgress',
    });
  });

  it('hides the task from everybody while its work goes on', async () => {
    const one = prepared({ type: 'vanishedTask' });
    const { body } = await one.post<Wire['TaskCreated']>(taskRequest('upgradeFirmware', [a]));
    one.pass(HOUR);
    expect((await one.get(`/v1/tasks/${body.taskId}`)).status).toBe(404);
    expect(versions(one)[0]).toBe('11.11.160');
  });

  it('can hit a seeded share of them', async () => {
    const match = { taskType: 'restartDevice', share: 0.5 };
    const one = faulty({ type: 'failingDevice', result: 'failed' }, match);
    const ids = one.twin.world.state.devices.filter((d) => d.condition === 'well').map((d) => d.id);
    const tasks = await one.run('restartDevice', ids);
    const failed = tasks.filter(({ result }) => result === 'failed').length;
    expect(failed).toBeGreaterThan(ids.length / 4);
    expect(failed).toBeLessThan((ids.length * 3) / 4);
  });
});
