import { type Change, isWanted } from '../../model/plan/change.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { Counter } from './caps.ts';

/**
 * The order of the first tasks of an onboarded device: each waits until those before it in `after`
 * are done once, or are not requested. They are the tasks of the normal policies; none starts
 * earlier because of this (semantics O6).
 */
export function firstDay(
  { documents, memory }: { readonly documents: Documents; readonly memory: Memory },
  changes: Iterable<Change>,
): Counter {
  const onboarded = onboardedDevices(documents, memory);
  const wanted = onboarded.size > 0 ? wantedTasks(changes, onboarded) : new Set<string>();
  return {
    refuses({ device, task }) {
      const duties = onboarded.get(device.id);
      const isLeft = (duty: TaskType): boolean =>
        wanted.has(`${duty}/${device.id}`) && !isDone(memory, device.id, { duty, ...duties });
      const first = duties?.order.slice(0, duties.order.indexOf(task)).find(isLeft);
      if (!duties?.order.includes(task) || first === undefined) return undefined;
      return { code: 'notDue', why: 'firstDay', params: { task: first } };
    },
  };
}

interface Duties {
  readonly order: readonly TaskType[];
  readonly since: Instant;
}

function onboardedDevices(documents: Documents, memory: Memory): ReadonlyMap<string, Duties> {
  const orders = new Map(
    [...documents.onboarding.values()].map(({ value }) => [value.address, value.after]),
  );
  const onboarded = new Map<string, Duties>();
  if (orders.size === 0) return onboarded;
  for (const intent of memory.intents.values()) {
    const { task, device, managedId = device, policy, verdict, attemptedAt: since } = intent;
    const order =
      task === TASK_OF.onboarding && verdict === 'done' ? orders.get(policy) : undefined;
    if (order) onboarded.set(managedId, { order, since });
  }
  return onboarded;
}

function wantedTasks(
  changes: Iterable<Change>,
  onboarded: ReadonlyMap<string, Duties>,
): ReadonlySet<string> {
  const wanted = new Set<string>();
  for (const change of changes)
    if (isWanted(change) && onboarded.has(change.device.id)) wanted.add(change.id);
  return wanted;
}

function isDone(
  memory: Memory,
  deviceId: string,
  { duty, since = 0 }: { readonly duty: TaskType; readonly since?: Instant },
): boolean {
  return memory
    .intentsOf(deviceId, duty)
    .some(({ verdict, attemptedAt }) => verdict === 'done' && attemptedAt > since);
}
