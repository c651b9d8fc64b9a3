import { refusedEntries } from '../../model/documents/diagnostic.ts';
import { type Ending, type RunReport, classifyEnding } from '../../model/ledger/run-report.ts';
import { addColumns, type PlanColumn } from '../../model/plan/actor.ts';
import type { Situation } from '../../model/report/all-clear.ts';
import { changesSituation, firstDue } from '../../model/report/plan-situation.ts';
import type { StatusView } from '../../model/report/status.ts';
import type { Instant } from '../../lib/time.ts';
import { addRows, countFailed, findRunColumn, tabulateRun } from '../../model/ledger/run-table.ts';

/**
 * The situation at the end of a run: that of its last plan, as the run leaves the changes of it, and what the run alone knows,
 * such as which outcomes are in doubt.
 */
export function runSituation(report: RunReport, now: Instant): Situation {
  const { endings, ended, counts, refused, leftOpen = [], closedBeside = [] } = report;
  const { surveyed, isFile } = report;
  const left = report.left ?? report;
  const placed = left.endings.map((ending) => ({ ...ending, column: findRunColumn(ending) }));
  const startable = placed.filter(({ column }) => column === 'now').length;
  const waiting = placed.flatMap(({ column, reason, change: { task, at, window } }) =>
    reason && WAITS.has(column)
      ? [{ task, at, action: 'wait' as const, reason, count: 1, ...(window && { window }) }]
      : [],
  );
  return {
    ...changesSituation(waiting, left.notes, now),
    ...(ended && { ended }),
    ...(refused && { refused }),
    startable,
    ...(isFile === true && { beyond: surveyed?.beyond ?? 0 }),
    inDoubt: [
      ...endings.filter(isDoubt).map(({ intentId, reason }) => ({
        ...(intentId !== undefined && { intentId }),
        ...(reason?.since !== undefined && { since: reason.since }),
      })),
      ...leftOpen.filter(isDoubt).map(({ intentId, since }) => ({ intentId, since })),
      ...closedBeside.filter(isDoubt).map(({ intentId }) => ({ intentId })),
    ],
    running: counts.timedOut + counts.atWork + leftOpen.filter((each) => !isDoubt(each)).length,
    failed: countFailed(report),
    stale: report.approved === true ? endings.filter(isStale).length : 0,
    ...(surveyed && {
      isTorn: surveyed.isTorn,
      coverage: surveyed.coverage,
      refusing: surveyed.refusing ?? [],
      counts: addRows(tabulateRun(report)),
      ...firstDue(surveyed.coverage),
    }),
  };
}

/** The columns of what time or a person starts. */
const WAITS: ReadonlySet<PlanColumn> = new Set(['later', 'person']);

function isStale(ending: Ending): boolean {
  return classifyEnding(ending) === 'stale';
}

function isDoubt({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return outcome === 'inDoubt';
}

/** The situation of the policies of a status; without addresses, of all of them. */
export function statusSituation(view: StatusView, addresses?: ReadonlySet<string>): Situation {
  const { policies, at: now, inDoubt, inFlight, ledgerLost, clocksDiffer, refused } = view;
  const { coverage, torn, run, refusing = [] } = view;
  const isMeant = (policy: string): boolean => addresses?.has(policy) ?? true;
  const meant = policies.filter(({ at }) => isMeant(at.policy));
  const counts = addColumns(meant.map(({ columns }) => columns));
  const changes = meant.flatMap(({ at, task, waits, skips }) => [
    ...waits.map((each) => ({ ...each, at, task, action: 'wait' as const })),
    ...skips.map((each) => ({ ...each, at, task, action: 'skip' as const })),
  ]);
  const notes = meant.flatMap(({ at, task, left }) => left.map((each) => ({ ...each, at, task })));
  return {
    ...changesSituation(changes, notes, now),
    isLedgerLost: ledgerLost !== undefined,
    areClocksApart: clocksDiffer !== undefined,
    ...(run?.is === 'atWork' && { atWork: run.epoch }),
    ...(refused && { refused }),
    refusing: refusing.filter((each) => [...refusedEntries([each])].some(isMeant)),
    startable: counts.now,
    inDoubt: inDoubt
      .filter(({ policy }) => isMeant(policy))
      .map(({ intentId, since }) => ({ intentId, since })),
    running: inFlight.filter(({ policy }) => isMeant(policy)).length,
    unread: meant.reduce((sum, { notRead = 0 }) => sum + notRead, 0),
    isTorn: torn === true,
    counts,
    ...(coverage && { coverage }),
    ...(coverage && isMeant(coverage.due?.policy ?? '') && firstDue(coverage)),
  };
}
