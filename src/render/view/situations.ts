import { refusedBy } from '../../model/documents/diagnostic.ts';
import {
  type Ending,
  type RunReport,
  classifyEnding,
  countUnread,
  isRemaining,
} from '../../model/ledger/run-report.ts';
import { addColumns, findActor } from '../../model/plan/actor.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Situation } from '../../model/report/all-clear.ts';
import { firstDue, remainingNotes, withOpening } from '../../model/report/plan-situation.ts';
import type { PolicyStatus, StatusView } from '../../model/report/status.ts';
import type { Instant } from '../../lib/time.ts';
import { addRows, countFailed, findRunColumn, tabulateRun } from '../../model/ledger/run-table.ts';

/** The situation at the end of a run, with what its last reading showed beside its changes. */
export function runSituation(report: RunReport, now: Instant): Situation {
  const { endings, ended, counts, refused, leftOpen = [], closedBeside = [] } = report;
  const { surveyed, isFile } = report;
  const left = (report.left ?? report).endings.filter(isLeft);
  const cut = new Set(left.filter((each) => findRunColumn(each) === 'now' || mayStart(each, now)));
  const open = leftOpen.filter((each) => !isDoubt(each));
  return {
    now,
    ...(ended && { ended }),
    ...(refused && { refused }),
    startable: cut.size,
    ...(isFile === true && { beyond: surveyed?.beyond ?? 0 }),
    remaining: [
      ...left
        .filter((each) => !cut.has(each))
        .map(({ reason, change }) => ({
          ...(reason && { reason: withOpening(reason, change.window) }),
          count: 1,
          policy: nextPolicy(reason) ?? change.at.policy,
        })),
      ...remainingNotes((report.left ?? report).notes),
    ],
    inDoubt: [
      ...endings.filter(isDoubt).map(({ intentId, reason }) => ({
        ...(intentId !== undefined && { intentId }),
        ...(reason?.since !== undefined && { since: reason.since }),
      })),
      ...leftOpen.filter(isDoubt).map(({ intentId, since }) => ({ intentId, since })),
      ...closedBeside.filter(isDoubt).map(({ intentId }) => ({ intentId })),
    ],
    running: counts.timedOut + counts.atWork + open.length,
    unread: countUnread(report.left ?? report),
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

function isStale(ending: Ending): boolean {
  return classifyEnding(ending) === 'stale';
}

function isDoubt({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return outcome === 'inDoubt';
}

/** What a rotation policy has taken over from an incident may start when that policy lets it. */
function mayStart({ reason: { why, next } = { code: 'act' } }: Ending, now: Instant): boolean {
  return why === 'takenOver' && typeof next === 'number' && next <= now;
}

function nextPolicy({ why, params }: Partial<Reason> = {}): string | undefined {
  const policy = params?.['by'];
  return why === 'takenOver' && typeof policy === 'string' ? policy : undefined;
}

/** What was not started or skipped, unless it waits for nobody (semantics M33). */
function isLeft({ outcome, reason }: Ending): boolean {
  const actor = reason && findActor(reason);
  if (isRemaining({ outcome })) return actor !== 'nobody';
  return outcome === 'skipped' && actor !== undefined && actor !== 'nobody';
}

/** The situation of the policies of a status; without addresses, of all of them. */
export function statusSituation(view: StatusView, addresses?: ReadonlySet<string>): Situation {
  const { policies, at: now, inDoubt, inFlight, ledgerLost, clocksDiffer, refused } = view;
  const { coverage, torn, run, refusing = [] } = view;
  const isMeant = (policy: string): boolean => addresses?.has(policy) ?? true;
  const meant = policies.filter(({ at }) => isMeant(at.policy));
  const counts = addColumns(meant.map(({ columns }) => columns));
  return {
    now,
    isLedgerLost: ledgerLost !== undefined,
    areClocksApart: clocksDiffer !== undefined,
    ...(run?.is === 'atWork' && { atWork: run.epoch }),
    ...(refused && { refused }),
    refusing: refusing.filter((each) => [...refusedBy([each])].some(isMeant)),
    startable: counts.now,
    remaining: meant.flatMap((policy) => remainingIn(policy)),
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

/**
 * What is in flight or in doubt is counted by its intents. What stops the whole rollout comes before
 * all else that its changes wait for (semantics H8).
 */
function remainingIn({
  at,
  waits,
  skips,
  halted,
  left: noted,
}: PolicyStatus): Situation['remaining'] {
  const waiting = halted ? waits.map((each) => ({ ...each, reason: halted })) : waits;
  const left = [...waiting, ...skips, ...noted]
    .filter(({ reason }) => reason.why !== 'ours' && reason.code !== 'inDoubt')
    .filter(({ reason }) => findActor(reason) !== 'nobody');
  return left.map((each) => ({ ...each, policy: at.policy }));
}
