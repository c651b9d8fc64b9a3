import { sumCounts } from '../../lib/group-by.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { pick } from '../../lib/objects.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { findRefusing } from '../documents/diagnostic.ts';
import { countUnread } from '../ledger/run-report.ts';
import {
  addColumns,
  findActor,
  findColumn,
  isChanging,
  isDecided,
  isInDoubt,
  isOurs,
  type ColumnCounts,
} from '../plan/actor.ts';
import { kindsIn } from '../plan/change-rows.ts';
import type { Change, NoteClass, WindowRef } from '../plan/change.ts';
import type { Coverage } from '../plan/coverage.ts';
import type { Plan } from '../plan/plan.ts';
import type { Reason } from '../plan/reason.ts';
import { findAllClear, type Situation } from './all-clear.ts';
import type { ExitCode } from './exit.ts';
import type { Doubt, HintSituation } from './hint.ts';

/** Changes of a plan that are alike. */
export type Counted = Pick<Change, 'task' | 'action' | 'reason' | 'window'> & {
  readonly at: { readonly policy: string };
  readonly count: number;
  readonly lastNext?: Instant;
};

/** A plan without its changes. */
type Frame = Pick<
  Plan,
  'base' | 'coverage' | 'evaluatedAt' | 'inputs' | 'notes' | 'verdicts' | 'warnings'
>;

/** The exit code that a run of this plan would have: the `outcome` of a plan in JSON. */
export function outcomeOfPlan(plan: Plan): ExitCode {
  return findAllClear(situationOfPlan(plan)).exit;
}

/** The situation of a plan, for its sentence and exit code alone. */
export function situationOfPlan(plan: Plan): Situation {
  return planSituation(plan, foldKinds(plan.changes));
}

export function planSituation(plan: Frame, changes: readonly Counted[]): Situation {
  const { verdicts, evaluatedAt, notes, base, warnings, coverage, inputs } = plan;
  const counts = countColumns(changes, notes);
  return {
    ...changesSituation(changes, notes, parseInstant(evaluatedAt) ?? 0, coverage?.open),
    isLedgerLost: warnings.some(({ code }) => code === 'ledgerLost'),
    areClocksApart: warnings.some(({ code }) => code === 'clocksDiffer'),
    startable: counts.now,
    refused: verdicts.filter(({ passed }) => !passed),
    refusing: findRefusing(warnings),
    outOfScope: base?.scope?.passed === false,
    isTorn: inputs.snapshot.confidence === 'torn',
    counts,
    ...(coverage && { coverage, ...firstDue(coverage) }),
  };
}

/**
 * What changes that wait or are skipped, and notes, leave to do: in a plan, at the end of a run and in a status (semantics N85).
 * @param open the tasks that no change shows; without it, a change that waits for a task stands for that task
 */
export function changesSituation(
  changes: Iterable<Counted>,
  notes: readonly NoteClass[],
  now: Instant,
  open?: Coverage['open'],
): HintSituation {
  const waiting = [...changes].filter(({ action }) => action === 'wait' || action === 'skip');
  const inDoubt = waiting.filter(({ reason }) => reason.code === 'inDoubt');
  const ours = waiting.filter(({ reason }) => reason.why === 'ours');
  // One open task holds every change of its device.
  const own = inDoubt.filter(isInDoubt);
  const ownOurs = ours.filter(isOurs);
  const others = waiting.filter(
    ({ reason: { code, why } }) => code !== 'inDoubt' && why !== 'ours',
  );
  return {
    now,
    running: (open?.running ?? 0) + sumCounts(open || ownOurs.length > 0 ? ownOurs : ours),
    inDoubt: [
      ...(open || own.length > 0 ? own : inDoubt).map(({ reason, count }) => ({
        count,
        ...pick(reason, 'since'),
      })),
      ...unlistedDoubts(open),
    ],
    unread: countUnread({ notes }),
    remaining: [
      ...others.map(({ reason, count, at: { policy }, window, lastNext }) => ({
        reason: withOpening(reason, window),
        count,
        policy,
        ...(lastNext !== undefined && { lastNext }),
      })),
      ...notes
        .filter(({ reason }) => reason.code !== 'notRead')
        .filter(({ reason }) => isChanging(findColumn({ action: 'note', reason })))
        .map(({ reason, count, at: { policy } }) => ({ reason, count, policy })),
    ].filter(({ reason }) => findActor(reason) !== 'nobody'),
  };
}

/** The outcomes in doubt that no change shows. */
export function unlistedDoubts(open: Coverage['open']): readonly Doubt[] {
  return open && open.inDoubt > 0 ? [{ count: open.inDoubt }] : [];
}

/** A change that falls due while its window is closed starts when it opens. */
function withOpening(reason: Reason, window: WindowRef | undefined): Reason {
  const opens = parseInstant(window?.opens ?? '');
  if (typeof reason.next !== 'number' || opens === undefined || opens <= reason.next) return reason;
  return { ...reason, next: opens };
}

/** The first start of what is not due yet, by the time of its windows. */
export function firstDue({ due }: Coverage): Pick<HintSituation, 'due'> {
  const at = parseInstant(due?.at ?? '');
  return due && at !== undefined ? { due: { policy: due.policy, at } } : {};
}

/** Changes by action, reason and column: all that an exit code depends on. */
function foldKinds(changes: Plan['changes']): readonly Counted[] {
  const folded = new Map<string, Counted & { count: number }>();
  for (const { change, count } of kindsIn(changes)) {
    const { action, reason, task } = change;
    const isMeant = isDecided(reason);
    const key = [action, reason.code, reason.why, findColumn(change), isMeant, task].join(' ');
    getOrAdd(folded, key, () => ({ ...change, count: 0 })).count += count;
  }
  return [...folded.values()];
}

/** How many changes and notes are in each column. */
export function countColumns(
  changes: readonly (Pick<Change, 'action' | 'reason' | 'task'> & { readonly count: number })[],
  notes: readonly NoteClass[],
): ColumnCounts {
  const sums = { ...addColumns([]) };
  for (const each of changes) sums[findColumn(each)] += each.count;
  for (const { count, reason } of notes) sums[findColumn({ action: 'note', reason })] += count;
  return sums;
}
