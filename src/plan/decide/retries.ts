import type { IntentState } from '../../model/ledger/memory.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { dailyOpenings, refuseRetry, type Openings } from '../../rollout/progress/retry.ts';
import type { Evaluation } from './question.ts';
import { needsPerson, restartsUsed } from './restarts.ts';

/** When a failed intent may be tried anew, where that is not now. */
export function backoff(evaluation: Evaluation): Reason | undefined {
  const reason = refusal(evaluation);
  return reason?.code === 'notDue' ? reason : undefined;
}

/**
 * Why nothing will be tried on this device any more: its attempts are used up, or it was restarted
 * too often.
 */
export function exhausted(evaluation: Evaluation): Reason | undefined {
  return retriesUsed(evaluation) ?? needsPerson(evaluation) ?? restartsUsed(evaluation);
}

function retriesUsed(evaluation: Evaluation): Reason | undefined {
  const reason = refusal(evaluation);
  return reason?.code === 'quarantined' ? reason : undefined;
}

/** As the rollout of the policy has it; without one, as `default` does. */
function refusal(evaluation: Evaluation): Reason | undefined {
  const intent = sameIntent(evaluation);
  if (!intent || evaluation.judgement.is !== 'due') return undefined;
  const { marker } = evaluation.judgement;
  const { now } = evaluation.case;
  const { retry } = evaluation.rollout;
  return refuseRetry({ intent, marker, retry, openings: openingsOf(evaluation, intent), now });
}

/** Openings of the windows; a day from the first attempt on where something may always start. */
function openingsOf({ timing }: Evaluation, { earlier, attemptedAt }: IntentState): Openings {
  const spans = timing?.judged?.calendar.open(timing.judged.asked) ?? [];
  if (!spans.some(({ close }) => close < Infinity))
    return dailyOpenings(earlier?.[0]?.attemptedAt ?? attemptedAt);
  return {
    openedAt: (at) => spans.find(({ open, close }) => open <= at && at < close)?.open,
    opensAfter: (at) => spans.find(({ open }) => open > at)?.open,
  };
}

/**
 * The intent that this change would be, as the ledger remembers it: equal device, task, target and
 * generation.
 */
function sameIntent({ judgement, case: { past } }: Evaluation): IntentState | undefined {
  if (judgement.is !== 'due') return undefined;
  return past.findLast(
    ({ target, generation }) => target === judgement.target && generation === judgement.generation,
  );
}
