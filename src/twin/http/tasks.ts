import type { components } from '../../service.gen.ts';
import { taskVersionForRead } from './stale-reads.ts';
import { Refusal, notFound, ok, type Answer, type Call, type TaskFaults } from '../call.ts';
import { enqueue } from '../engine.ts';
import type { RequestFault } from '../faults/fault.ts';
import { EFFECTS } from '../effects/index.ts';
import { parseBoolean, filtered } from './filter.ts';
import { DEVICE_TASK_FILTERS } from './filters.ts';
import { JsonError, parseBoundedJson } from '../json.ts';
import { selectPage } from './pages.ts';
import { uuidFrom } from '../world/random.ts';
import type { DeviceState, DeviceTaskState, TaskState, TaskType } from '../world/state.ts';
import { seesSite, seesTask } from './users.ts';
import { deviceTaskOnWire } from './wire.ts';

type Wire = components['schemas'];
type Fields = Readonly<Record<string, unknown>>;

/** Answers `POST /v1/tasks`: accepts all devices or none. Requires Admin or Operator. */
export function createTask(call: Call): Answer {
  const { world, user, now, manners } = call;
  if (user.role === 'viewer') throw new Refusal(403, 'Admin or Operator permission is needed');
  const request = parseBody(call.body);
  const type = parseTaskType(request['taskType']);
  const entries = parseEntries(request['devices'], type, manners.maxDevicesPerTask);
  const fallback = parsePayload(request['defaultPayload']) ?? {};
  const targets = entries.map((entry): Target => {
    const device = findTarget(call, type, entry.id);
    return { device, payload: entry.payload ?? fallback, ...call.injectedFor(type, entry.id) };
  });
  const unknownMs = Math.max(...targets.map((target) => target.unknownMs ?? 0));
  const start = (): TaskState => {
    const task: TaskState = {
      id: uuidFrom(world.random),
      type,
      userName: user.userName,
      createdAt: now,
      vanished: targets.some(({ vanishes }) => vanishes),
      ...(unknownMs > 0 && { unknownUntil: now + unknownMs }),
      deviceTasks: targets.map((target) => newDeviceTask(uuidFrom(world.random), target)),
    };
    world.addTask(task);
    enqueue(world, task, lateMs(call));
    return task;
  };
  const task = start();
  if (hasFault(call, 'acceptedTwice')) start();
  const named = hasFault(call, 'foreignTask') ? somebodyElses(call, task) : task;
  return ok({ taskId: named.id } satisfies Wire['TaskCreated']);
}

/** Answers `GET /v1/tasks/{id}`. */
export function getTask(call: Call): Answer {
  const { world, user, id, query } = call;
  const task = world.task(id);
  if (task === undefined || task.vanished || !seesTask(user, task)) throw notFound();
  if (call.now < (task.unknownUntil ?? 0)) throw notFound();
  const withSteps = parseBoolean(query.get('includeSteps') ?? 'false');
  if (withSteps === undefined) throw new Refusal(400, 'includeSteps must be true or false');
  const page = selectPage(call, filtered(call, task.deviceTasks, DEVICE_TASK_FILTERS));
  const deviceTasks = page.items.map((one) =>
    deviceTaskOnWire(task, taskVersionForRead(call, one), withSteps),
  );
  return ok({ userName: task.userName, deviceTasks, total: page.total } satisfies Wire['Task']);
}

function hasFault({ faults }: Call, type: RequestFault['type']): boolean {
  return faults.some((fault) => fault.type === type);
}

function lateMs({ faults }: Call): number {
  return Math.max(0, ...faults.map((one) => (one.type === 'lateExecution' ? one.ms : 0)));
}

/** An earlier task, or one that another user has just finished on another device. */
function somebodyElses({ world, now }: Call, own: TaskState): TaskState {
  const [earlier] = world.state.tasks;
  if (earlier !== undefined && earlier !== own) return earlier;
  const taken = new Set(own.deviceTasks.map(({ deviceId }) => deviceId));
  const devices = world.state.devices.filter(({ id }) => !taken.has(id)).slice(0, 1);
  const task: TaskState = {
    id: uuidFrom(world.random),
    type: 'restartDevice',
    userName: 'Somebody Else',
    createdAt: now,
    vanished: false,
    deviceTasks: devices.map((device) => ({
      ...newDeviceTask(uuidFrom(world.random), { device, payload: {} }),
      status: 'completed',
      result: 'succeeded',
    })),
  };
  world.addTask(task);
  return task;
}

interface Target extends TaskFaults {
  readonly device: DeviceState;
  readonly payload: Fields;
}

/** The task of one device before its start. */
export function newDeviceTask(id: string, target: Target): DeviceTaskState {
  const { device, payload, mishap, thankless } = target;
  return {
    id,
    deviceId: device.id,
    deviceName: device.name,
    deviceModel: device.model,
    deviceHost: device.host,
    siteId: device.siteId,
    payload,
    status: 'pending',
    result: null,
    fate: 'failed',
    steps: [],
    current: 0,
    ...(mishap && { mishap }),
    ...(thankless && { thankless }),
  };
}

/**
 * The device that an entry names: a discovered one for onboarding, a managed one for every other
 * task. Throws a 404 `Refusal`, as reads do.
 */
function findTarget({ world, user }: Call, type: TaskType, id: string): DeviceState {
  const managed = world.device(id);
  const found = type === 'onboardDevice' ? (world.discovered(id)?.device ?? managed) : managed;
  if (found === undefined || !seesSite(user, found.siteId)) throw notFound();
  return found;
}

interface Entry {
  readonly id: string;
  readonly payload: Fields | undefined;
}

function parseEntries(value: unknown, type: TaskType, most: number): readonly Entry[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) {
    throw new Refusal(400, `devices must be a list of 1 to ${most} entries`);
  }
  const idField = type === 'onboardDevice' ? 'discoveredDeviceId' : 'deviceId';
  const entries = value.map((item: unknown): Entry => {
    const entry = parseFields(item, 'an entry of devices');
    const id = entry[idField];
    if (typeof id !== 'string') throw new Refusal(400, `an entry of devices needs ${idField}`);
    return { id, payload: parsePayload(entry['payload']) };
  });
  if (new Set(entries.map(({ id }) => id)).size < entries.length) {
    throw new Refusal(400, 'a device is named twice');
  }
  return entries;
}

function parsePayload(value: unknown): Fields | undefined {
  if (value === undefined || value === null) return undefined;
  const payload = parseFields(value, 'a payload');
  if (!['string', 'undefined'].includes(typeof payload['targetVersion'])) {
    throw new Refusal(400, 'targetVersion must be a text');
  }
  return payload;
}

function parseTaskType(value: unknown): TaskType {
  const type = Object.keys(EFFECTS).find((known): known is TaskType => known === value);
  if (type === undefined) throw new Refusal(400, 'taskType is none of the known ones');
  return type;
}

function parseFields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Refusal(400, `${what} must be an object`);
}

/** The object in the body of a request; refuses any other. */
export function parseBody(body: string): Fields {
  return parseFields(parse(body), 'the body');
}

function parse(body: string): unknown {
  try {
    return parseBoundedJson(body);
  } catch (error) {
    if (error instanceof JsonError)
      throw new Refusal(400, `the body cannot be read: ${error.message}`);
    throw error;
  }
}
