import { CAUSES, type Cause, type Change } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { parseInstant } from '../../lib/time.ts';
import { nextStep, type NextStep, type Waiting } from '../../model/report/next-step.ts';
import { viewOf, type PlanView } from './view.ts';

/** What a plan knows of drift, apart from all else that it wants. */
export interface DriftView {
  /** The changes of drifted devices alone, folded into classes. */
  readonly plan: PlanView;
  /** Changes that drift causes, whatever comes of them now. */
  readonly drifted: number;
  /** What comes next for these. */
  readonly next: NextStep;
  /** Changes that run or wait for another cause: wanted and not done yet, or due by themselves. */
  readonly beside: Readonly<Record<Exclude<Cause, 'drift'>, number>>;
}

/**
 * Sorts a plan into drift and the rest. A change is drift where fleetform has brought the device to
 * the very state that it has lost: what a commit wants anew, or what falls due, is not.
 */
export function driftView(plan: Plan, options: { readonly all?: boolean } = {}): DriftView {
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  const beside = Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
  const waiting: Waiting[] = [];
  for (const { cause, action, reason } of plan.changes) {
    if (cause === 'drift') {
      counts[action] += 1;
      if (action === 'wait' || action === 'skip') waiting.push({ reason, count: 1 });
    } else if (action === 'run' || action === 'wait') beside[cause] += 1;
  }
  const { drift: _, ...others } = beside;
  const drifted = counts.run + counts.wait + counts.skip + counts.note;
  const { base: _base, hours: _hours, ...whole } = plan;
  const changes = { length: drifted, [Symbol.iterator]: () => driftOf(plan) };
  const verdicts: Plan['verdicts'] = [];
  const only = { ...whole, changes, counts, notes: [], waves: [], warnings: [], verdicts };
  const now = parseInstant(plan.evaluatedAt) ?? 0;
  const next = nextStep(waiting, { now, run: counts.run });
  return { plan: viewOf(only, options), drifted, next, beside: others };
}

function* driftOf({ changes }: Plan): Generator<Change> {
  for (const change of changes) if (change.cause === 'drift') yield change;
}
