import { WorldError } from '../model/error.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type {
  Collection,
  Collections,
  Dated,
  ListOptions,
  ServiceFilter,
  FirmwarePath,
  HttpAnswer,
  PageRows,
  Pass,
  Service,
} from '../model/ports.ts';
import type { ReadProblem } from '../model/fleet/snapshot.ts';
import type { DeviceTask, ServiceTask, TaskStep } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import { readJsonRow, unexpected, readJsonValue } from './decode/answer.ts';
import type { Decoders, Decoder } from './decode/decode.ts';
import type { FactReaders } from './decode/facts.ts';
import { allRead, isFault, type Fault } from './decode/fault.ts';
import {
  type Fail,
  type PartialRow,
  type JsonRow,
  field,
  shownId,
  known,
  member,
  put,
  shownText,
} from './decode/fields.ts';
import { buildQuery } from './decode/filters.ts';
import { listRows } from './list.ts';
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
import { isObject } from '../lib/objects.ts';

type Reads = Omit<Service, 'createTask' | 'holdToken'>;

interface ReadParts {
  readonly read: ServiceRead;
  readonly dialect: Dialect;
  readonly decoders: Decoders;
  readonly facts: FactReaders;
}

export function createReads(parts: ReadParts): Reads {
  const { facts } = parts;
  return {
    list: (collection, filter, options) => list(collection, { filter, ...options }, parts),
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
  { filter = {}, only }: ListOptions & { readonly filter: ServiceFilter | undefined },
  parts: ReadParts,
): AsyncGenerator<PageRows<Collections[C]>, Pass> {
  const { decoders, dialect } = parts;
  const query = buildQuery(collection, filter, dialect);
  const failOf = failures(collection, endpointPath(collection), dialect);
  const idOf = field(idField(collection, dialect) ?? '');
  const isWanted = (row: JsonRow): boolean => only?.has(known(shownId(idOf(row))) ?? '') ?? true;
  let date: Instant | undefined;
  const onAnswer = (answer: HttpAnswer): void => void (date = serviceDate(answer));
  const pages = listRows(collection, { query }, { ...parts, onAnswer });
  for (;;) {
    const { value: rows, done } = await pages.next();
    if (done) return { ...rows, ...(date !== undefined && { date }) };
    yield decoders.pageOf(collection, only ? rows.filter(isWanted) : rows, failOf);
  }
}

/** An answer with another ID than requested is rejected. */
async function device(id: string, { read, decoders }: ReadParts): ReturnType<Service['device']> {
  const answer = await read('device', { id });
  if (!answer) return { value: undefined };
  const path = endpointPath('device', id);
  const row = readJsonRow(answer, path);
  const fail: Fail = (name) => {
    throw unexpected(path, name);
  };
  const named = member(row, 'id') ?? id;
  if (shownId(named) !== id) fail('id');
  return dated(decoders.devices({ ...row, id: named }, fail), serviceDate(answer));
}

async function fact<T>(
  endpoint: ServiceEndpoint,
  id: string,
  decode: (answer: unknown) => T | Fault,
  { read }: ReadParts,
): Promise<T | ReadProblem> {
  try {
    const answer = await read(endpoint, { id });
    if (!answer) return 'notFound';
    const found = decode(readJsonValue(answer, endpointPath(endpoint, id)));
    return isFault(found) ? 'unreadable' : found;
  } catch (error) {
    if (hasCode(error, 'forbidden')) return 'forbidden';
    throw error;
  }
}

/**
 * Without admin rights, or on a service without this list, which answers 404, the list is
 * `forbidden`. An incomplete list does not count.
 */
async function firmwarePaths(parts: ReadParts): Promise<readonly FirmwarePath[] | 'forbidden'> {
  if (parts.dialect.firmwarePathsPages === 'none') return 'forbidden';
  const path = endpointPath('firmwarePaths');
  const found: FirmwarePath[] = [];
  const pass = listRows('firmwarePaths', {}, parts);
  try {
    let step = await pass.next();
    for (; !step.done; step = await pass.next()) {
      const paths = allRead(step.value.map((row) => parts.facts.firmwarePaths(row)));
      if (isFault(paths)) throw unexpected(path, paths.at, paths.keys[0]);
      found.push(...paths.flat());
    }
    const { torn: why } = step.value;
    if (why) throw new WorldError('listTorn', { collection: 'firmwarePaths', why });
    return found;
  } catch (error) {
    if (hasCode(error, 'forbidden') || hasCode(error, 'notFound')) return 'forbidden';
    throw error;
  }
}

async function task(
  taskId: string,
  steps: boolean,
  parts: ReadParts,
): Promise<Dated<ServiceTask | undefined>> {
  const rowsOf = taskRows(taskId, parts.dialect);
  let first: { readonly page: JsonRow; readonly date: Instant | undefined } | undefined;
  const rows = listRows(
    'task',
    { id: taskId, query: steps ? { includeSteps: 'true' } : {} },
    {
      ...parts,
      onPage: (page, answer) => (first ??= { page, date: serviceDate(answer) }),
    },
  );
  try {
    let step = await rows.next();
    for (; !step.done; step = await rows.next()) for (const row of step.value) rowsOf.add(row);
    const read: PartialRow<ServiceTask> = { taskId, ...rowsOf.read(), total: step.value.total };
    put(read, 'userName', first && known(shownText(member(first.page, 'userName'))));
    return dated(read, first?.date);
  } catch (error) {
    if (hasCode(error, 'notFound')) return { value: undefined };
    throw error;
  }
}

/**
 * Collects the rows of a task. A row that is not understood is counted with its device and holds up
 * no other (protocol X19); where no row is understood, the answer is not: `read` throws what is wrong
 * with the first.
 */
function taskRows(taskId: string, dialect: Dialect) {
  const decode = deviceTaskDecoder(taskId, dialect);
  const failOf = failures('task', endpointPath('task', taskId), dialect);
  const deviceTasks: DeviceTask[] = [];
  const unread: string[] = [];
  let flaw: unknown;
  return {
    add(row: JsonRow): void {
      try {
        deviceTasks.push(decode(row, failOf(row)));
      } catch (error) {
        if (!hasCode(error, 'unexpectedShape')) throw error;
        flaw ??= error;
        unread.push(known(shownId(member(row, 'deviceId'))) ?? '');
      }
    },
    read(): Pick<ServiceTask, 'deviceTasks' | 'unread'> {
      if (flaw !== undefined && deviceTasks.length === 0) throw flaw;
      return { deviceTasks, ...(unread.length > 0 && { unread }) };
    },
  };
}

/** Adds the row's ID to the path of an unreadable field. */
function failures(endpoint: ListEndpoint, path: string, dialect: Dialect): (row: JsonRow) => Fail {
  const list = listField(endpoint, dialect);
  const id = idField(endpoint, dialect) ?? '';
  return (row) => (name) => {
    throw unexpected(path, `${list}[${known(shownId(field(id)(row))) ?? ''}].${name}`);
  };
}

function dated<T>(value: T, date: Instant | undefined): Dated<T> {
  return date === undefined ? { value } : { value, date };
}

function hasCode(error: unknown, code: WorldError['code']): boolean {
  return error instanceof WorldError && error.code === code;
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
    const value = steps(row);
    put(task, 'steps', Array.isArray(value) ? value.filter(isObject).map(stepOf) : undefined);
    return task;
  };
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
