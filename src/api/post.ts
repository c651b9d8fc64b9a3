import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import { bodyText } from '../model/http.ts';
import type { HttpAnswer, PostAnswer } from '../model/ports.ts';
import { TASK_OF, type Payload, type PayloadValue, type TaskRequest } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import {
  field,
  shownId,
  known,
  member,
  nested,
  put,
  shownText,
  type PartialRow,
} from './decode/fields.ts';
import { parseAnswerJson } from './decode/parse-json.ts';
import { serviceDate, retryAfter } from './retry-after.ts';
import { isSafeId, unsafeReason } from './wire.ts';
import { isObject } from '../lib/objects.ts';

export interface BodyParts {
  readonly dialect: Dialect;
  /** Returns the value of a secret, or undefined. */
  readonly secrets: (name: string) => string | undefined;
  /** Receives each secret used, so that no trace shows it. */
  readonly onSecret: (value: string) => void;
}

/**
 * The exact body of a task request. Secrets are resolved here and nowhere else. Throws
 * `secretMissing`, or `idUnsafe` for an ID that the service cannot have created, before anything is
 * sent.
 */
export function taskBody(request: TaskRequest, parts: BodyParts): string {
  const { task, devices, defaultPayload } = request;
  const { dialect } = parts;
  const isOnboarding = task === TASK_OF.onboarding;
  const idName = isOnboarding ? dialect.onboardDeviceField : dialect.taskDeviceField;
  const typeKey = isOnboarding ? 'onboardDeviceType' : 'taskDeviceType';
  return JSON.stringify({
    taskType: task,
    devices: devices.map(({ deviceId, second, payload }) => ({
      ...nested([
        [idName, idAs(dialect[typeKey], typeKey, checked(deviceId))],
        ...(second === undefined ? [] : [[dialect.onboardSecondField, second] as const]),
      ]),
      ...(payload && { payload: resolved(payload, parts) }),
    })),
    ...(defaultPayload !== undefined && {
      defaultPayload: defaultPayload && resolved(defaultPayload, parts),
    }),
  });
}

/** The raw answer to the POST. An ID that could not be requested again does not count. */
export function postAnswer(
  received: HttpAnswer,
  { now, dialect }: { readonly now: Instant; readonly dialect: Dialect },
): PostAnswer {
  const text = bodyText(received);
  const parsed = parseAnswerJson(Buffer.from(text));
  const value = 'problem' in parsed ? undefined : parsed.value;
  const answer: PartialRow<Extract<PostAnswer, { kind: 'answered' }>> = {
    kind: 'answered',
    status: received.status,
    json: !('problem' in parsed),
    taskIds: [...new Set([...taskIdsIn(value), ...repeatedIds(text)])].filter(isSafeId),
  };
  put(answer, 'deviceIds', echoIn(value, dialect));
  put(answer, 'retryAfter', retryAfter(received, now));
  put(answer, 'date', serviceDate(received));
  return answer;
}

function checked(id: string): string {
  const why = unsafeReason(id);
  if (why === undefined) return id;
  throw new WorldError('idUnsafe', { what: 'tasks', id: id.slice(0, 128), why });
}

/** An ID that is not numeric cannot be sent as a number. */
function idAs(type: 'text' | 'number', key: DialectKey, id: string): string | number {
  if (type === 'text') return id;
  if (String(Number(id)) === id && Number.isSafeInteger(Number(id))) return Number(id);
  throw new WorldError('idUnsafe', { what: 'device id', id: id.slice(0, 128), key });
}

/** A payload with its secrets resolved. Throws `secretMissing`. */
export function resolved(
  payload: Payload,
  parts: Pick<BodyParts, 'secrets' | 'onSecret'>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, resolvedValue(value, parts)]),
  );
}

function resolvedValue(
  value: PayloadValue,
  parts: Pick<BodyParts, 'secrets' | 'onSecret'>,
): unknown {
  if (isList(value)) return value.map((item) => resolvedValue(item, parts));
  if (typeof value !== 'object' || value === null) return value;
  const { fromEnv: name } = value;
  const isReference = typeof name === 'string' && Object.keys(value).length === 1;
  return isReference ? resolveSecret(name, parts) : resolved(value as Payload, parts);
}

function isList(value: PayloadValue): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

function resolveSecret(
  name: string,
  { secrets, onSecret }: Pick<BodyParts, 'secrets' | 'onSecret'>,
): string {
  const value = secrets(name);
  if (value === undefined || value === '') throw new WorldError('secretMissing', { name });
  onSecret(value);
  return value;
}

/** Task IDs at the top level, in a top-level list, or in members of a list below it. */
function taskIdsIn(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isObject).flatMap((row) => {
    const below = Object.values(row).filter(Array.isArray).flat();
    return [row, ...below]
      .map((item) => (isObject(item) ? known(shownText(member(item, 'taskId'))) : undefined))
      .filter((id) => id !== undefined);
  });
}

/**
 * A parser hides the first of two equal members in one object, so both IDs are found in the text.
 */
function repeatedIds(text: string): readonly string[] {
  const ids = [...text.matchAll(/"taskId"\s*:\s*"([^"\\]*)"/g)].map((match) => match[1] ?? '');
  return ids.length > 1 ? ids : [];
}

/** The devices that the answer names in a list of its own, if any. */
function echoIn(value: unknown, dialect: Dialect): readonly string[] | undefined {
  if (!isObject(value)) return undefined;
  const lists = ['devices', 'deviceTasks', 'deviceIds'].map((name) => member(value, name));
  const ids = [field(dialect.taskDeviceField), field(dialect.onboardDeviceField)];
  const idIn = (item: unknown): string | undefined =>
    isObject(item)
      ? ids.map((id) => known(shownId(id(item)))).find((id) => id !== undefined)
      : known(shownId(item));
  return lists
    .find(Array.isArray)
    ?.map(idIn)
    .filter((id: string | undefined) => id !== undefined);
}
