import { MINUTE, type Instant } from '../../lib/time.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import { QUARANTINE_MS } from '../fleet/read-delay.ts';
import type { EndedEarly } from './output.gen.ts';
import { findActor } from '../plan/actor.ts';
import type { GuardrailVerdict } from '../plan/plan.ts';
import type { Reason } from '../plan/reason.ts';

/** Changes that have not been made, of one policy and for one reason. */
export interface Remaining {
  readonly reason: Reason;
  readonly count: number;
  readonly policy?: string;
  /** When the last of them may continue, where that is later than the first. */
  readonly lastNext?: Instant;
}

/** Devices whose outcome is in doubt. */
export interface Doubt {
  readonly intentId?: string;
  /** The oldest attempt. */
  readonly since?: Instant;
  /** How many there are; absent: 1. */
  readonly count?: number;
}

/** All that the next step depends on, at the end of a plan, a run, a status or a drift. */
export interface HintSituation {
  readonly now: Instant;
  /** The ledger lacks records that were seen before: apply refuses it. */
  readonly isLedgerLost?: boolean;
  /** The clocks of this machine and the service differ too much for `apply`. */
  readonly areClocksApart?: boolean;
  /** When the plan file expired, if it has. */
  readonly expired?: Instant;
  /** The number of another run, which is at work. */
  readonly atWork?: number | undefined;
  /** Why a run ended early. */
  readonly ended?: EndedEarly;
  readonly refused?: readonly GuardrailVerdict[];
  /** The findings that refuse policies (semantics K27). */
  readonly refusing?: readonly Diagnostic[];
  /** The request does not keep to the scope that its commits name. */
  readonly outOfScope?: boolean;
  /** The number of changes that may start now. */
  readonly startable?: number;
  /** The commands before which a run starts nothing: its documents are not the newest. */
  readonly steps?: string | undefined;
  /** Changes that may start now and that the applied file does not have. */
  readonly beyond?: number;
  readonly remaining: readonly Remaining[];
  readonly inDoubt?: readonly Doubt[];
  /** Tasks that were still running. */
  readonly running?: number;
  /** Changes that this run tried without success. */
  readonly failed?: number;
  /** Devices and tasks that nothing is decided about yet. */
  readonly unread?: number;
  /** The reading is inconsistent: devices may be missing. */
  readonly isTorn?: boolean;
  /** No policy selects a device, or one does not any more. */
  readonly isUncovered?: boolean;
  /** What falls due next, where nothing is left. */
  readonly due?: Due;
}

/** The next due date of a policy. */
export interface Due {
  readonly at: Instant;
  readonly policy: string;
}

/** The next step. `row` is the row of the table below that gave it (semantics N85). */
export type Hint =
  | { readonly row: 1; readonly is: 'ledgerLost' | 'clocksDiffer' }
  | { readonly row: 1 | 2 | 3 | 4 | 7; readonly is: 'ended'; readonly ended: EndedEarly }
  | { readonly row: 3; readonly is: 'expired'; readonly at: Instant }
  | { readonly row: 4; readonly is: 'refused'; readonly verdict: GuardrailVerdict }
  | { readonly row: 4; readonly is: 'outOfScope' }
  | {
      readonly row: 3 | 4 | 6;
      readonly is: 'blocked';
      readonly left: Remaining;
    }
  | { readonly row: 5; readonly is: 'doubt'; readonly doubt: Doubt; readonly count: number }
  | { readonly row: 7; readonly is: 'atWork'; readonly epoch: number }
  | { readonly row: 7; readonly is: 'again'; readonly steps?: string }
  | { readonly row: 7; readonly is: 'beyond'; readonly count: number }
  | { readonly row: 8; readonly is: 'follow'; readonly count: number; readonly inDoubt?: true }
  | { readonly row: 8; readonly is: 'read'; readonly count: number }
  | { readonly row: 8; readonly is: 'torn' }
  | { readonly row: 8; readonly is: 'readAgain'; readonly count: number }
  | {
      readonly row: 9;
      readonly is: 'from';
      readonly at: Instant;
      readonly of: Remaining;
      /** Others of them start later. */
      readonly isFirst?: true;
      /** What may start at any time, once its device is back. */
      readonly beside?: Remaining;
    }
  | { readonly row: 9; readonly is: 'open'; readonly of: Remaining; readonly at?: Instant }
  | {
      readonly row: 10;
      readonly is: 'person';
      readonly remaining: readonly Remaining[];
      /** When the first of what needs nobody starts; absent where one of it has no such instant. */
      readonly at?: Instant;
    }
  | { readonly row: 10; readonly is: 'mend'; readonly finding: Diagnostic }
  | { readonly row: 10; readonly is: 'failed'; readonly count: number }
  | { readonly row: 10; readonly is: 'uncovered' }
  | { readonly row: 11; readonly is: 'done'; readonly due?: Due };

/** The rows of runs that ended early; an interruption is weighed with what else may start. */
const ROW_OF_END: Readonly<Record<EndedEarly, 1 | 2 | 3 | 4 | 7>> = {
  unfit: 1,
  error: 1,
  locked: 2,
  stale: 3,
  unapproved: 3,
  guardrail: 4,
  interrupted: 7,
  overtaken: 7,
};

type Row = (situation: HintSituation) => Hint | undefined;

/** The situations in their order; the first that fits gives the only hint (semantics N85). */
const ROWS: readonly Row[] = [
  ({ isLedgerLost }) => (isLedgerLost === true ? { row: 1, is: 'ledgerLost' } : undefined),
  ({ areClocksApart }) => (areClocksApart === true ? { row: 1, is: 'clocksDiffer' } : undefined),
  (situation) => endedIn([1, 2, 3], situation),
  ({ expired }) => (expired === undefined ? undefined : { row: 3, is: 'expired', at: expired }),
  (situation) => blockedBy(hasCode('awaitsApproval'), 3, situation),
  ({ refused = [] }) => {
    const [verdict] = refused;
    return verdict && { row: 4, is: 'refused', verdict };
  },
  (situation) => endedIn([4], situation),
  ({ outOfScope }) => (outOfScope === true ? { row: 4, is: 'outOfScope' } : undefined),
  (situation) => blockedBy(hasCode('approvalPending'), 4, situation),
  resolveDoubt,
  stoppedBy,
  ({ atWork }) => (atWork === undefined ? undefined : { row: 7, is: 'atWork', epoch: atWork }),
  (situation) => endedIn([7], situation),
  ({ startable = 0, steps }) =>
    startable > 0 ? { row: 7, is: 'again', ...(steps !== undefined && { steps }) } : undefined,
  ({ beyond = 0 }) => (beyond > 0 ? { row: 7, is: 'beyond', count: beyond } : undefined),
  followRunning,
  readEvidence,
  ({ unread = 0 }) => (unread > 0 ? { row: 8, is: 'read', count: unread } : undefined),
  ({ isTorn }) => (isTorn === true ? { row: 8, is: 'torn' } : undefined),
  readAgain,
  ({ refusing: [finding] = [] }) => finding && { row: 10, is: 'mend', finding },
  waitForPerson,
  waitForTime,
  ({ failed = 0 }) => (failed > 0 ? { row: 10, is: 'failed', count: failed } : undefined),
  ({ isUncovered }) => (isUncovered === true ? { row: 10, is: 'uncovered' } : undefined),
];

/** The next step of a situation. */
export function findHint(situation: HintSituation): Hint {
  for (const row of ROWS) {
    const hint = row(situation);
    if (hint) return hint;
  }
  const { due } = situation;
  return { row: 11, is: 'done', ...(due && { due }) };
}

function endedIn(rows: readonly number[], { ended }: HintSituation): Hint | undefined {
  if (ended === undefined || !rows.includes(ROW_OF_END[ended])) return undefined;
  return { row: ROW_OF_END[ended], is: 'ended', ended };
}

/** Of what is blocked so, that of which there is most, by policy and cause. */
function blockedBy(
  is: (reason: Reason) => boolean,
  row: 3 | 4 | 6,
  { remaining }: HintSituation,
): Hint | undefined {
  const blocked = remaining.filter(({ reason }) => is(reason));
  const left = findMost(blocked, ({ policy, reason: { code, why, params } }) =>
    JSON.stringify([policy, code, why, params?.['scope']]),
  );
  return left && { row, is: 'blocked', left };
}

/** The first of the largest group, whatever the order: of equal ones, that of the first key. */
function findMost(
  some: readonly Remaining[],
  keyOf: (one: Remaining) => string,
): Remaining | undefined {
  const [most] = [...groupBy(some, keyOf)].sort(
    ([a, ones], [b, others]) => sumCounts(others) - sumCounts(ones) || compareTexts(a, b),
  );
  return most?.[1][0];
}

function hasCode(...codes: readonly Reason['code'][]): (reason: Reason) => boolean {
  return ({ code }) => codes.includes(code);
}

/** Whether a stop holds the change when all else is over (semantics K26). */
function isStoppedToo({ params = {} }: Reason): boolean {
  return ['alsoPaused', 'alsoStopped', 'alsoAborted'].some((name) => params[name] !== undefined);
}

/** What doubts alone have stopped goes on once they are settled: they come first. */
function stoppedBy(situation: HintSituation): Hint | undefined {
  const stop =
    blockedBy(hasCode('rolloutPaused', 'rolloutAborted'), 6, situation) ??
    blockedBy(isStoppedToo, 6, situation);
  const { inDoubt = [] } = situation;
  const [doubt] = inDoubt;
  if (!doubt || stop?.is !== 'blocked' || !isByDoubt(stop.left.reason)) return stop;
  return { row: 5, is: 'doubt', doubt, count: countDoubts(inDoubt) };
}

/** Whether outcomes in doubt alone have tripped a stop rule, so that no task has steps to show. */
export function isByDoubt({ params: { bad, inDoubt } = {} }: Reason): boolean {
  return bad !== undefined && bad === inDoubt;
}

/** Evidence is read again until the quarantine ends; then a person has to look at the device. */
function resolveDoubt({ inDoubt = [], now }: HintSituation): Hint | undefined {
  const past = inDoubt.filter(({ since }) => since === undefined || now - since >= QUARANTINE_MS);
  const [doubt] = past.toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0));
  return doubt && { row: 5, is: 'doubt', doubt, count: countDoubts(past) };
}

function followRunning({ running = 0 }: HintSituation): Hint | undefined {
  return running > 0 ? { row: 8, is: 'follow', count: running } : undefined;
}

/** Nothing may be running: only what a later read shows settles it. */
function readEvidence({ inDoubt = [] }: HintSituation): Hint | undefined {
  const count = countDoubts(inDoubt);
  return count > 0 ? { row: 8, is: 'follow', count, inDoubt: true } : undefined;
}

/** A device that this run could not read is read again by the next one; what it did not understand needs a person. */
function readAgain({ remaining }: HintSituation): Hint | undefined {
  const unread = remaining.filter(({ reason }) => reason?.why === 'valueUnknown' && !reason.since);
  const count = sumCounts(unread.filter(({ reason }) => isReadSoon(reason)));
  return count > 0 ? { row: 8, is: 'readAgain', count } : undefined;
}

/** What failed, and the row of a device: every run reads the list. */
function isReadSoon({ params = {} }: Partial<Reason> = {}): boolean {
  const { field, problem } = params;
  if (field === 'device') return problem !== 'forbidden';
  return problem === 'failed' || problem === 'notFound' || problem === 'notRead';
}

/** How many outcomes are in doubt. */
export function countDoubts(doubts: readonly Doubt[]): number {
  return doubts.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** The first instant at which something may start; what ends at any time may come before it. */
function waitForTime({ remaining, now }: HintSituation): Hint | undefined {
  const waiting = remaining.filter(({ reason }) => !reason || findActor(reason) === 'time');
  const isDated = ({ reason }: Remaining): boolean =>
    typeof reason?.next === 'number' && reason.next > now;
  const dated = waiting
    .flatMap((each) => (isDated(each) ? [{ at: Number(each.reason?.next), each }] : []))
    .sort((a, b) => a.at - b.at);
  const at = dated[0]?.at ?? now;
  const soonest = dated.filter((one) => one.at === at).map(({ each }) => each);
  const first = findMost(soonest, ({ policy }) => policy ?? '');
  const undated = waiting.filter((each) => !isDated(each));
  const ahead = withoutBehind(undated, waiting);
  // A run changes nothing about a device that is away: what has an instant comes first.
  const open = ahead.find(({ reason }) => !isAway(reason)) ?? ahead[0];
  const alikeOpen = undated.filter(
    ({ policy, reason }) => policy === open?.policy && isAlike(reason, open?.reason),
  );
  const of = open && { ...open, count: sumCounts(alikeOpen) };
  if (of && !(first && isAway(of.reason))) return { row: 9, is: 'open', of, ...(first && { at }) };
  if (!first) return undefined;
  const alike = dated.filter(
    (one) =>
      one.each.policy === first.policy &&
      (upToMinute(one.at) === upToMinute(at) || isAlike(one.each.reason, first.reason)),
  );
  const count = sumCounts(alike.map(({ each }) => each));
  const isFirst = alike.some(
    (one) => upToMinute(Math.max(one.at, one.each.lastNext ?? one.at)) > upToMinute(at),
  );
  return {
    row: 9,
    is: 'from',
    at,
    of: { ...first, count },
    ...(isFirst && { isFirst }),
    ...(of && { beside: of }),
  };
}

/** Whether a change waits for its device alone. */
function isAway(reason: Reason | undefined): boolean {
  return reason?.code === 'busy' || reason?.code === 'offline';
}

/** Changes that wait for the same: counted one by one or together, their sum is the same. */
function isAlike(a: Reason | undefined, b: Reason | undefined): boolean {
  return a?.code === b?.code && a?.why === b?.why;
}

/** The minute that a hint names: in the one before, a run would find nothing to do. */
export function upToMinute(at: Instant): Instant {
  return Math.ceil(at / MINUTE) * MINUTE;
}

/** Without later waves, which start after an earlier one of their policy: they cannot come before the instant of that one. */
function withoutBehind(
  some: readonly Remaining[],
  waiting: readonly Remaining[],
): readonly Remaining[] {
  const isAhead = ({ reason }: Remaining): boolean =>
    !waitsForOthers(reason) || typeof reason?.next === 'number';
  const leading = new Set(waiting.filter(isAhead).map(({ policy }) => policy));
  const isLed = ({ reason, policy }: Remaining): boolean =>
    reason?.code === 'orderPending' ? leading.size > 0 : leading.has(policy);
  return some.filter((each) => !waitsForOthers(each.reason) || !isLed(each));
}

/** Whether devices of another policy, or of an earlier wave of its own, have to come first. */
export function waitsForOthers(reason: Reason | undefined): boolean {
  if (reason?.code === 'waveNotOpen' || reason?.code === 'orderPending') return true;
  const { code, why, next } = reason ?? {};
  if (why === 'takenOver') return next === undefined;
  return code === 'gatePending' && (why === 'minReached' || why === 'onTheWay');
}

/** It comes before any instant: nothing is left to do until one only where nobody is needed (semantics N85). */
function waitForPerson(situation: HintSituation): Hint | undefined {
  const left = situation.remaining.filter(({ reason }) => reason && findActor(reason) === 'person');
  if (left.length === 0) return undefined;
  const later = waitForTime(situation);
  return {
    row: 10,
    is: 'person',
    remaining: left,
    ...(later?.is === 'from' && !later.beside && { at: later.at }),
  };
}
