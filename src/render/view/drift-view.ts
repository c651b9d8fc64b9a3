import { CAUSES, type Cause, type Change } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { parseInstant } from '../../lib/time.ts';
import { findHint, type Hint } from '../../model/report/hint.ts';
import { changesSituation } from './situations.ts';
import { buildPlanView, type PlanView } from './view.ts';

/** The drift in a plan, separate from other changes. */
export interface DriftView {
  /** The changes of drifted devices only, folded into classes. */
  readonly plan: PlanView;
  /** Changes that drift causes, whatever their action. */
  readonly drifted: number;
  /** Other changes in doubt: what became of their devices is unknown. */
  readonly inDoubt: number;
  /** The next step for these changes. */
  readonly next: Hint;
  /**
   * Changes that run or wait for another cause: requested and not done yet, or due by the clock.
   */
  readonly beside: Readonly<Record<Exclude<Cause, 'drift'>, number>>;
}

/**
 * Splits a plan into drift and other changes. A change is drift if fleetform had applied the state
 * that the device has lost; a new request of a commit or a due date is not drift.
 */
export function driftView(plan: Plan, options: { readonly all?: boolean } = {}): DriftView {
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  const beside = Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
  let inDoubt = 0;
  for (const { cause, action, reason } of plan.changes) {
    if (cause === 'drift') counts[action] += 1;
    else if (reason.code === 'inDoubt') inDoubt += 1;
    else if (action === 'run' || action === 'wait') beside[cause] += 1;
  }
  const { drift: _, ...others } = beside;
  const drifted = counts.run + counts.wait + counts.skip + counts.note;
  const { base: _base, hours: _hours, ...whole } = plan;
  const changes = { length: drifted, [Symbol.iterator]: () => driftChanges(plan) };
  const verdicts: Plan['verdicts'] = [];
  const only = { ...whole, changes, counts, notes: [], waves: [], warnings: [], verdicts };
  const now = parseInstant(plan.evaluatedAt) ?? 0;
  const view = buildPlanView(only, options);
  const next = findHint({
    ...changesSituation(view.classes, now),
    startable: counts.run,
    // A limit on other changes is no news of drift, until drift is what could start.
    ...(counts.run > 0 && { refused: plan.verdicts.filter(({ passed }) => !passed) }),
  });
  return { plan: view, drifted, inDoubt, next, beside: others };
}

/** Without their waves: a report of drift shows none, so devices of several waves are one class. */
function* driftChanges({ changes }: Plan): Generator<Change> {
  for (const { wave: _wave, ...change } of changes) if (change.cause === 'drift') yield change;
}
