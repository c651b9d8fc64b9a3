import { hasError } from '../documents/diagnostic.ts';
import {
  findActor,
  addColumns,
  isChanging,
  isDecided,
  PLAN_COLUMNS,
  sumColumns,
  type ColumnCounts,
  type PlanColumn,
} from '../plan/actor.ts';
import { countDevices, isSelectionEmpty, type Coverage } from '../plan/coverage.ts';
import type { GuardrailVerdict } from '../plan/plan.ts';
import type { Instant } from '../../lib/time.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { countDoubts, findHint, type Hint, type HintSituation } from './hint.ts';

/** All that sentence, exit code and next step depend on, at the end of a plan, a run, a status or a drift. */
export interface Situation extends HintSituation {
  /** Approved changes whose device is no longer as it was approved. */
  readonly stale?: number;
  /** Devices that have lost what fleetform applied; absent where a command does not look for them. */
  readonly drifted?: number;
  /** Changes and notes by column; absent where a run ended before it had a plan. */
  readonly counts?: ColumnCounts;
  /** What was looked at; absent where nothing was, and in a plan of an older version. */
  readonly coverage?: Coverage;
}

/** What the first sentence says. */
export type Standing =
  | { readonly is: 'refused'; readonly verdict: GuardrailVerdict }
  | { readonly is: 'uncovered'; readonly devices: number }
  | { readonly is: 'drifted'; readonly count: number }
  | {
      readonly is: 'selected';
      readonly counts: ColumnCounts;
      readonly doubts: number;
    }
  | { readonly is: 'doubt' | 'running'; readonly count: number }
  | { readonly is: 'waits'; readonly count: number; readonly at?: Instant }
  | { readonly is: 'person'; readonly count: number; readonly isDecided: boolean }
  | { readonly is: 'unread' }
  | { readonly is: 'torn' }
  | { readonly is: 'clear' };

/** The judgement on a situation: the only place that decides these three (semantics M31). */
export interface AllClear {
  readonly standing: Standing;
  readonly exit: ExitCode;
  readonly next: Hint;
}

/** Turns coverage and changes into sentence, exit code and next step, for every command. */
export function findAllClear(situation: Situation): AllClear {
  const isUnselected = isUncovered(situation) || hasIdle(situation);
  const next = findHint({ ...situation, isUncovered: isUnselected });
  const exit = BY_WEIGHT.find(([, applies]) => applies(situation))?.[0] ?? EXIT.done;
  return { standing: findStanding(situation, next), exit, next };
}

/** The exit code of a command that only reads: its outcome does not fail it, unless nothing can be relied on. */
export function exitOfReading({ exit }: Pick<AllClear, 'exit'>): ExitCode {
  const kept: readonly ExitCode[] = [EXIT.error, EXIT.guardrail, EXIT.unfit];
  return kept.includes(exit) ? exit : EXIT.done;
}

type Applies = (situation: Situation) => boolean;

/** If several exit codes apply, the first of these counts (protocol Z3). */
const BY_WEIGHT: readonly (readonly [ExitCode, Applies])[] = [
  [EXIT.error, ({ ended, refusing = [] }) => ended === 'error' || hasError(refusing)],
  [EXIT.unfit, isUnfit],
  [EXIT.locked, ({ ended }) => ended === 'locked'],
  [EXIT.stale, isStale],
  [EXIT.guardrail, isRefused],
  [EXIT.changes, ({ drifted = 0 }) => drifted > 0],
  [EXIT.inDoubt, ({ inDoubt = [] }) => countDoubts(inDoubt) > 0],
  [EXIT.failed, needsPerson],
  [EXIT.workLeft, isLeft],
];

function isUnfit({ ended, isLedgerLost, areClocksApart }: Situation): boolean {
  return ended === 'unfit' || isLedgerLost === true || areClocksApart === true;
}

function isStale({ ended, expired, stale = 0 }: Situation): boolean {
  const isPast = ended === 'stale' || ended === 'unapproved';
  return isPast || expired !== undefined || stale > 0;
}

function isRefused({ ended, refused = [], outOfScope }: Situation): boolean {
  return refused.length > 0 || ended === 'guardrail' || outOfScope === true;
}

/** What no one decided and time never starts; nothing selected is a mistake in the documents, too. */
function needsPerson(situation: Situation): boolean {
  const { failed = 0, remaining } = situation;
  const isLeftToPerson = remaining.some(
    ({ reason }) => reason && findActor(reason) === 'person' && !isDecided(reason),
  );
  return failed > 0 || isLeftToPerson || isUncovered(situation) || hasIdle(situation);
}

/** A policy has lost all of its devices. */
export function hasIdle({ coverage }: Pick<Situation, 'coverage'>): boolean {
  return (coverage?.idle ?? []).length > 0;
}

/** No policy selects a device, and none waits to be discovered, which says nothing of drift. */
function isUncovered({ counts, coverage, drifted }: Situation): boolean {
  if (!coverage || !isSelectionEmpty(coverage) || counts === undefined) return false;
  return drifted === 0 || sumColumns(counts) === 0;
}

/** Something may start, now or later; is not read; or waits for somebody who decided that. */
function isLeft({ startable = 0, running = 0, unread = 0, ...rest }: Situation): boolean {
  const { remaining, isTorn, ended } = rest;
  if (startable + running + unread + remaining.length > 0) return true;
  return isTorn === true || ended === 'interrupted' || ended === 'overtaken';
}

/** Limits that are judged in every command; other limits refuse what would start. */
const ALWAYS: ReadonlySet<GuardrailVerdict['limit']> = new Set(['maxVanished', 'tasksLost']);

/** Whether a verdict is about the fleet that the service shows, not about what would start. */
export function isOfReading({ limit }: Pick<GuardrailVerdict, 'limit'>): boolean {
  return ALWAYS.has(limit);
}

/** Columns without what is done or left out. */
const OPEN: readonly PlanColumn[] = PLAN_COLUMNS.filter(isChanging);

function findStanding(situation: Situation, next: Hint): Standing {
  const { refused = [], coverage, drifted } = situation;
  const verdict = refused.find(isOfReading);
  if (verdict) return { is: 'refused', verdict };
  if (isUncovered(situation))
    return { is: 'uncovered', devices: countDevices(coverage?.seen ?? {}) };
  return drifted === undefined ? findOpen(situation, next) : findDrifted(situation, drifted);
}

function findDrifted(situation: Situation, drifted: number): Standing {
  const doubts = countDoubts(situation.inDoubt ?? []);
  if (drifted > 0) return { is: 'drifted', count: drifted };
  return doubts > 0 ? { is: 'doubt', count: doubts } : findQuiet(situation);
}

const WAITING: ReadonlySet<string> = new Set(['person', 'later']);

function findOpen(situation: Situation, next: Hint): Standing {
  const { counts = NONE, inDoubt = [], running = 0, unread = 0, remaining } = situation;
  const doubts = countDoubts(inDoubt);
  const later = counts.later - unread;
  const [only, ...others] = OPEN.filter(
    (column) => (column === 'later' ? later : counts[column]) > 0,
  );
  if (only === undefined) return findUnlisted(situation);
  const selected = { is: 'selected', counts, doubts } as const;
  if (others.length > 0 || unread > 0) return selected;
  const more = WAITING.has(only) ? remaining.length : running;
  if (doubts > 0 && more === 0) return { is: 'doubt', count: doubts };
  if (only === 'later')
    return { is: 'waits', count: later, ...(next.is === 'from' ? { at: next.at } : {}) };
  if (only !== 'person' || doubts > 0) return selected;
  return { is: 'person', count: counts.person, isDecided: !needsPerson(situation) };
}

/** No change is left, but a task may be open on a device that no change shows. */
function findUnlisted(situation: Situation): Standing {
  const { counts = NONE, inDoubt = [], running = 0, unread = 0 } = situation;
  const doubts = countDoubts(inDoubt);
  if (doubts > 0)
    return unread > 0 ? { is: 'selected', counts, doubts } : { is: 'doubt', count: doubts };
  return running > 0 && unread === 0 ? { is: 'running', count: running } : findQuiet(situation);
}

function findQuiet({ unread = 0, isTorn }: Situation): Standing {
  if (unread > 0) return { is: 'unread' };
  return { is: isTorn === true ? 'torn' : 'clear' };
}

const NONE: ColumnCounts = addColumns([]);
