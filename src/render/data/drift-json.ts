import type { Plan } from '../../model/plan/plan.ts';
import type { DriftView } from '../view/drift-view.ts';

/** Drift as data: each drifted device, and other changes counted by cause. */
export function driftJson(plan: Plan, { drifted, inDoubt, beside, clear }: DriftView): object {
  return {
    evaluatedAt: plan.evaluatedAt,
    inputs: plan.inputs,
    outcome: clear.exit,
    ...(plan.coverage && { coverage: plan.coverage }),
    drifted,
    inDoubt,
    beside,
    changes: [...plan.changes].filter(({ cause }) => cause === 'drift'),
  };
}
