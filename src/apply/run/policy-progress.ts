import { isNotSent, type Outcome } from '../../model/ledger/run-report.ts';
import { FAILED_VERDICTS } from '../../model/ledger/stopped.ts';
import { findActor, mayFollow } from '../../model/plan/actor.ts';
import { kindsIn } from '../../model/plan/change-rows.ts';
import type { PolicyProgress } from '../../model/progress.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Candidate } from '../send/candidate.ts';
import type { Said } from '../outcomes.ts';
import type { Run } from './run.ts';

/** Reads of a device before its task and after it. */
const READS = 2;

/** Outcomes of a task that was sent and did not do what it was to do. */
const FAILED: ReadonlySet<Outcome> = new Set(FAILED_VERDICTS);

type Counts = { -readonly [K in keyof PolicyProgress]: PolicyProgress[K] };

/**
 * The progress of each policy of the run, and the smallest number of requests for its remaining
 * changes. `queue` has the changes that may still start: those that nothing prevents and those that
 * wait for capacity.
 */
export function countPolicies(
  run: Pick<Run, 'outcomes' | 'reading' | 'journal'>,
  queue: readonly Candidate[],
): readonly PolicyProgress[] {
  const counts = new Map<string, Counts>();
  const open = run.journal.memory.open();
  for (const { policy } of open) of(counts, policy).running += 1;
  countEnded(counts, run);
  countNotStarted(counts, run, new Set(open.map(({ task, device }) => `${task}/${device}`)));
  countRequests(counts, queue, open.length > 0);
  return [...counts.values()].sort((a, b) => compareTexts(a.policy, b.policy));
}

function countEnded(
  counts: Map<string, Counts>,
  { outcomes, journal: { memory } }: Pick<Run, 'outcomes' | 'journal'>,
): void {
  for (const { outcome, intentId = '' } of outcomes.said.values()) {
    const policy = memory.intents.get(intentId)?.policy;
    if (policy === undefined) continue;
    if (outcome === 'verified') of(counts, policy).done += 1;
    if (FAILED.has(outcome)) of(counts, policy).failed += 1;
  }
}

const UNTOUCHED: Said = { outcome: 'notStarted' };

/** By who has to act, as the report of the run and its plan count them. */
function countNotStarted(
  counts: Map<string, Counts>,
  { outcomes, reading }: Pick<Run, 'outcomes' | 'reading'>,
  underWay: ReadonlySet<string>,
): void {
  for (const { id, policy, reason: planned } of reading.work) {
    const { outcome, reason = planned } = outcomes.said.get(id) ?? UNTOUCHED;
    if (!isNotSent({ outcome }) || underWay.has(id)) continue;
    const actor = findActor(reason);
    if (actor !== 'nobody') of(counts, policy)[actor === 'person' ? 'person' : 'later'] += 1;
  }
  for (const { change, count } of kindsIn(outcomes.answersFor?.changes ?? [])) {
    const { action, policy, reason } = change;
    if (action === 'skip' && findActor(reason) === 'person') of(counts, policy).person += count;
  }
}

/**
 * A read before each task and one after it, and a POST for each batch; polls are shared by all. What
 * waits for capacity counts only where something is under way, or may start, that will free it.
 */
function countRequests(
  counts: Map<string, Counts>,
  queue: readonly Candidate[],
  isUnderWay: boolean,
): void {
  const posts = new Map<string, number>();
  const isFreed = isUnderWay || queue.some(({ change }) => change.action === 'run');
  for (const { change, rollout } of queue) {
    if (change.action !== 'run' && !(isFreed && mayFollow(change.reason))) continue;
    of(counts, change.policy).startable += 1;
    posts.set(change.policy, (posts.get(change.policy) ?? 0) + 1 / Math.max(1, rollout.batch));
  }
  for (const count of counts.values())
    count.requests =
      count.running + READS * count.startable + Math.ceil(posts.get(count.policy) ?? 0);
}

function of(counts: Map<string, Counts>, policy: string): Counts {
  const none = { done: 0, running: 0, failed: 0, later: 0, person: 0, startable: 0, requests: 0 };
  return getOrAdd(counts, policy, () => ({ policy, ...none }));
}
