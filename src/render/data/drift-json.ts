import type { Plan } from '../../model/plan/plan.ts';
import type { DriftView } from '../view/drift-view.ts';

/** Drift as data: each drifted device and, counted by cause, what is no drift. */
export function driftJson(plan: Plan, { drifted, beside }: DriftView): object {
  return {
    evaluatedAt: plan.evaluatedAt,
    inputs: plan.inputs,
    drifted,
    beside,
    changes: [...plan.changes].filter(({ cause }) => cause === 'drift'),
  };
}
