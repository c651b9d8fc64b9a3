import type { ReasonCode } from '../model/reason.ts';
import type { Refused } from '../rollout/followed.ts';
import { stoppedOf } from '../rollout/halts.ts';
import { haltedBy } from '../rollout/refusals.ts';
import type { Bite, DecisionStep, Question } from './question.ts';

/**
 * Steps 12 and 13 of the decision order: what the rollout of a device has stopped, and the wave or
 * the gate that it waits for.
 */
export const ROLLOUT_STEPS: readonly DecisionStep[] = (
  ['rolloutAborted', 'rolloutPaused', 'waveNotOpen', 'gatePending', 'approvalPending'] as const
).map((code) => ({ code, bites: (question) => refusedAs(code, question) }));

function refusedAs(code: ReasonCode, question: Question): Bite | undefined {
  const { followed, policy, case: theCase } = question;
  const refused =
    policy.value.rollout === undefined
      ? stoppedWithAll(question)
      : followed?.refuses(theCase.device.id);
  return refused?.reason.code === code ? refused : undefined;
}

/**
 * A policy without a rollout has no stop rules, and trips none of others; yet where a rule of a
 * rollout has stopped the whole fleet nothing is sent to it by any policy (apply protocol 3.3, I17).
 */
function stoppedWithAll({ policy, memory }: Question): Refused | undefined {
  if (memory.stops?.has('fleet') !== true) return undefined;
  const { whole } = stoppedOf({ policy: policy.value.address, documents: '', memory }).with([]);
  return whole && haltedBy(whole);
}
