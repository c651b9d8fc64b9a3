import { CAUSES, type Cause, type Change } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { pick } from '../../lib/objects.ts';
import { parseInstant } from '../../lib/time.ts';
import { countUnread } from '../../model/ledger/run-report.ts';
import { countPlanColumns } from '../../model/plan/actor.ts';
import {
  findAllClear,
  isOfReading,
  type AllClear,
  type Situation,
} from '../../model/report/all-clear.ts';
import { countDoubts, findHint } from '../../model/report/hint.ts';
import { changesSituation, unlistedDoubts } from '../../model/report/plan-situation.ts';
import { buildPlanView, type PlanView, type ViewOptions } from './view.ts';

/** The drift in a plan, separate from other changes. */
export interface DriftView {
  /** The changes of drifted devices only, folded into classes. */
  readonly plan: PlanView;
  /** Changes that drift causes, whatever their action. */
  readonly drifted: number;
  /** Other outcomes in doubt: what became of their devices is unknown. */
  readonly inDoubt: number;
  /** The judgement on drift alone; its next step is that of all changes where drift leaves nothing to do. */
  readonly clear: AllClear;
  readonly situation: Situation;
  /**
   * Changes that run or wait for another cause: requested and not done yet, or due by the clock.
   */
  readonly beside: Readonly<Record<Exclude<Cause, 'drift'>, number>>;
}

/**
 * Splits a plan into drift and other changes. A change is drift if fleetform had applied the state
 * that the device has lost; a new request of a commit or a due date is not drift.
 */
export function driftView(plan: Plan, options: ViewOptions = {}): DriftView {
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  const beside = Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
  const doubts = [...unlistedDoubts(plan.coverage?.open)];
  for (const { cause, action, reason, task } of plan.changes) {
    if (cause === 'drift') counts[action] += 1;
    else if (reason.code !== 'inDoubt') {
      if (action === 'run' || action === 'wait') beside[cause] += 1;
    } else if (reason.params?.['task'] === task)
      doubts.push(reason.since === undefined ? {} : { since: reason.since });
  }
  const { drift: _, ...others } = beside;
  const drifted = counts.run + counts.wait + counts.skip + counts.note;
  const { base: _base, hours: _hours, ...rest } = plan;
  const changes = { length: drifted, [Symbol.iterator]: () => driftChanges(plan) };
  const verdicts: Plan['verdicts'] = [];
  const only = { ...rest, changes, counts, notes: [], waves: [], warnings: [], verdicts };
  const now = parseInstant(plan.evaluatedAt) ?? 0;
  const view = buildPlanView(only, options);
  const own = changesSituation(view.classes, [], now);
  // A limit on other changes is no news of drift, until drift is what could start.
  const refused = plan.verdicts.filter(
    (each) => !each.passed && (counts.run > 0 || isOfReading(each)),
  );
  const situation: Situation = {
    ...own,
    ...pick(view.situation, 'isTorn', 'coverage', 'atWork'),
    inDoubt: [...(own.inDoubt ?? []), ...doubts],
    startable: counts.run,
    refused,
    isLedgerLost: plan.warnings.some(({ code }) => code === 'ledgerLost'),
    unread: countUnread(plan),
    counts: countPlanColumns(plan),
    drifted,
  };
  const clear = findAllClear(situation);
  // Where drift leaves nothing to do, the next step is that of all changes (semantics N85).
  const isDone = clear.next.is === 'done';
  const next = isDone ? findHint(buildPlanView(plan, options).situation) : clear.next;
  return {
    plan: view,
    drifted,
    inDoubt: countDoubts(doubts),
    clear: { ...clear, next },
    situation,
    beside: others,
  };
}

/** Without their waves: a report of drift shows none, so devices of several waves are one class. */
function* driftChanges({ changes }: Plan): Generator<Change> {
  for (const { wave: _wave, ...change } of changes) if (change.cause === 'drift') yield change;
}
