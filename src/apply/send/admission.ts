import { compileMembership } from '../../desired/membership.ts';
import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { batchLimit } from '../../plan/admit/batch.ts';
import { batchLimits, type BatchPhase } from '../../plan/admit/limits.ts';
import type { BudgetTracker, Refusal, Wanted } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import { findOutages, type Outages } from '../../rollout/budgets/outage.ts';
import type { Candidate } from './candidate.ts';
import { caseOf } from './recheck.ts';
import { inTimeNow, listsOf, snapshotOf, type InTime } from './window-check.ts';
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
 * everything that reads down, every open intent and the whole batch count as dead (protocol I6). The
 * limits of a batch say who waits. One more is not read where that made it too late for others.
 */
export function admit(run: Run, candidates: readonly Candidate[], most: number): Admission {
  const batch: Candidate[] = [];
  const parked = new Map<string, Reason>();
  const inTime = inTimeNow(run);
  const limits = batchLimits(phaseOf(run, candidates, inTime));
  for (const candidate of candidates) {
    const size = batch.length + 1;
    if (size > Math.min(most, limitOf(run, candidate))) break;
    const { change } = candidate;
    const reason = limits.refuses(change, batch.length);
    if (reason) parked.set(change.id, reason);
    else if (!inTime.allowAll(batch, size)) break;
    else {
      batch.push(candidate);
      limits.count?.(change);
    }
  }
  return { batch, parked };
}

/**
 * A plan gives out no share to what waits for a budget, so every limit that a plan and a batch have in
 * common is counted again when its turn comes.
 */
function phaseOf(run: Run, candidates: readonly Candidate[], inTime: InTime): BatchPhase {
  const { documents, clock, journal } = run;
  const byId = new Map(candidates.map((candidate) => [candidate.change.id, candidate]));
  const behind = ({ id }: Change): Candidate => {
    const candidate = byId.get(id);
    if (!candidate) throw new Bug(`not a candidate: ${id}`);
    return candidate;
  };
  return {
    documents,
    memory: journal.memory,
    now: clock.now(),
    policies: policiesByAddress(documents),
    sitesOf: (deviceId) => deviceNow(run, deviceId)?.sites.map(({ id }) => id) ?? [],
    tracker: openNow(run),
    isOfUnknownAge: (change) => isOfUnknownAge(run, behind(change)),
    closed: (change) => inTime.closed(behind(change)),
    late: (change, size) => inTime.late(behind(change), size),
  };
}

/** As the reading of the fleet has it: the reason of a change that waits for a budget names that alone. */
function isOfUnknownAge(run: Run, candidate: Candidate): boolean {
  const { value } = candidate.policy;
  if (value.section !== 'rotations' || value.unknownAge !== 'rotate') return false;
  const { id } = candidate.change.device;
  const device = deviceNow(run, id);
  const theCase = device && caseOf(run, candidate, { device, facts: snapshotOf(run).facts(id) });
  if (!theCase || theCase.expedited === true) return false;
  const judgement = KINDS[value.task].judge(theCase);
  return judgement.is === 'due' && judgement.why === 'ageUnknown';
}

/** A device as it was last read. */
function deviceNow(run: Run, deviceId: string): Device | undefined {
  const { devices } = snapshotOf(run);
  const row = devices.rowOf(deviceId);
  return run.reads.get(deviceId)?.device ?? (row === undefined ? undefined : devices.at(row));
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

/** One is always tried: how slow the service is shows when it is read. */
function limitOf(run: Run, candidate: Candidate): number {
  const { dialect, journal, documents } = run;
  const { accepted } = journal.memory;
  const { pace } = documents.service.value;
  return Math.max(1, batchLimit(candidate, { accepted, dialect, pace, lists: listsOf(run) }));
}
