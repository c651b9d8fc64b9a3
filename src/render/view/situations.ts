import {
  type Ending,
  type RunReport,
  countUnread,
  isRemaining,
} from '../../model/ledger/run-report.ts';
import type { Change, WindowRef } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { findActor } from '../../model/plan/actor.ts';
import type { HintSituation } from '../../model/report/hint.ts';
import type { PolicyStatus, StatusView } from '../../model/report/status.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import type { PlanView } from './view.ts';

type Counted = Pick<Change, 'action' | 'reason' | 'window'> & {
  readonly at: { readonly policy: string };
  readonly count: number;
  readonly lastNext?: Instant;
};

/** The situation at the end of a plan; of a saved one that is shown later, also whether it has expired. */
export function planSituation(view: PlanView, shownAt?: Instant): HintSituation {
  const { verdicts, counts, evaluatedAt, classes, notes, review, base, obstacles } = view;
  const expires = parseInstant(view.expiresAt);
  const isOver = shownAt !== undefined && expires !== undefined && expires <= shownAt;
  return {
    ...(isOver && { expired: expires }),
    ...changesSituation(classes, parseInstant(evaluatedAt) ?? 0),
    isLedgerLost: obstacles.some(({ code }) => code === 'ledgerLost'),
    areClocksApart: obstacles.some(({ code }) => code === 'clocksDiffer'),
    startable: counts.run,
    refused: verdicts.filter(({ passed }) => !passed),
    outOfScope: base?.scope?.passed === false,
    unread: review.totals.unread,
    ...firstDue(notes.map(({ reason, at }) => ({ at: reason.next, policy: at.policy }))),
  };
}

function firstDue(
  dates: readonly { readonly at: Instant | 'never' | undefined; readonly policy: string }[],
): Pick<HintSituation, 'due'> {
  const known = dates.flatMap(({ at, policy }) => (typeof at === 'number' ? [{ at, policy }] : []));
  const [due] = known.sort((a, b) => a.at - b.at);
  return due ? { due } : {};
}

/** What changes that wait or are skipped leave to do. */
export function changesSituation(changes: Iterable<Counted>, now: Instant): HintSituation {
  const waiting = [...changes].filter(({ action }) => action === 'wait' || action === 'skip');
  const doubts = waiting.filter(({ reason }) => reason.code === 'inDoubt');
  const others = waiting.filter(
    ({ reason }) => reason.code !== 'inDoubt' && findActor(reason) !== 'nobody',
  );
  return {
    now,
    inDoubt: doubts.map(({ reason: { since }, count }) => ({
      count,
      ...(since !== undefined && { since }),
    })),
    remaining: others.map(({ reason, count, at: { policy }, window, lastNext }) => ({
      reason: withOpening(reason, window),
      count,
      policy,
      ...(lastNext !== undefined && { lastNext }),
    })),
  };
}

/** A change that falls due while its window is closed starts when it opens. */
function withOpening(reason: Reason, window: WindowRef | undefined): Reason {
  const opens = parseInstant(window?.opens ?? '');
  if (typeof reason.next !== 'number' || opens === undefined || opens <= reason.next) return reason;
  return { ...reason, next: opens };
}

/** The situation at the end of a run. */
export function runSituation(report: RunReport, now: Instant): HintSituation {
  const { endings, ended, counts, refused, leftOpen = [] } = report;
  const left = endings.filter(isLeft);
  const cut = left.filter(({ reason }) => !reason || CUT.has(reason.code) || mayStart(reason, now));
  const open = leftOpen.filter((each) => !isDoubt(each));
  return {
    now,
    ...(ended && { ended }),
    ...(refused && { refused }),
    startable: cut.length,
    remaining: left
      .filter((each) => !cut.includes(each))
      .map(({ reason, change }) => ({
        ...(reason && { reason: withOpening(reason, change.window) }),
        count: 1,
        policy: nextPolicy(reason) ?? change.at.policy,
      })),
    inDoubt: [
      ...endings.filter(isDoubt).map(({ intentId, reason }) => ({
        ...(intentId !== undefined && { intentId }),
        ...(reason?.since !== undefined && { since: reason.since }),
      })),
      ...leftOpen.filter(isDoubt).map(({ intentId, since }) => ({ intentId, since })),
    ],
    running: counts.timedOut + counts.atWork + open.length,
    unread: countUnread(report),
    failed: counts.failed + counts.rolledBack + counts.aborted + counts.unverified,
  };
}

function isDoubt({ outcome }: Pick<Ending, 'outcome'>): boolean {
  return outcome === 'inDoubt';
}

/** Reasons under which a change may start at once in the next run. */
const CUT: ReadonlySet<string> = new Set(['interrupted', 'notReached']);

/** What a rotation policy has taken over from an incident may start when that policy lets it. */
function mayStart({ why, next }: Reason, now: Instant): boolean {
  return why === 'takenOver' && typeof next === 'number' && next <= now;
}

function nextPolicy({ why, params }: Partial<Reason> = {}): string | undefined {
  const policy = params?.['by'];
  return why === 'takenOver' && typeof policy === 'string' ? policy : undefined;
}

/** What was not started, and what was skipped until a person acts. */
function isLeft({ outcome, reason }: Ending): boolean {
  if (isRemaining({ outcome })) return true;
  return outcome === 'skipped' && reason !== undefined && findActor(reason) === 'person';
}

/** The situation of the policies of a status; without addresses, of all of them. */
export function statusSituation(
  { policies, at: now, inDoubt, inFlight, ledgerLost, clocksDiffer, refused }: StatusView,
  addresses?: ReadonlySet<string>,
): HintSituation {
  const isMeant = (policy: string): boolean => addresses?.has(policy) ?? true;
  const meant = policies.filter(({ at }) => isMeant(at.policy));
  return {
    now,
    isLedgerLost: ledgerLost !== undefined,
    areClocksApart: clocksDiffer !== undefined,
    ...(refused && { refused }),
    startable: meant.reduce((sum, { run }) => sum + run, 0),
    remaining: meant.flatMap((policy) => remainingIn(policy)),
    inDoubt: inDoubt
      .filter(({ policy }) => isMeant(policy))
      .map(({ intentId, since }) => ({ intentId, since })),
    running: inFlight.filter(({ policy }) => isMeant(policy)).length,
    unread: countNotRead(meant),
    ...firstDue(meant.map(({ nextDue, at: { policy } }) => ({ at: nextDue, policy }))),
  };
}

/** Devices that nothing is decided about, because no run has read their value yet. */
export function countNotRead(policies: readonly PolicyStatus[]): number {
  return policies.reduce((sum, { notRead = 0 }) => sum + notRead, 0);
}

/**
 * What is in flight or in doubt is counted by its intents. What stops the whole rollout comes before
 * all else that its changes wait for (semantics H8).
 */
function remainingIn({ at, waits, skips, halted }: PolicyStatus): HintSituation['remaining'] {
  const waiting = halted ? waits.map((each) => ({ ...each, reason: halted })) : waits;
  return [...waiting, ...skips]
    .filter(({ reason }) => reason.why !== 'ours' && reason.code !== 'inDoubt')
    .filter(({ reason }) => findActor(reason) !== 'nobody')
    .map((each) => ({ ...each, policy: at.policy }));
}
