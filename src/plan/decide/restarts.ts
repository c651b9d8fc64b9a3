import { mayHaveRun } from '../../kinds/past.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import type { Evaluation } from './question.ts';

/**
 * A symptom that is back after `escalate.after` restarts is for a person (semantics S2).
 * Those count that came no longer before it than `maxPerDevice` looks back: so no time alone ends
 * it, but a device that was well for that long starts anew.
 */
export function needsPerson(evaluation: Evaluation): Reason | undefined {
  const { judgement } = evaluation;
  const { policy, now } = evaluation.case;
  if (policy.section !== 'restarts' || judgement.is !== 'due') return undefined;
  const { escalateAfter, maxPerDevice } = policy;
  const from = (judgement.since ?? now) - maxPerDevice.per;
  const [since, ...earlier] = restartsOf(evaluation).filter((at) => at > from);
  const restarts = earlier.length + 1;
  if (since === undefined || restarts < escalateAfter) return undefined;
  return { code: 'quarantined', why: 'escalated', since, next: 'never', params: { restarts } };
}

/** The hard cap of a restart policy. */
export function restartsUsed(evaluation: Evaluation): Reason | undefined {
  const { policy, now } = evaluation.case;
  if (policy.section !== 'restarts') return undefined;
  const { count, per } = policy.maxPerDevice;
  const recent = restartsOf(evaluation).filter((at) => at > now - per);
  if (recent.length < count) return undefined;
  const next = count === 0 ? 'never' : (recent[count - 1] ?? now) + per;
  return { code: 'quarantined', why: 'maxPerDevice', next, params: { count } };
}

/** When the device was restarted, newest first; an attempt that may have had its effect counts. */
function restartsOf({ case: { past } }: Evaluation): readonly Instant[] {
  return past
    .filter(mayHaveRun)
    .map(({ attemptedAt }) => attemptedAt)
    .toSorted((a, b) => b - a);
}
