import { Bug } from '../../lib/bug.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import { batchLimit, groupOf, listsBefore, requestsFor, timeFor, type Pace } from './batch.ts';
import { asDevice, type Prepared } from '../decide/decision-input.ts';
import type { LastStarts } from './last-starts.ts';

/** The requests of a run, given out in the order of the plan. */
export interface RequestBudget {
  /** Why the turn of the change in this place comes too late, if it does. */
  refuses(change: Change, index: number): Reason | undefined;
  count(change: Change): void;
}

/** Some batch that is not sent yet. */
interface Batch {
  readonly group: string;
  readonly most: number;
  readonly size: number;
}

/**
 * Step K18 of the decision order. Every start costs requests at the pace of the documents, and comes
 * after those of all before it; where that is from the last start of its window on, it waits for the
 * next one. What is counted is the least that apply asks for, so that nothing waits which could have
 * started: what is polled and read back on the way comes on top, and apply says the same of what it
 * no longer reaches.
 */
export function openRequestBudget(
  input: Prepared & { readonly policies: ReadonlyMap<string, Policy> },
  starts: LastStarts,
): RequestBudget {
  const { now, memory, documents, dialect, policies } = input;
  const { pace } = documents.service.value;
  const accepted = new Set<TaskType>(memory.accepted);
  const { devices, unfiltered } = input.snapshot;
  const lists = listsBefore({ dialect, devices: devices.length, unfiltered });
  let batch: Batch = { group: '', most: 0, size: 0 };
  let spent = 0;

  /** The batch that takes the change: the one before it while there is room, else one of its own. */
  const joined = (change: Change): Batch => {
    const group = groupOf({ change });
    if (batch.group === group && batch.size < batch.most) return { ...batch, size: batch.size + 1 };
    const rollout = rolloutOrDefault(documents.rollouts, policies.get(change.policy)?.rollout);
    return {
      group,
      most: batchLimit({ change, rollout }, { accepted, dialect, pace, lists }),
      size: 1,
    };
  };
  const spentWith = ({ size }: Batch): number => spent + (size === 1 ? requestsFor(1, lists) : 1);

  return {
    refuses(change, index) {
      const joins = joined(change);
      const requests = spentWith(joins);
      if (joins.most === 0) return tooSlow(requests, pace);
      const lastStart = starts.at(index);
      if (now + timeFor(requests, pace) < (lastStart ?? Infinity)) return undefined;
      const next =
        lastStart && nextAfter(lastStart, { ...input, change, together: starts.together(index) });
      return tooLate({ requests, pace, window: change.window?.name, next });
    },
    count(change) {
      const joins = joined(change);
      spent = spentWith(joins);
      batch = joins;
      accepted.add(change.task);
    },
  };
}

/** What keeps a start out of its window where only the requests before it take too long. */
export function tooLate(late: {
  readonly requests: number;
  readonly pace: Pace;
  readonly window: string | undefined;
  readonly next: Instant | undefined;
}): Reason {
  const { requests, pace, window, next } = late;
  const params = {
    requests,
    perSecond: pace.requestsPerSecond,
    ...(window !== undefined && { window }),
  };
  return { code: 'apiBudget', next: next ?? 'never', params };
}

/** What no run of this pace can start: the first of its reads is too old when the last is made. */
function tooSlow(requests: number, { requestsPerSecond: perSecond }: Pace): Reason {
  return { code: 'apiBudget', next: 'never', params: { requests, perSecond } };
}

/** The next opening of its window, once this one is too far gone. */
function nextAfter(
  lastStart: Instant,
  prepared: Prepared & {
    readonly policies: ReadonlyMap<string, Policy>;
    readonly change: Change;
    readonly together: number;
  },
): Instant | undefined {
  const { schedule, policies, change, together, now } = prepared;
  const policy = policies.get(change.policy);
  if (!policy) throw new Bug(`a change of no policy: ${change.policy}`);
  const timed = {
    task: change.task,
    policy,
    device: deviceIn(prepared, change.device.id),
    together,
  };
  const judged = schedule?.of(timed, now).judged;
  return judged?.calendar.nextStart(judged.asked, lastStart);
}

function deviceIn({ snapshot }: Prepared, id: string): Device {
  const row = snapshot.devices.rowOf(id);
  if (row !== undefined) return snapshot.devices.at(row);
  const found = snapshot.discovered.find((device) => device.id === id);
  if (!found) throw new Bug(`a change of no device: ${id}`);
  return asDevice(found);
}
