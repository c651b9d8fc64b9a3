import type { Case } from '../../kinds/kind.ts';
import { canonical } from '../../lib/canonical.ts';
import type { Change, Values } from '../../model/plan/change.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Reason, ReasonWhy } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { isAsApproved } from '../../plan/approved-fields.ts';
import { seenInputOf, type DecisionInput, type Seen } from '../../plan/decide/decision-input.ts';
import { toChange, evaluate } from '../../plan/decide/decide.ts';
import type { Schedule } from '../../plan/decide/schedule.ts';
import { lastStartOf } from '../../plan/decide/timing.ts';
import type { Outages } from '../../rollout/budgets/outage.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import type { Said } from '../run/accounting.ts';
import type { Candidate } from './candidate.ts';
import type { Run } from '../run/run.ts';

/**
 * What the last look says of one device: still exactly what was approved, or where its change ends
 * instead.
 */
export type Recheck =
  | {
      readonly is: 'holds';
      readonly change: Change;
      /** From here on it is too late to start in its window; absent where no window is asked. */
      readonly lastStart?: Instant;
    }
  | { readonly is: 'ends'; readonly said: Said };

/** What a last look judges beside the device itself: the sites that are out, and the time. */
export interface Around {
  readonly outages: Outages;
  readonly schedule: Schedule;
  /** Rollouts by the address of their policy. */
  readonly followed: ReadonlyMap<string, Followed>;
}

/**
 * Decides a change anew, by the very code of the plan, on what was read just now. It may run only
 * if the decision is `run` with the same before, after, target and generation as approved; a device
 * that moved is `stale`, one that is not there is `gone`, and one that shows the target already
 * needs no attempt (protocol X7, X12).
 */
export function recheck(
  run: Run,
  candidate: Candidate,
  { seen, ...around }: Around & { readonly seen?: Seen },
): Recheck {
  const decisionInput = seen && inputOf(run, candidate, seen, around);
  if (!decisionInput) return ends({ outcome: 'skipped', reason: { code: 'gone' } });
  const { change } = candidate;
  const evaluation = evaluate(decisionInput, run.journal.memory);
  const now = toChange(evaluation);
  const { reason } = now;
  if (isWithdrawn(change, now)) return ends({ outcome: 'skipped', reason: WITHDRAWN });
  if (reason.code === 'alreadyConverged') return ends({ outcome: 'verified', reason });
  if (now.action === 'skip' || now.action === 'note') return ends({ outcome: 'skipped', reason });
  if (now.action === 'wait') return ends({ outcome: 'notStarted', reason });
  if (!isAsApproved(change, now)) return ends({ outcome: 'skipped', reason: { code: 'stale' } });
  const lastStart = lastStartOf(evaluation);
  return { is: 'holds', change: now, ...(lastStart !== undefined && { lastStart }) };
}

/** The device is as it was and the firmware that it was to get is no longer approved for it (F3). */
function isWithdrawn(approved: Change, now: Change): boolean {
  if (now.task !== 'upgradeFirmware' || same(now.target, approved.target)) return false;
  if (!same(now.before, approved.before)) return false;
  const { code, why } = now.reason;
  return code === 'alreadyConverged' || (why !== undefined && NO_WAY_LEFT.has(why));
}

const NO_WAY_LEFT: ReadonlySet<ReasonWhy> = new Set(['noTargetFirmware', 'endOfSupport', 'noPath']);

const WITHDRAWN: Reason = { code: 'stale', params: { field: 'targetFirmware' } };

function same(a: Values | string, b: Values | string): boolean {
  return canonical(a) === canonical(b);
}

/** The case of a candidate on what was read; undefined where the device is not there. */
export function caseOf(run: Run, candidate: Candidate, seen: Seen): Case | undefined {
  return inputOf(run, candidate, seen, {})?.case;
}

/** What the plan decided on, with what was read just now and what the ledger says by now. */
function inputOf(
  { documents, journal, clock, dialect }: Run,
  { change: { task }, policy, at, exemption, losers }: Candidate,
  seen: Seen,
  around: Partial<Around>,
): DecisionInput | undefined {
  const wish = { task, policy, at, exemption, losers };
  const { memory, nonce } = journal;
  const counts = (intent: IntentState): boolean => !cameToNothing(intent, nonce);
  const basis = { documents, memory, now: clock.now(), dialect, counts, ...around };
  return seenInputOf(wish, seen, basis);
}

/**
 * An attempt of this very run that touched no device (not sent, or refused before anything ran):
 * trying it again is the outcome table's business, not a retry by the documents.
 */
function cameToNothing({ attemptId, phase }: IntentState, nonce: string): boolean {
  return attemptId.startsWith(`${nonce}.`) && (phase === 'none' || phase === 'failed');
}

function ends(said: Said): Recheck {
  return { is: 'ends', said };
}
