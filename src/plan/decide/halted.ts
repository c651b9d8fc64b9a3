import type { ReasonCode } from '../../model/plan/reason.ts';
import type { Refused } from '../../rollout/progress/followed.ts';
import { stoppedOf } from '../../rollout/progress/halts.ts';
import { haltedBy } from '../../rollout/progress/wave-refusals.ts';
import type { RuleResult, DecisionStep, Evaluation } from './question.ts';

/** Of step K12 of the decision order: what the rollout of a device has stopped. */
export const HALT_STEPS = stepsFor('rolloutAborted', 'rolloutPaused');

/** K13: the wave, the gate or the approval that a device waits for. */
export const WAVE_STEPS = stepsFor('waveNotOpen', 'gatePending', 'approvalPending');

function stepsFor(...codes: readonly ReasonCode[]): readonly DecisionStep[] {
  return codes.map((code) => ({ code, check: (evaluation) => refusedAs(code, evaluation) }));
}

function refusedAs(code: ReasonCode, evaluation: Evaluation): RuleResult | undefined {
  const { followed, policy, case: theCase } = evaluation;
  const refused =
    policy.value.rollout === undefined
      ? stoppedWithAll(evaluation)
      : followed?.refuses(theCase.device.id);
  return refused?.reason.code === code ? refused : undefined;
}

/**
 * A policy without a rollout has no stop rules, and trips none of others; yet where a rule of a
 * rollout has stopped the whole fleet nothing is sent to it by any policy (protocol I17).
 */
function stoppedWithAll({ policy, memory }: Evaluation): Refused | undefined {
  if (memory.stops?.has('fleet') !== true) return undefined;
  const { whole } = stoppedOf({
    policy: policy.value.address,
    targetDigest: '',
    documents: '',
    memory,
  }).with([]);
  return whole && haltedBy(whole);
}
