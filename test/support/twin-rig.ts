import type { components } from '../../src/service.gen.ts';
import type { Role, User } from '../../src/twin/world/state.ts';
import { CLIENT_SECRETS } from './canary.ts';
import { createTwin, type Twin, type TwinOptions } from '../../src/twin/twin.ts';

export type Wire = components['schemas'];

export const START = Date.parse('2026-11-20T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const ORIGIN = 'http://twin.test';

/** One user of each role with known credentials; the viewer sees site 1 alone. */
export const USERS: readonly User[] = [
  { userName: 'Ada Admin', role: 'admin', clientId: 'a', clientSecret: CLIENT_SECRETS.admin },
  {
    userName: 'Otto Operator',
    role: 'operator',
    clientId: 'o',
    clientSecret: CLIENT_SECRETS.operator,
  },
  {
    userName: 'Vera Viewer',
    role: 'viewer',
    clientId: 'v',
    clientSecret: CLIENT_SECRETS.viewer,
    siteIds: [1],
  },
];

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** A twin in virtual time, and a hand that speaks to it with a fresh token for each request. */
export interface Rig {
  readonly twin: Twin;
  /** Moves the clock on. */
  pass(ms: number): void;
  now(): number;
  get<T>(path: string, role?: Role): Promise<Reply<T>>;
  post<T>(body: unknown, role?: Role): Promise<Reply<T>>;
  /** Any request, with this header or none. */
  send(path: string, init?: RequestInit): Promise<Response>;
  token(role?: Role): Promise<string>;
  /** Creates a task, lets an hour pass, answers its device tasks with steps. */
  run(
    taskType: string,
    ids: readonly string[],
    payload?: object,
  ): Promise<readonly Wire['DeviceTask'][]>;
}

export function rig(options: Partial<TwinOptions> = {}): Rig {
  let now = START;
  const pass = (ms: number): void => {
    now += ms;
  };
  const clock = { now: () => now, wait: async (ms: number) => pass(ms) };
  const twin = createTwin({ clock, devices: 60, sites: 3, users: USERS, ...options });
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    twin.handle(new Request(ORIGIN + path, init));
  const token = async (role: Role = 'admin'): Promise<string> => {
    const answer = await send('/v1/auth/acme', { method: 'POST', headers: basic(role) });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const get = async <T>(path: string, role?: Role): Promise<Reply<T>> => {
    const headers = { Authorization: `Bearer ${await token(role)}` };
    return replyOf<T>(await send(path, { headers }));
  };
  const post = async <T>(body: unknown, role?: Role): Promise<Reply<T>> => {
    const headers = { Authorization: `Bearer ${await token(role)}` };
    return replyOf<T>(
      await send('/v1/tasks', { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  };
  const run: Rig['run'] = async (taskType, ids, payload) => {
    const { body } = await post<Wire['TaskCreated']>(taskRequest(taskType, ids, payload));
    pass(HOUR);
    const task = await get<Wire['Task']>(`/v1/tasks/${body.taskId}?includeSteps=true`);
    return task.body.deviceTasks ?? [];
  };
  return { twin, pass, now: () => now, get, post, send, token, run };
}

export function taskRequest(taskType: string, ids: readonly string[], payload?: object): object {
  const key = taskType === 'onboardDevice' ? 'discoveredDeviceId' : 'deviceId';
  const devices = ids.map((id) => ({ [key]: id }));
  return { taskType, devices, ...(payload && { defaultPayload: payload }) };
}

export function basic(role: Role): Record<string, string> {
  const user = USERS.find((known) => known.role === role);
  const pair = `${user?.clientId}:${user?.clientSecret}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function replyOf<T>(answer: Response): Promise<Reply<T>> {
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as T,
  };
}
