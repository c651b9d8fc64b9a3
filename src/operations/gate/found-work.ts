import type { Memory } from '../../model/ledger/memory.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { isOfReading } from '../../model/report/all-clear.ts';
import { isSelectionEmpty } from '../../model/plan/coverage.ts';
import { coverageOnRecord, isOnRecord } from '../../plan/coverage-record.ts';
import type { PlannedSurvey } from '../plan.ts';

/** Why a scheduled run has work; `none`: it has none, and its job need not be started. */
export type WorkFound =
  'start' | 'refused' | 'flight' | 'withdrawn' | 'facts' | 'coverage' | 'none';

const HOUR = 3_600_000;

/** Facts of single devices are read again when the newest is older than this. */
const FACTS_AGE = 12 * HOUR;

/**
 * Whether a scheduled run has anything to do (semantics N78): something allowed may start within the
 * hour, something is in flight, in doubt or to be settled, outcomes are to be withdrawn, or values
 * of single devices are owed. What a guardrail refuses starts nothing, but the run must report it, as
 * it must what the last record does not say of the fleet.
 */
export function findWork(
  { plan, noted, unwanted = [] }: Pick<PlannedSurvey, 'plan' | 'noted' | 'unwanted'>,
  memory: Pick<Memory, 'open' | 'coverage'>,
  { now, factsAt }: { readonly now: Instant; readonly factsAt?: Instant | undefined },
): WorkFound {
  if (memory.open().length > 0) return 'flight';
  if (unwanted.length > 0) return 'withdrawn';
  const refused = plan.verdicts.filter(({ passed }) => !passed);
  if (refused.some(isOfReading)) return 'refused';
  for (const change of plan.changes)
    if (maySoonStart(change, now)) return refused.length > 0 ? 'refused' : 'start';
  if (oweFacts(plan, now - (factsAt ?? 0))) return 'facts';
  return isTold({ plan, noted }, memory, now) ? 'none' : 'coverage';
}

function oweFacts({ inputs }: PlannedSurvey['plan'], age: Milliseconds): boolean {
  const { used = 0, notRead = 0 } = inputs.facts ?? {};
  return notRead > 0 || (used > 0 && age > FACTS_AGE);
}

/** Whether a run would say of the fleet what the last record says. */
function isTold(
  planned: Pick<PlannedSurvey, 'plan' | 'noted'>,
  { coverage: records }: Pick<Memory, 'coverage'>,
  now: Instant,
): boolean {
  const { coverage } = planned.plan;
  if (!coverage) return true;
  const last = records.at(-1);
  const terms = coverageOnRecord(planned, { before: new Set(last?.person) });
  if (terms === undefined || isSelectionEmpty(coverage)) return false;
  // When the next work is due may move with the clock; no job is started to say that alone.
  const { next: _, ...said } = terms;
  const next = last?.next;
  return isOnRecord({ ...said, ...(next !== undefined && { next }) }, last, now);
}

function maySoonStart(change: Change, now: Instant): boolean {
  const { next } = change.reason;
  if (change.action === 'run') return true;
  return isWanted(change) && typeof next === 'number' && next < now + HOUR;
}
