import { groupBy } from '../../lib/group-by.ts';
import {
  TASK_RESULTS,
  type DeviceTask,
  type ServiceTask,
  type TaskResult,
} from '../../model/fleet/task.ts';
import type { Ports } from '../ports.ts';

/**
 * The state of the work on one device, by `status` and `result` together. `unclear`: an
 * undocumented word, or a completion without a result; never final.
 */
export type DeviceProgress =
  | { readonly is: 'pending' | 'running'; readonly step: string }
  | { readonly is: 'unclear' }
  | { readonly is: 'ended'; readonly result: TaskResult; readonly deviceTask: DeviceTask };

/** A service task compared with the batch that was sent. */
export interface TaskReading {
  readonly states: ReadonlyMap<string, DeviceProgress>;
  /** Devices of the batch that a complete answer lacks. */
  readonly missing: readonly string[];
  /** Devices in it that were not in the batch. */
  readonly foreign: readonly string[];
}

/**
 * Judges one poll (protocol X9): a device counts as missing only if `total` is the number of device
 * tasks that were read; two rows of one, which contradict each other, count once. `isOurs` also
 * knows the devices of the batch that ended in an earlier poll.
 */
export function readTask(
  task: ServiceTask,
  batch: { readonly deviceIds: readonly string[]; isOurs(deviceId: string): boolean },
): TaskReading {
  const { unread = [] } = task;
  const rows = groupBy(task.deviceTasks, ({ deviceId }) => deviceId);
  const states = new Map([...rows].map(([id, tasks]) => [id, together(tasks)] as const));
  for (const id of unclearIn(unread, batch.deviceIds, states)) states.set(id, { is: 'unclear' });
  const ids = new Set(task.deviceTasks.map((each) => each.deviceTaskId || each.deviceId));
  const isWhole = unread.length === 0 && task.total === ids.size;
  return {
    states,
    missing: isWhole ? batch.deviceIds.filter((id) => !states.has(id)) : [],
    foreign: [...states.keys()].filter((id) => !batch.isOurs(id)),
  };
}

/**
 * The devices of the batch that a row which was not understood may be about: the one that it names,
 * else those without a row. If there are more such rows than devices without one, it may be any.
 */
function unclearIn(
  unread: readonly string[],
  deviceIds: readonly string[],
  states: ReadonlyMap<string, DeviceProgress>,
): readonly string[] {
  const named = deviceIds.filter((id) => unread.includes(id));
  const unnamed = unread.filter((id) => id === '').length;
  const without = deviceIds.filter((id) => !states.has(id) && !named.includes(id));
  if (unnamed > without.length) return deviceIds;
  return unnamed > 0 ? [...named, ...without] : named;
}

/** A device that is listed twice is clear only where both rows agree. */
function together(tasks: readonly DeviceTask[]): DeviceProgress {
  const [first = { is: 'unclear' } as const, ...others] = tasks.map(toProgress);
  const agree = others.every(
    (other) => other.is === first.is && resultIn(other) === resultIn(first),
  );
  return agree ? first : { is: 'unclear' };
}

function toProgress(deviceTask: DeviceTask): DeviceProgress {
  const { status, result, currentStepStatus: step = status } = deviceTask;
  if (status === 'pending' || status === 'running') return { is: status, step };
  const known = TASK_RESULTS.find((word) => word === result);
  return status === 'completed' && known
    ? { is: 'ended', result: known, deviceTask }
    : { is: 'unclear' };
}

function resultIn(state: DeviceProgress): TaskResult | undefined {
  return state.is === 'ended' ? state.result : undefined;
}

/** Tells which devices the service works on, or will. */
export function tellProgress({ progress }: Pick<Ports, 'progress'>, reading: TaskReading): void {
  for (const [device, state] of reading.states)
    if ('step' in state) progress({ type: 'task.progress', device, step: state.step });
}

/** Words of a failed step; the service does not document them. */
const WRONG = /fail|error|abort|reject|roll/i;
const WELL = /succe|complet|skip|pend|progress|running/i;

/**
 * The step at which a device task failed: the name of the first step whose status is a failure, or at
 * least not a success; else the status of its current step. Without step messages, because they may contain
 * names.
 */
export function failingStep(deviceTask: DeviceTask | undefined): string | undefined {
  const steps = deviceTask?.steps ?? [];
  const step =
    steps.find(({ status }) => WRONG.test(status)) ??
    steps.find(({ status }) => !WELL.test(status));
  return step?.name ?? deviceTask?.currentStepStatus;
}
