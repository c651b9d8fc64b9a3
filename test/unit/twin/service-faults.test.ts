import { describe, expect, it } from 'vitest';
import type { Fault, FaultMatch } from '../../../src/twin/faults/fault.ts';
import { HOUR, MINUTE, rig, taskRequest, type Rig, type Wire } from '../../support/twin-rig.ts';

const A = 'dev-1';
const B = 'dev-2';
const LIST = '/v1/devices?limit=10';

/** Two Axis cameras in good health on an old firmware, and one fault. */
function faulty(fault: Fault, match: FaultMatch = {}): Rig {
  const one = rig({ faults: [{ match, fault }] });
  for (const id of [A, B]) {
    const device = one.twin.world.device(id);
    Object.assign(device ?? {}, { vendor: 'Axis', model: 'P3265-V', condition: 'well' });
    Object.assign(device ?? {}, { firmwareVersion: '11.8.61', maintenance: false });
  }
  return one;
}

const version = (one: Rig): string | undefined => one.twin.world.device(A)?.firmwareVersion;
const ids = (body: Wire['DeviceList']): readonly string[] =>
  (body.devices ?? []).map(({ id }) => id ?? '');
const create = (one: Rig) => one.post<Wire['TaskCreated']>(taskRequest('upgradeFirmware', [A]));
const AT_POST = { endpoint: 'createTask' } as const;

describe('a forged answer', () => {
  it('carries any status, body, type and header, and nothing happens', async () => {
    const headers = { Location: 'https://elsewhere.example/' };
    const fault = {
      type: 'answer',
      status: 307,
      text: 'go',
      contentType: 'text/x',
      headers,
    } as const;
    const one = faulty(fault, AT_POST);
    const answer = await one.send('/v1/tasks', { method: 'POST', body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([307, 'go']);
    expect(answer.headers.get('Content-Type')).toBe('text/x');
    expect(answer.headers.get('Location')).toBe('https://elsewhere.example/');
    expect(one.twin.world.state.tasks).toHaveLength(0);
  });

  it('hides work that was done, where the script says so', async () => {
    const one = faulty({ type: 'answer', status: 502, text: '', effect: true }, AT_POST);
    await one.send('/v1/auth/acme');
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const body = JSON.stringify(taskRequest('upgradeFirmware', [A]));
    expect((await one.send('/v1/tasks', { method: 'POST', headers, body })).status).toBe(502);
    expect(one.twin.world.state.tasks).toHaveLength(1);
  });

  it.each([
    [{ status: 204 }, ''],
    [{ status: 200, text: '' }, ''],
    [{ status: 200, body: { taskId: 'x' } }, '{"taskId":"x"}'],
    [{ status: 200, text: '{}', padTo: 6 }, '{}    '],
    [{ status: 200, base64: '/w==' }, '\ufffd'],
  ])('%j has this body', async (fields, text) => {
    const one = faulty({ type: 'answer', ...fields }, { path: '/v1/sites' });
    expect(await (await one.send('/v1/sites')).text()).toBe(text);
  });

  it('writes its own Date', async () => {
    const headers = { Date: 'Thu, 01 Jan 2099 00:00:00 GMT' };
    const one = faulty({ type: 'answer', status: 200, headers });
    expect((await one.send('/v1/sites')).headers.get('Date')).toBe(headers.Date);
  });
});

describe('a service that does otherwise', () => {
  it.each(['now', 'lost'] as const)('works later than it answers (%s)', async (answer) => {
    const one = faulty({ type: 'lateExecution', ms: 2 * HOUR, answer }, AT_POST);
    const answered = await create(one).then(
      () => 'now',
      () => 'lost',
    );
    one.pass(HOUR);
    expect([answered, version(one)]).toEqual([answer, '11.8.61']);
    one.pass(2 * HOUR);
    expect(version(one)).toBe('11.11.160');
  });

  it('accepts one request twice', async () => {
    const one = faulty({ type: 'acceptedTwice' }, AT_POST);
    const { body } = await create(one);
    const { tasks } = one.twin.world.state;
    expect(tasks.map(({ deviceTasks }) => deviceTasks[0]?.deviceId)).toEqual([A, A]);
    expect(tasks[0]?.id).toBe(body.taskId);
  });

  it('names the task of somebody else', async () => {
    const one = faulty({ type: 'foreignTask' }, AT_POST);
    const { body } = await create(one);
    const { body: task } = await one.get<Wire['Task']>(`/v1/tasks/${body.taskId}`);
    expect(task.userName).toBe('Somebody Else');
    expect(task.deviceTasks?.map(({ deviceId }) => deviceId)).not.toContain(A);
  });

  it('does not know the id of a task for a while', async () => {
    const one = faulty({ type: 'unknownTask', ms: MINUTE }, { deviceId: A });
    const { body } = await create(one);
    const read = async () => (await one.get(`/v1/tasks/${body.taskId}`)).status;
    const statuses = [await read()];
    one.pass(MINUTE);
    expect([...statuses, await read()]).toEqual([404, 200]);
  });

  it('reports a failure and has done the work', async () => {
    const one = faulty({ type: 'failingDevice', result: 'failed', effect: true });
    const [task] = await one.run('upgradeFirmware', [A]);
    expect([task?.result, version(one)]).toEqual(['failed', '11.11.160']);
  });
});

describe('an answer that is not true', () => {
  const page = async (fault: Fault, path = LIST): Promise<Wire['DeviceList']> =>
    (await faulty(fault, { endpoint: 'listDevices' }).get<Wire['DeviceList']>(path)).body;

  it.each<[Fault, number, number]>([
    [{ type: 'total', by: 3 }, 10, 63],
    [{ type: 'page', by: -2 }, 8, 60],
    [{ type: 'page', by: 5 }, 15, 60],
    [{ type: 'rows', change: 'drop', count: 2 }, 8, 58],
    [{ type: 'rows', change: 'drop', count: 2, keepTotal: true }, 8, 60],
    [{ type: 'rows', change: 'repeat', count: 1 }, 11, 61],
    [{ type: 'rows', change: 'foreign', count: 1 }, 11, 61],
  ])('%j has so many rows and such a total', async (fault, rows, total) => {
    const body = await page(fault);
    expect([body.devices?.length, body.total]).toEqual([rows, total]);
  });

  it('repeats ids, or has foreign ones', async () => {
    expect(ids(await page({ type: 'rows', change: 'repeat', count: 1 })).at(-1)).toBe('dev-1');
    const foreign = await page({ type: 'rows', change: 'foreign', count: 1 });
    expect(ids(foreign).at(-1)).toBe('dev-1-foreign');
  });

  it('ignores filters', async () => {
    const { total } = await page({ type: 'filterIgnored' }, '/v1/devices?vendor=Nobody');
    expect(total).toBe(60);
  });

  it('says a word that nobody knows, in rows and in a single device', async () => {
    const fault = { type: 'word', field: 'status', value: 'sleeping' } as const;
    const { devices } = await page(fault);
    expect(new Set(devices?.map(({ status }) => status))).toEqual(new Set(['sleeping']));
    const { body } = await faulty(fault, { endpoint: 'getDevice' }).get<Wire['Device']>(
      `/v1/devices/${A}`,
    );
    expect([body.status, body.id]).toEqual(['sleeping', A]);
  });
});

describe('a stale read', () => {
  const afterUpgrade = async (versions: 1 | 2 | 3, match: FaultMatch): Promise<Rig> => {
    const one = faulty({ type: 'stale', versions }, match);
    await one.run('upgradeFirmware', [A]);
    return one;
  };

  it.each([1, 2, 3] as const)('shows a device as it was %i changes ago', async (versions) => {
    const one = await afterUpgrade(versions, { path: `/v1/devices/${A}` });
    const { body } = await one.get<Wire['Device']>(`/v1/devices/${A}`);
    expect(body.firmwareVersion).toBe('11.8.61');
    expect(Date.parse(body.lastSeen ?? '')).toBeLessThan(one.now() - 30 * MINUTE);
    expect(version(one)).toBe('11.11.160');
  });

  it('shows a task that has ended as running or pending', async () => {
    const seen: (string | undefined)[] = [];
    for (const versions of [1, 2, 3] as const) {
      const one = faulty({ type: 'stale', versions }, { endpoint: 'getTask' });
      const [task] = await one.run('upgradeFirmware', [A]);
      seen.push(task?.status);
    }
    expect(seen).toEqual(['running', 'pending', 'pending']);
  });
});

describe('churn while paging', () => {
  const pages = async (change: 'insert' | 'delete' | 'reorder'): Promise<readonly string[]> => {
    const one = faulty({ type: 'churn', change, list: 'devices', rows: 2 }, { query: 'offset=10' });
    const first = await one.get<Wire['DeviceList']>(LIST);
    const second = await one.get<Wire['DeviceList']>(`${LIST}&offset=10`);
    return [...ids(first.body), ...ids(second.body), String(second.body.total)];
  };

  it.each([
    ['insert', 'dev-9', '62'],
    ['delete', 'dev-13', '58'],
    ['reorder', 'dev-13', '60'],
  ] as const)('%s shifts the second page', async (change, next, total) => {
    const seen = await pages(change);
    expect([seen[10], seen.at(-1)]).toEqual([next, total]);
  });

  it('spares a device that a task works on', async () => {
    const churn = { type: 'churn', change: 'delete', list: 'devices', rows: 1 } as const;
    const one = faulty(churn, { endpoint: 'listDevices' });
    await create(one);
    one.pass(MINUTE);
    await one.get(LIST);
    expect(one.twin.world.device(A)).toBeDefined();
    expect(one.twin.world.device(B)).toBeUndefined();
  });
});

it('somebody else changes a device just before a request', async () => {
  const set = { firmwareVersion: '9.9.9', condition: 'dead', password: true } as const;
  const one = faulty({ type: 'outsider', deviceId: A, set }, { endpoint: 'getDevice', nth: 2 });
  const read = async () => (await one.get<Wire['Device']>(`/v1/devices/${A}`)).body;
  expect((await read()).firmwareVersion).toBe('11.8.61');
  expect(await read()).toMatchObject({ firmwareVersion: '9.9.9', status: 'offline' });
  expect(one.twin.world.device(A)?.accounts[0]?.lastChanged).toBe(one.now());
});

it('a fault has its hours', async () => {
  const one = faulty({ type: '500' }, { path: '/v1/sites', fromMs: MINUTE, untilMs: 2 * MINUTE });
  const statuses: number[] = [];
  for (let minute = 0; minute < 3; minute += 1) {
    statuses.push((await one.get('/v1/sites')).status);
    one.pass(MINUTE);
  }
  expect(statuses).toEqual([200, 500, 200]);
});
