import { jsonValue } from '../json.ts';
import { randomFrom } from '../world/random.ts';
import type { TaskFaults } from '../call.ts';
import {
  ENDPOINTS,
  type Fault,
  type FaultMatch,
  type FaultRule,
  type RequestFault,
  type TaskFault,
} from './fault.ts';
import type { Time } from '../world/state.ts';

/** The request or device task that a rule is matched against. */
interface Occasion {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly taskType?: string;
  readonly deviceIds: readonly string[];
}

/** A running fault script, which counts matches for `nth` and `times`. */
export interface Faults {
  forRequest(occasion: Occasion): readonly RequestFault[];
  forDeviceTask(taskType: string, deviceId: string): TaskFaults;
}

/** What a script needs besides its rules. The seed decides `share`; nothing else is random. */
interface FaultsParts {
  readonly seed: number;
  readonly now: () => Time;
  readonly onFault?: ((fault: Fault) => void) | undefined;
}

/** Starts a fault script; `fromMs` and `untilMs` count from this call. */
export function createFaults(
  rules: readonly FaultRule[],
  { seed, now, onFault }: FaultsParts,
): Faults {
  const random = randomFrom(seed ^ 0x5eed);
  const began = now();
  const counted = rules.map((rule) => ({ ...rule, seen: 0, fired: 0 }));
  const firing = <F extends Fault>(
    isWanted: (fault: Fault) => fault is F,
    occasion: Occasion,
  ): readonly F[] =>
    counted.flatMap((rule) => {
      const { match, fault } = rule;
      if (!isWanted(fault) || !matches(match, occasion)) return [];
      const { nth, times, share, fromMs = 0, untilMs = Infinity } = match;
      const age = now() - began;
      if (age < fromMs || age >= untilMs) return [];
      rule.seen += 1;
      const isDue = rule.seen >= (nth ?? 1) && rule.fired < (times ?? (nth ? 1 : Infinity));
      if (!isDue || random.next() >= (share ?? 1)) return [];
      rule.fired += 1;
      onFault?.(fault);
      return [fault];
    });
  return {
    forRequest: (occasion) =>
      firing((fault): fault is RequestFault => !isTaskFault(fault), occasion),
    forDeviceTask(taskType, deviceId) {
      const occasion = { method: 'POST', path: '/v1/tasks', taskType, deviceIds: [deviceId] };
      return combineTaskFaults(firing(isTaskFault, occasion));
    },
  };
}

/** The occasion of a request: the devices are those in its path and in its body. */
export function parseOccasion(method: string, url: string, body: string): Occasion {
  const { pathname: path, search: query } = new URL(url);
  const inPath = /^\/v1\/devices\/([^/]+)/.exec(path)?.[1];
  const task = taskIn(body);
  const deviceIds = [...(inPath === undefined ? [] : [decodeURIComponent(inPath)]), ...task.ids];
  return {
    method,
    path,
    query,
    deviceIds,
    ...(task.type !== undefined && { taskType: task.type }),
  };
}

const TASK_FAULTS: readonly Fault['type'][] = [
  'failingDevice',
  'unknownTask',
  'stuckTask',
  'vanishedTask',
  'liar',
] satisfies readonly TaskFault['type'][];

function isTaskFault(fault: Fault): fault is TaskFault {
  return TASK_FAULTS.includes(fault.type);
}

function matches(match: FaultMatch, occasion: Occasion): boolean {
  const { endpoint, method, path, query, taskType, deviceId } = match;
  if (endpoint !== undefined && !isAt(endpoint, occasion)) return false;
  if (method !== undefined && method !== occasion.method) return false;
  if (path !== undefined && !matchesPath(path, occasion.path)) return false;
  if (query !== undefined && !occasion.query?.includes(query)) return false;
  if (taskType !== undefined && taskType !== occasion.taskType) return false;
  return deviceId === undefined || occasion.deviceIds.includes(deviceId);
}

function isAt(endpoint: keyof typeof ENDPOINTS, occasion: Occasion): boolean {
  const [method, path] = ENDPOINTS[endpoint];
  return method === occasion.method && matchesPath(path, occasion.path);
}

/** `*` matches one segment, a final `**` all that follow. */
function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const found = path.split('/');
  const isOpen = wanted.at(-1) === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? found.length < fixed.length : found.length !== fixed.length) return false;
  return fixed.every((segment, index) => segment === '*' || segment === found[index]);
}

function combineTaskFaults(faults: readonly TaskFault[]): TaskFaults {
  const vanishes = faults.some(({ type }) => type === 'vanishedTask');
  const unknownMs = Math.max(
    0,
    ...faults.map((fault) => (fault.type === 'unknownTask' ? fault.ms : 0)),
  );
  const mishap = faults.map(injectedOutcome).find((found) => found !== undefined);
  return { vanishes, unknownMs, ...mishap };
}

function injectedOutcome(fault: TaskFault): Pick<TaskFaults, 'mishap' | 'thankless'> | undefined {
  switch (fault.type) {
    case 'failingDevice':
      return fault.effect ? { thankless: fault.result } : { mishap: fault.result };
    case 'liar':
      return { mishap: 'liar' };
    case 'stuckTask':
      return { mishap: 'stuck' };
    case 'unknownTask':
    case 'vanishedTask':
      return undefined;
  }
}

function taskIn(body: string): { readonly type?: string; readonly ids: readonly string[] } {
  if (body === '') return { ids: [] };
  const task = asFields(jsonValue(body));
  const devices: readonly unknown[] = Array.isArray(task['devices']) ? task['devices'] : [];
  const ids = devices.flatMap((entry) => {
    const { deviceId, discoveredDeviceId } = asFields(entry);
    return [deviceId, discoveredDeviceId].filter((id) => typeof id === 'string');
  });
  return { ids, ...(typeof task['taskType'] === 'string' && { type: task['taskType'] }) };
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
