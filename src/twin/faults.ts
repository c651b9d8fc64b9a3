import { randomFrom } from './random.ts';
import type { Wreck } from './call.ts';
import type { Fault, FaultMatch, FaultRule, RequestFault, TaskFault } from './fault-script.ts';

/** What a rule is held against. */
export interface Occasion {
  readonly method: string;
  readonly path: string;
  readonly taskType?: string;
  readonly deviceIds: readonly string[];
}

/** A fault script at work: it counts, so that `nth` and `times` mean what they say. */
export interface Faults {
  /** Everything that happens to this request. */
  forRequest(occasion: Occasion): readonly RequestFault[];
  /** Everything that happens to a new device task. */
  forDeviceTask(taskType: string, deviceId: string): Wreck;
}

/** The seed decides `share`; nothing else in a script is left to chance. */
export function faultsOf(rules: readonly FaultRule[], seed: number): Faults {
  const random = randomFrom(seed ^ 0x5eed);
  const counted = rules.map((rule) => ({ ...rule, seen: 0, fired: 0 }));
  const firing = (isWanted: (fault: Fault) => boolean, occasion: Occasion): readonly Fault[] =>
    counted.flatMap((rule) => {
      if (!isWanted(rule.fault) || !matches(rule.match, occasion)) return [];
      rule.seen += 1;
      const { nth, times, share } = rule.match;
      const isDue = rule.seen >= (nth ?? 1) && rule.fired < (times ?? (nth ? 1 : Infinity));
      if (!isDue || random.next() >= (share ?? 1)) return [];
      rule.fired += 1;
      return [rule.fault];
    });
  return {
    forRequest: (occasion) =>
      firing((fault) => !isTaskFault(fault), occasion).filter((fault) => !isTaskFault(fault)),
    forDeviceTask(taskType, deviceId) {
      const occasion = { method: 'POST', path: '/v1/tasks', taskType, deviceIds: [deviceId] };
      return wreckOf(firing(isTaskFault, occasion).filter(isTaskFault));
    },
  };
}

/** The occasion that a request is: the devices are those in its path and in its body. */
export function occasionOf(method: string, path: string, body: string): Occasion {
  const inPath = /^\/v1\/devices\/([^/]+)/.exec(path)?.[1];
  const task = taskIn(body);
  const deviceIds = [...(inPath === undefined ? [] : [decodeURIComponent(inPath)]), ...task.ids];
  return { method, path, deviceIds, ...(task.type !== undefined && { taskType: task.type }) };
}

function isTaskFault(fault: Fault): fault is TaskFault {
  return ['stuckTask', 'vanishedTask', 'failingDevice', 'liar'].includes(fault.type);
}

function matches(match: FaultMatch, occasion: Occasion): boolean {
  if (match.method !== undefined && match.method !== occasion.method) return false;
  if (match.path !== undefined && !matchesPath(match.path, occasion.path)) return false;
  if (match.taskType !== undefined && match.taskType !== occasion.taskType) return false;
  return match.deviceId === undefined || occasion.deviceIds.includes(match.deviceId);
}

/** `*` stands for one segment, `**` at the end for all that follow. */
function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const found = path.split('/');
  const isOpen = wanted.at(-1) === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? found.length < fixed.length : found.length !== fixed.length) return false;
  return fixed.every((segment, index) => segment === '*' || segment === found[index]);
}

function wreckOf(faults: readonly TaskFault[]): Wreck {
  const vanishes = faults.some(({ type }) => type === 'vanishedTask');
  const worst = faults.find(({ type }) => type !== 'vanishedTask');
  return { vanishes, ...(worst && mishapOf(worst)) };
}

function mishapOf(fault: TaskFault): Wreck {
  if (fault.type === 'failingDevice') return { mishap: fault.result };
  return { mishap: fault.type === 'liar' ? 'liar' : 'stuck' };
}

function taskIn(body: string): { readonly type?: string; readonly ids: readonly string[] } {
  const task = fieldsOf(parsed(body));
  const devices: readonly unknown[] = Array.isArray(task['devices']) ? task['devices'] : [];
  const ids = devices.flatMap((entry) => {
    const { deviceId, discoveredDeviceId } = fieldsOf(entry);
    return [deviceId, discoveredDeviceId].filter((id) => typeof id === 'string');
  });
  return { ids, ...(typeof task['taskType'] === 'string' && { type: task['taskType'] }) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
