import { compileMembership } from '../../desired/membership.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { batchLimit } from '../../plan/admit/batch.ts';
import { openCaps, type Counter } from '../../plan/admit/caps.ts';
import type { BudgetTracker, Refusal, Wanted } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import { findOutages, type Outages } from '../../rollout/budgets/outage.ts';
import { reasonOf } from '../../rollout/budgets/budget-reason.ts';
import type { Candidate } from './candidate.ts';
import { inTimeNow, listsOf, snapshotOf } from './window-check.ts';
import type { Run } from '../run/run.ts';

/**
 * Who may go into the next batch, and who waits for headroom. What is in neither waits for its
 * turn.
 */
export interface Admission {
  readonly batch: readonly Candidate[];
  readonly parked: ReadonlyMap<string, Reason>;
}

/**
 * Chooses a batch from candidates that may share a POST, on what is known without asking:
 * everything that reads down, every open intent and the whole batch count as dead (protocol I6). A
 * device with an open intent waits; so does what its policy allows no more of for now, and what is
 * read too late for its window. One more is not read where that made it too late for others.
 */
export function admit(run: Run, candidates: readonly Candidate[], most: number): Admission {
  const tracker = openNow(run);
  const batch: Candidate[] = [];
  const parked = new Map<string, Reason>();
  const caps = capsNow(run);
  const inTime = inTimeNow(run);
  for (const candidate of candidates) {
    const size = batch.length + 1;
    if (size > Math.min(most, limitOf(run, candidate))) break;
    const { change } = candidate;
    const reason =
      busy(run, candidate) ??
      inTime.closed(candidate) ??
      capped(caps, change) ??
      full(tracker, candidate) ??
      inTime.late(candidate, size);
    if (reason) parked.set(change.id, reason);
    else if (!inTime.allowAll(batch, size)) break;
    else {
      batch.push(candidate);
      tracker.count(wantedBy(candidate));
      for (const cap of caps) cap.count?.(change);
    }
  }
  return { batch, parked };
}

/**
 * The book of this moment: the last reading of the fleet, with everything read since laid over it.
 */
export function openNow(run: Run): BudgetTracker {
  const { documents, clock } = run;
  const snapshot = snapshotOf(run);
  return openBudgetTracker({
    documents,
    snapshot,
    memory: run.journal.memory,
    now: clock.now(),
    reads: new Map([...run.reads, ...run.down]),
    members: (selector) => compileMembership(selector, { documents, snapshot }),
  });
}

/** The sites that are out by the last look. */
export function outagesNow(run: Run): Outages {
  return findOutages(snapshotOf(run).devices, new Map([...run.reads, ...run.down]));
}

/** Takes the share of one candidate, or says which budget has none left. */
export function take(tracker: BudgetTracker, candidate: Candidate): Refusal | undefined {
  return tracker.take(wantedBy(candidate));
}

function wantedBy({ change, policy, rollout }: Candidate): Wanted {
  const { task, device } = change;
  const { disruptive } = KINDS[task];
  return { task, deviceId: device.id, policy: policy.value, rollout, disruptive };
}

function full(tracker: BudgetTracker, candidate: Candidate): Reason | undefined {
  const refusal = tracker.refuses(wantedBy(candidate));
  return refusal && reasonOf(refusal);
}

/**
 * A plan gives out no share of a cap to what waits for a budget, so it is counted again when its
 * turn comes.
 */
function capsNow(run: Run): readonly Counter[] {
  const { documents, clock, journal } = run;
  const { devices } = snapshotOf(run);
  const sitesOf = (deviceId: string): readonly string[] => {
    const row = devices.rowOf(deviceId);
    const device =
      run.reads.get(deviceId)?.device ?? (row === undefined ? undefined : devices.at(row));
    return device?.sites.map(({ id }) => id) ?? [];
  };
  return openCaps({ documents, memory: journal.memory, now: clock.now(), sitesOf });
}

function capped(caps: readonly Counter[], change: Change): Reason | undefined {
  for (const cap of caps) {
    const reason = cap.refuses(change);
    if (reason) return reason;
  }
  return undefined;
}

/** One is always tried: how slow the service is shows when it is read. */
function limitOf(run: Run, candidate: Candidate): number {
  const { dialect, journal, documents } = run;
  const { accepted } = journal.memory;
  const { pace } = documents.service.value;
  return Math.max(1, batchLimit(candidate, { accepted, dialect, pace, lists: listsOf(run) }));
}

function busy(run: Run, { change }: Candidate): Reason | undefined {
  const isBusy = run.journal.memory
    .intentsOf(change.device.id)
    .some(({ phase }) => phase === 'open' || phase === 'running' || phase === 'inDoubt');
  return isBusy ? { code: 'busy', why: 'ours' } : undefined;
}
