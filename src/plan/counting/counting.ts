import { COUNTED_WITHIN, type CountedAs, type PendingDevice } from '../../model/plan/counting.ts';
import { isPassed } from '../../model/documents/passes.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import type { Building, Evaluation, RuleResult } from '../decide/decision-input.ts';
import { awaitsItsTurn } from '../decide/rotations.ts';
import { passedUntil, softEnd } from '../decide/timing.ts';
import type { Change } from '../../model/plan/change.ts';

/** How far ahead devices are counted, for the warning about a later day (semantics N51). */
export const COUNTED_AHEAD: Milliseconds = 31 * COUNTED_WITHIN;

/** How guardrails count a device, and from when. */
export type Counting = Pick<PendingDevice, 'as' | 'from'>;

/**
 * How guardrails count a decision (semantics N48, N49): every due change, a rotation that falls
 * due on a later day, and firmware that no run has read yet. Undefined where they do not. Only a
 * freeze and a hold delay it: closed windows, waves, budgets and pauses do not.
 */
export function judgeCounting(
  evaluation: Evaluation,
  { action, reason }: RuleResult,
): Counting | undefined {
  const { now } = evaluation.case;
  const ownDay = findOwnDay(evaluation);
  const isNoted = action === 'note' && reason.code === 'notDue' && ownDay !== undefined;
  const isUnread = reason.code === 'notRead' && evaluation.task === TASK_OF.firmware;
  if (action !== 'run' && action !== 'wait' && !isNoted && !isUnread) return undefined;
  const from = unfrozenFrom(evaluation, Math.max(ownDay ?? now, now));
  const as: CountedAs = ownDay === undefined ? 'full' : 'ownDay';
  return { as, from };
}

/**
 * The instant from which a rotation is due for this device, its share of a spread included; undefined
 * where its policy spreads nothing, or something else requests the rotation.
 */
function findOwnDay(evaluation: Evaluation): Instant | undefined {
  const { judgement, policy, case: theCase } = evaluation;
  const { value } = policy;
  if (value.section !== 'rotations' || value.due.is === 'never' || value.due.spread === 0)
    return undefined;
  const next = judgement.is === 'notDue' ? judgement.reason.next : undefined;
  if (judgement.is === 'notDue') return typeof next === 'number' ? next : undefined;
  if (judgement.is !== 'due' || !BY_DAY.has(judgement.why)) return undefined;
  const turn = isPassed('spread', theCase.passer) ? undefined : awaitsItsTurn(evaluation)?.next;
  return typeof turn === 'number' ? turn : (judgement.since ?? theCase.now);
}

/** Reasons of a rotation that its own dates request. */
const BY_DAY: ReadonlySet<string> = new Set(['ageReached', 'renewalDue']);

/** The first instant from `at` on at which no freeze and no hold blocks a change. */
function unfrozenFrom(evaluation: Evaluation, at: Instant): Instant {
  const { exemption, case: theCase } = evaluation;
  const { hold, perhaps, exclude } = exemption;
  let from = Math.max(at, ...[hold, perhaps, exclude].map((each) => each?.value.until ?? at));
  while (from < theCase.now + COUNTED_AHEAD) {
    const end = freezeEnd(evaluation, from);
    if (end === undefined || end <= from) return from;
    from = end;
  }
  return from;
}

function freezeEnd(evaluation: Evaluation, at: Instant): Instant | undefined {
  const judged = evaluation.timing?.judged;
  if (!judged || judged.query.freezes.length === 0) return undefined;
  const { hard, soft } = judged.calendar.stateAt(judged.query, at);
  if (hard) return hard.to ?? Infinity;
  return soft && at >= passedUntil(evaluation) ? softEnd(evaluation, soft) : undefined;
}

/** Collects the devices that guardrails count, now or within a month, without a change. */
export function createPending(now: Instant): {
  readonly devices: readonly PendingDevice[];
  add(device: Omit<PendingDevice, keyof Counting>, counting: Counting): void;
} {
  const devices: PendingDevice[] = [];
  return {
    devices,
    add(device, counting) {
      if (counting.from < now + COUNTED_AHEAD) devices.push({ ...device, ...counting });
    },
  };
}

/** Adds to a new change how guardrails count it; the instant only where that is not today. */
export function addCounting(change: Building<Change>, { as, from }: Counting, now: Instant): void {
  change.countedAs = as;
  if (from >= now + COUNTED_WITHIN) change.countedFrom = from;
}
