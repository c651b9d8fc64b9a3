import type { Change } from '../../model/plan/change.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import { joinBatch, readsBefore, readsOnce, timeFor, type Batch, type Pace } from './batch.ts';
import type { Prepared } from '../decide/decision-input.ts';
import type { Job } from '../forecast/job.ts';

/** The requests of a run, assigned in the order of the plan. */
export interface RequestBudget {
  /** Why the change in this position is too late, if it is. */
  refuses(change: Change, index: number): Reason | undefined;
  count(change: Change): void;
}

/** Requests by id with their lists, and devices that a whole pass shows. */
interface Spent {
  readonly byId: number;
  readonly once: number;
}

/**
 * Step K18 of the decision order. Every start costs requests at the rate of the documents, after
 * those of all earlier starts; if that exceeds the last start of its window, the change waits for
 * the next window. This counts only the minimum that apply needs, so no change waits that could
 * have started. Polls and read-backs add to it, and apply gives the same reason to changes that it
 * cannot reach.
 */
export function openRequestBudget(
  input: Prepared & { readonly policies: ReadonlyMap<string, Policy> },
  jobs: readonly (Job | undefined)[],
): RequestBudget {
  const { now, memory, documents, dialect, policies } = input;
  const { pace } = documents.service.value;
  const accepted = new Set<TaskType>(memory.accepted);
  const { devices, unfiltered } = input.snapshot;
  const reads = readsBefore({ dialect, devices: devices.length, unfiltered });
  let batch: Batch | undefined;
  let spent: Spent = { byId: 0, once: 0 };

  const joined = (change: Change): Batch => {
    const rollout = rolloutOrDefault(documents.rollouts, policies.get(change.policy)?.rollout);
    return joinBatch(batch, { change, rollout }, { accepted, dialect, pace, reads });
  };
  // One whole pass serves batches as long as it is recent, so it is counted once (protocol N31).
  const spentWith = ({ size, most }: Batch): Spent => {
    if (readsOnce(most, reads, pace)) return { ...spent, once: spent.once + 1 };
    return { ...spent, byId: spent.byId + (size === 1 ? reads.lists + 1 : 1) };
  };
  const requestsOf = ({ byId, once }: Spent): number =>
    byId + (once > 0 ? Math.max(reads.pages, once) : 0);

  return {
    refuses(change, index) {
      const joins = joined(change);
      const requests = requestsOf(spentWith(joins));
      if (joins.most === 0) return tooSlow(requests, pace);
      const { hours = [] } = jobs[index] ?? {};
      const { lastStart = Infinity } = hours.find((span) => span.lastStart > now) ?? {};
      if (now + timeFor(requests, pace) < lastStart) return undefined;
      const next = hours.find(({ open }) => open >= lastStart)?.open;
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

/**
 * The reason of a start that misses its window only because the requests before it take too long.
 */
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

/**
 * The reason of a change that no run at this rate can start: its first read is too old when its
 * last one is made.
 */
function tooSlow(requests: number, { requestsPerSecond: perSecond }: Pace): Reason {
  return { code: 'apiBudget', next: 'never', params: { requests, perSecond } };
}
