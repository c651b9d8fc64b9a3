import type { Memory } from '../../model/ledger/memory.ts';
import type { Instant } from '../../lib/time.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import type { PlannedSurvey } from '../plan.ts';

/** Why a scheduled run has work; `none`: it has none, and its job need not be started. */
export type WorkFound = 'start' | 'refused' | 'flight' | 'withdrawn' | 'facts' | 'none';

const HOUR = 3_600_000;

/** Facts of single devices are read again when the newest is older than this. */
const FACTS_AGE = 12 * HOUR;

/**
 * Whether a scheduled run has anything to do (semantics N78): something allowed may start within the
 * hour, something is in flight, in doubt or to be settled, outcomes are to be withdrawn, or values
 * of single devices are owed. What a guardrail refuses starts nothing, but the run must report it.
 */
export function findWork(
  { plan, unwanted = [] }: Pick<PlannedSurvey, 'plan' | 'unwanted'>,
  memory: Pick<Memory, 'open'>,
  { now, factsAt }: { readonly now: Instant; readonly factsAt?: Instant | undefined },
): WorkFound {
  if (memory.open().length > 0) return 'flight';
  if (unwanted.length > 0) return 'withdrawn';
  const isRefused = plan.verdicts.some(({ passed }) => !passed);
  for (const change of plan.changes)
    if (maySoonStart(change, now)) return isRefused ? 'refused' : 'start';
  const { used = 0, notRead = 0 } = plan.inputs.facts ?? {};
  if (notRead > 0) return 'facts';
  return used > 0 && now - (factsAt ?? 0) > FACTS_AGE ? 'facts' : 'none';
}

function maySoonStart(change: Change, now: Instant): boolean {
  const { next } = change.reason;
  if (change.action === 'run') return true;
  return isWanted(change) && typeof next === 'number' && next < now + HOUR;
}
