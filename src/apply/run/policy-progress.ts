import type { Outcome } from '../../model/ledger/run-report.ts';
import type { PolicyProgress } from '../../model/progress.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Candidate } from '../send/candidate.ts';
import type { Run } from './run.ts';

/** Reads of a device before its task and after it. */
const READS = 2;

/** Outcomes of a task that was sent and did not do what it was to do. */
const FAILED: ReadonlySet<Outcome> = new Set(['unverified', 'failed', 'rolledBack', 'aborted']);

type Counts = { -readonly [K in keyof PolicyProgress]: PolicyProgress[K] };

/**
 * What became of each policy of the run so far, and the fewest requests that the rest of what may
 * start in it takes. `queue` has the changes that may still start: those that nothing prevents and
 * those that wait for capacity.
 */
export function countPolicies(
  { outcomes, reading, journal: { memory } }: Pick<Run, 'outcomes' | 'reading' | 'journal'>,
  queue: readonly Candidate[],
): readonly PolicyProgress[] {
  const counts = new Map<string, Counts>();
  const open = memory.open();
  const underWay = new Set(open.map(({ task, device }) => `${task}/${device}`));
  for (const { policy } of open) of(counts, policy).running += 1;
  for (const { outcome, intentId = '' } of outcomes.said.values()) {
    const policy = memory.intents.get(intentId)?.policy;
    if (policy === undefined) continue;
    if (outcome === 'verified') of(counts, policy).done += 1;
    if (FAILED.has(outcome)) of(counts, policy).failed += 1;
  }
  for (const { id, policy } of reading.work) {
    const { outcome = 'notStarted' } = outcomes.said.get(id) ?? {};
    if (outcome === 'notStarted' && !underWay.has(id)) of(counts, policy).waiting += 1;
  }
  countRequests(counts, queue);
  return [...counts.values()].sort((a, b) => compareTexts(a.policy, b.policy));
}

/** A read before each task and one after it, and a POST for each batch; polls are shared by all. */
function countRequests(counts: Map<string, Counts>, queue: readonly Candidate[]): void {
  const posts = new Map<string, number>();
  for (const { change, rollout } of queue) {
    of(counts, change.policy).startable += 1;
    posts.set(change.policy, (posts.get(change.policy) ?? 0) + 1 / Math.max(1, rollout.batch));
  }
  for (const count of counts.values())
    count.requests =
      count.running + READS * count.startable + Math.ceil(posts.get(count.policy) ?? 0);
}

function of(counts: Map<string, Counts>, policy: string): Counts {
  const known = counts.get(policy);
  if (known) return known;
  const none = { policy, done: 0, running: 0, failed: 0, waiting: 0, startable: 0, requests: 0 };
  counts.set(policy, none);
  return none;
}
