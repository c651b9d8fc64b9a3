import { WorldError } from '../model/error.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type {
  Collection,
  Collections,
  Dated,
  ServiceFilter,
  FirmwarePath,
  Pass,
  Service,
} from '../model/ports.ts';
import type { ReadProblem } from '../model/fleet/snapshot.ts';
import type { DeviceTask, ServiceTask, TaskStep } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import { readJsonRow, unexpected, readJsonValue } from './decode/answer.ts';
import type { Decoder, Decoders, Fail } from './decode/decode.ts';
import type { FactReaders } from './decode/facts.ts';
import {
  type PartialRow,
  type JsonRow,
  field,
  shownId,
  isJsonRow,
  known,
  member,
  put,
  shownText,
} from './decode/fields.ts';
import { buildQuery } from './decode/filters.ts';
import { listRows, type OnPage } from './list.ts';
import type { ServiceRead } from './read.ts';
import { serviceDate } from './retry-after.ts';
import {
  type ServiceEndpoint,
  type ListEndpoint,
  idField,
  listField,
  endpointPath,
} from './wire.ts';
import { decodeInstant } from './decode/dates.ts';

type Reads = Omit<Service, 'createTask' | 'holdToken'>;

export interface ReadParts {
  readonly read: ServiceRead;
  readonly dialect: Dialect;
  readonly decoders: Decoders;
  readonly facts: FactReaders;
}

/** The typed reads of the service. */
export function createReads(parts: ReadParts): Reads {
  const { facts } = parts;
  return {
    list: (collection, filter) => list(collection, filter ?? {}, parts),
    device: (id) => device(id, parts),
    targetFirmware: (id) => fact('targetFirmware', id, facts.targetFirmware, parts),
    passwords: (id) => fact('passwords', id, facts.passwords, parts),
    certificates: (id) => fact('certificates', id, facts.certificates, parts),
    firmwarePaths: () => firmwarePaths(parts),
    task: (id, options) => task(id, options?.steps === true, parts),
  };
}

async function* list<C extends Collection>(
  collection: C,
  filter: ServiceFilter,
  parts: ReadParts,
): AsyncGenerator<readonly Collections[C][], Pass> {
  const query = buildQuery(collection, filter, parts.dialect);
  const decode: Decoder<Collections[C]> = parts.decoders[collection];
  const failOf = failures(collection, endpointPath(collection), parts.dialect);
  let date: Instant | undefined;
  const onPage: OnPage = (_, response) => (date = serviceDate(response));
  const rows = listRows(collection, { query }, { ...parts, onPage });
  for (;;) {
    const step = await rows.next();
    if (step.done) return { ...step.value, ...(date !== undefined && { date }) };
    yield step.value.map((row) => decode(row, failOf(row)));
  }
}

/** An answer with another ID than requested is rejected. */
async function device(id: string, { read, decoders }: ReadParts): ReturnType<Service['device']> {
  const response = await read('device', { id });
  if (!response) return { value: undefined };
  const path = endpointPath('device', id);
  const row = await readJsonRow(response, path);
  const fail: Fail = (name) => {
    throw unexpected(path, name);
  };
  const named = member(row, 'id') ?? id;
  if (shownId(named) !== id) fail('id');
  return dated(decoders.devices({ ...row, id: named }, fail), serviceDate(response));
}

async function fact<T>(
  endpoint: ServiceEndpoint,
  id: string,
  decode: (answer: unknown) => T,
  { read }: ReadParts,
): Promise<T | ReadProblem> {
  try {
    const response = await read(endpoint, { id });
    return response
      ? decode(await readJsonValue(response, endpointPath(endpoint, id)))
      : 'notFound';
  } catch (error) {
    if (isForbidden(error)) return 'forbidden';
    throw error;
  }
}

/**
 * Without admin rights, or on a service without this list, which answers 404, the list is
 * `forbidden`. An incomplete list does not count.
 */
async function firmwarePaths(parts: ReadParts): Promise<readonly FirmwarePath[] | 'forbidden'> {
  if (parts.dialect.firmwarePathsListField === '') return 'forbidden';
  const path = endpointPath('firmwarePaths');
  const found: FirmwarePath[] = [];
  const pass = listRows('firmwarePaths', {}, parts);
  try {
    let step = await pass.next();
    for (; !step.done; step = await pass.next()) {
      for (const row of step.value)
        found.push(...(parts.facts.firmwarePaths(row) ?? refusePath(path, row, parts)));
    }
    const { torn: why } = step.value;
    if (why) throw new WorldError('listTorn', { collection: 'firmwarePaths', why });
    return found;
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return 'forbidden';
    throw error;
  }
}

async function task(
  taskId: string,
  steps: boolean,
  parts: ReadParts,
): Promise<Dated<ServiceTask | undefined>> {
  const decode = deviceTaskDecoder(taskId, parts.dialect);
  const failOf = failures('task', endpointPath('task', taskId), parts.dialect);
  const deviceTasks: DeviceTask[] = [];
  let first: { readonly answer: JsonRow; readonly date: Instant | undefined } | undefined;
  const rows = listRows(
    'task',
    { id: taskId, query: steps ? { includeSteps: 'true' } : {} },
    {
      ...parts,
      onPage: (answer, response) => (first ??= { answer, date: serviceDate(response) }),
    },
  );
  try {
    let step = await rows.next();
    for (; !step.done; step = await rows.next()) {
      deviceTasks.push(...step.value.map((row) => decode(row, failOf(row))));
    }
    const read: PartialRow<ServiceTask> = { taskId, deviceTasks, total: step.value.total };
    put(read, 'userName', first && known(shownText(member(first.answer, 'userName'))));
    return dated(read, first?.date);
  } catch (error) {
    if (isNotFound(error)) return { value: undefined };
    throw error;
  }
}

/** Adds the row's ID to the path of an unreadable field. */
function failures(endpoint: ListEndpoint, path: string, dialect: Dialect): (row: JsonRow) => Fail {
  const list = listField(endpoint, dialect);
  const id = idField(endpoint, dialect) ?? '';
  return (row) => (name) => {
    throw unexpected(path, `${list}[${known(shownId(field(id)(row))) ?? ''}].${name}`);
  };
}

/** Required members of a path, in the order in which errors name them. */
const PATH_KEYS = [
  'firmwarePathVendorField',
  'firmwarePathModelField',
  'firmwarePathFromField',
  'firmwarePathToField',
] as const satisfies readonly DialectKey[];

function refusePath(path: string, row: JsonRow, { dialect }: ReadParts): never {
  const key = PATH_KEYS.find((each) => field(dialect[each])(row) === undefined);
  const name = key === undefined ? '' : `.${dialect[key]}`;
  throw unexpected(path, `${listField('firmwarePaths', dialect)}[]${name}`, key);
}

function dated<T>(value: T, date: Instant | undefined): Dated<T> {
  return date === undefined ? { value } : { value, date };
}

function isForbidden(error: unknown): boolean {
  return error instanceof WorldError && error.code === 'forbidden';
}

function isNotFound(error: unknown): boolean {
  return error instanceof WorldError && error.code === 'notFound';
}

/**
 * Decodes the device tasks of one service task. A row of another task, or without a device, is an
 * unexpected shape: foreign progress must never count as ours. An absent status becomes the empty
 * text, which is never final.
 */
export function deviceTaskDecoder(taskId: string, dialect: Dialect): Decoder<DeviceTask> {
  const onboardedId = field(dialect.onboardedId === 'same' ? '' : dialect.onboardedIdField);
  const steps = field(dialect.stepsField);
  const stepOf = stepDecoder(dialect);
  return (row, fail) => {
    const parent = member(row, 'taskId');
    if (parent !== undefined && parent !== null && parent !== taskId) fail('taskId');
    const task: PartialRow<DeviceTask> = {
      deviceTaskId: known(shownId(member(row, 'deviceTaskId'))) ?? '',
      deviceId: known(shownId(member(row, 'deviceId'))) ?? fail('deviceId'),
      status: known(shownText(member(row, 'status'))) ?? '',
      result: known(shownText(member(row, 'result'))) ?? null,
    };
    put(task, 'currentStepStatus', known(shownText(member(row, 'currentStepStatus'))));
    put(task, 'taskType', known(shownText(member(row, 'taskType'))));
    put(task, 'createdAt', known(decodeInstant(member(row, 'createDate'), dialect.dateForm)));
    put(task, 'onboardedId', known(shownId(onboardedId(row))));
    put(task, 'steps', decodeSteps(steps(row), stepOf));
    return task;
  };
}

function decodeSteps(
  value: unknown,
  stepOf: (row: JsonRow) => TaskStep,
): readonly TaskStep[] | undefined {
  return Array.isArray(value) ? value.filter(isJsonRow).map(stepOf) : undefined;
}

function stepDecoder(dialect: Dialect): (row: JsonRow) => TaskStep {
  const name = field(dialect.stepNameField);
  const status = field(dialect.stepStatusField);
  const message = field(dialect.stepMessageField);
  return (row) => {
    const step: PartialRow<TaskStep> = {
      name: known(shownText(name(row))) ?? '',
      status: known(shownText(status(row))) ?? '',
    };
    put(step, 'message', known(shownText(message(row))));
    return step;
  };
}
