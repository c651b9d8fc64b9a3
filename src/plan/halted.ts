import type { ReasonCode } from '../model/reason.ts';
import type { Bite, DecisionStep, Question } from './question.ts';

/**
 * Steps 12 and 13 of the decision order: what the rollout of a device has stopped, and the wave or
 * the gate that it waits for.
 */
export const ROLLOUT_STEPS: readonly DecisionStep[] = (
  ['rolloutAborted', 'rolloutPaused', 'waveNotOpen', 'gatePending', 'approvalPending'] as const
).map((code) => ({ code, bites: (question) => refusedAs(code, question) }));

function refusedAs(code: ReasonCode, { followed, case: { device } }: Question): Bite | undefined {
  const refused = followed?.refuses(device.id);
  return refused?.reason.code === code ? refused : undefined;
}
