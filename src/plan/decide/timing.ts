import type { Params } from '../../model/error.ts';
import { isPassed, type Passable } from '../../model/documents/passes.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import {
  type Instant,
  type Milliseconds,
  formatInstant,
  readableDuration,
} from '../../lib/time.ts';
import type { ActiveFreeze, CalendarState } from '../../calendar/window-state.ts';
import type { DecisionStep, Evaluation, RuleResult } from './decision-input.ts';
import type { Timing } from './schedule.ts';
import { BY_PERSON } from '../../rollout/progress/halts.ts';

/** K6: no exception passes a hard freeze. */
export function frozenHard(evaluation: Evaluation): RuleResult | undefined {
  const state = evaluation.timing?.judged?.state;
  if (!state?.hard) return undefined;
  const { to = Infinity } = state.hard;
  const opens = passesWindows(evaluation)
    ? undefined
    : orInsideGuard(evaluation, nextIn(state), to);
  return frozenBy('frozenHard', state.hard, opens);
}

/** K7: a rule needs the zone of a site that has none. */
export function siteWithoutZone({ timing }: Evaluation): RuleResult | undefined {
  const judged = timing?.judged;
  if (!judged?.state.withoutZone) return undefined;
  const site = judged.zoneless === undefined ? {} : { site: judged.zoneless };
  const params = { ...site, ...judged.state.withoutZone };
  return { action: 'skip', reason: { code: 'siteWithoutZone', next: 'never', params } };
}

/** The blocks that depend on the clock alone: K14 to K16. */
export function closedBy({ window, judged }: Timing): RuleResult | undefined {
  if (!judged) return undefined;
  const { soft, window: state } = judged.state;
  if (soft) return frozenBy('frozen', soft, nextIn(judged.state));
  if (state.is === 'open') return undefined;
  const { opens } = state;
  const cutoff =
    state.is === 'pastCutoff' ? { cutoff: readableDuration(state.close - state.lastStart) } : {};
  const hops = judged.together > 1 ? { hops: judged.together } : {};
  const next = { window: window.name, ...cutoff, ...hops, ...instantParam('opens', opens) };
  const code = state.is === 'closed' ? 'windowClosed' : 'pastCutoff';
  return { action: 'wait', reason: { code, next: opens ?? 'never', params: next } };
}

/** The instant after which it is too late to start; undefined where no window applies. */
export function findLastStart(evaluation: Evaluation): Instant | undefined {
  const window = evaluation.timing?.judged?.state.window;
  return window?.is === 'open' && !passesWindows(evaluation) ? window.lastStart : undefined;
}

/** Whether neither a window nor a soft freeze holds the change back now (semantics K23, M26). */
export function passesWindows(evaluation: Evaluation): boolean {
  return isPassed('window', evaluation.case.passer) || insideExpiryGuard(evaluation);
}

/** When that which passes obstacles for a change ends: an exception at its `until` (semantics E2), an incident with its changes. */
export function passedUntil({ case: { passer }, exemption }: Evaluation): Instant {
  if (passer === 'expedite') return exemption.expedite?.value.until ?? Infinity;
  return passer ? Infinity : -Infinity;
}

/** The change as it is when nothing passes an obstacle for it. */
export function withoutPasser(evaluation: Evaluation): Evaluation {
  const { passer: _passer, ...bare } = evaluation.case;
  return { ...evaluation, case: bare, judgement: evaluation.kind.judge(bare) };
}

/** How overdue a rotation is, counted in windows of its policy. */
export function debtIn(evaluation: Evaluation): Params | undefined {
  return overdueParams(evaluation, countChances(evaluation));
}

function countChances(evaluation: Evaluation): Chances | undefined {
  const { judgement, timing } = evaluation;
  if (judgement.is !== 'due' || judgement.since === undefined || !timing?.judged) return undefined;
  const { calendar, query, at } = timing.judged;
  if (!calendar.open(query).some(({ close }) => close < Infinity)) return undefined;
  const open = Math.max(judgement.since, calendar.span.open);
  const past = open < at ? calendar.starts(query, { open, close: at }) : [];
  const next = orInsideGuard(evaluation, calendar.nextStart(query, at), at);
  return {
    missed: past.filter(({ lastStart }) => lastStart <= at).length,
    ...(next !== undefined && { next }),
  };
}

export function closed(
  evaluation: Evaluation,
  code: ReasonCode,
  what: Passable,
): RuleResult | undefined {
  const ruleResult = evaluation.timing && closedBy(evaluation.timing);
  if (ruleResult?.reason.code !== code || isPassed(what, evaluation.case.passer)) return undefined;
  if (insideExpiryGuard(evaluation)) return undefined;
  const { reason } = ruleResult;
  const opens = typeof reason.next === 'number' ? reason.next : undefined;
  const next = orInsideGuard(evaluation, opens, evaluation.case.now);
  const guard = next !== opens && { guard: readableDuration(guardIn(evaluation)?.length ?? 0) };
  const params = { ...reason.params, ...debtIn(evaluation), ...guard };
  return { ...ruleResult, reason: { ...reason, next: next ?? 'never', params } };
}

/** The end of a freeze does not help a change that then waits for its window. */
function frozenBy(
  code: 'frozen' | 'frozenHard',
  { freeze, to }: ActiveFreeze,
  opens: Instant | undefined,
): RuleResult {
  const params = { freeze, ...instantParam('to', to) };
  return { action: 'wait', reason: { code, next: opens ?? to ?? 'never', params } };
}

function nextIn({ window }: CalendarState): Instant | undefined {
  return window.is === 'open' ? undefined : window.opens;
}

function instantParam(name: 'to' | 'opens', at: Instant | undefined): Params {
  return at === undefined ? {} : { [name]: formatInstant(at) };
}

/** The past and future windows in which a change can start. */
interface Chances {
  /** The number that passed between `since` and now. */
  readonly missed: number;
  /** The next one; absent where it is not known. */
  readonly next?: Instant;
}

/** `anytime` has no opening and no close, so a day counts as one of its windows. */
const WINDOW: Milliseconds = 24 * 3_600_000;

/**
 * The state of an overdue rotation (semantics R11): since when it is due, how many windows it missed,
 * its next start, and when it is too late. Undefined if nothing is overdue.
 * @param chances the windows of its policy; without them each day counts as one
 */
function overdueParams(evaluation: Evaluation, chances?: Chances): Params | undefined {
  const { judgement, case: theCase } = evaluation;
  if (theCase.policy.section !== 'rotations' || judgement.is !== 'due') return undefined;
  const { since, breachesAt } = judgement;
  if (since === undefined || breachesAt === undefined) return undefined;
  const { missed, next } = chances ?? { missed: Math.floor((theCase.now - since) / WINDOW) };
  return {
    dueSince: formatInstant(since),
    windowsMissed: missed,
    ...(next !== undefined && { nextChance: formatInstant(next) }),
    breachesAt: formatInstant(breachesAt),
  };
}

/** A certificate that is about to end, or has ended: now is inside its `expiryGuard` (semantics M26). */
export function insideExpiryGuard(evaluation: Guarded): boolean {
  const { from = Infinity } = guardIn(evaluation) ?? {};
  return evaluation.case.now >= from;
}

type Guarded = Pick<Evaluation, 'judgement' | 'case'>;

/** The end of a due certificate within which windows and soft freezes no longer hold it back. */
export function guardIn({
  judgement,
  case: { policy },
}: Guarded): { readonly from: Instant; readonly length: Milliseconds } | undefined {
  if (policy.section !== 'rotations' || policy.expiryGuard === undefined) return undefined;
  if (judgement.is !== 'due' || judgement.expiresAt === undefined) return undefined;
  return { from: judgement.expiresAt - policy.expiryGuard, length: policy.expiryGuard };
}

/** The first instant from another on at which the guard lets a change start; Infinity where it has none (M26). */
export function startInsideGuard(evaluation: Evaluation, from: Instant): Instant {
  const guard = guardIn(evaluation);
  if (!guard) return Infinity;
  const start = Math.max(guard.from, from);
  const { judged } = evaluation.timing ?? {};
  return judged ? judged.calendar.afterHardFreezes(judged.query, start) : start;
}

/** The start that windows allow, or an earlier one that the guard allows. */
function orInsideGuard(
  evaluation: Evaluation,
  opens: Instant | undefined,
  from: Instant,
): Instant | undefined {
  const inside = startInsideGuard(evaluation, from);
  return inside < (opens ?? Infinity) ? inside : opens;
}

/** When a soft freeze ends for a change: at its own end, or when its guard begins. */
export function softEnd(evaluation: Guarded, { to = Infinity }: ActiveFreeze): Instant {
  return Math.min(to, guardIn(evaluation)?.from ?? Infinity);
}

/** The reasons that delay a due change, until an instant or until a person acts. */
const HOLDS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'hold',
  'frozenHard',
  'rolloutAborted',
  'rolloutPaused',
  'gatePending',
  'frozen',
]);

/**
 * Reasons that also have no end while a pause without an end applies: the change is due now, and its
 * device only cools down. A device that is not due keeps its own day.
 */
function endsWithHolds({ code, why }: Reason): boolean {
  return HOLDS.has(code) || code === 'busy' || why === 'backoff';
}

/**
 * The result of the step that decided, with the instant at which nothing holds the change any more:
 * the latest end of all that holds it, and from there the next start that its windows allow. Where
 * something beside it has no end, the instant is `never`, and the parameters name that (semantics
 * K26).
 * @param steps all steps: those before the one that decided too, which an exception may pass until it ends
 */
export function untilAllEnd(
  decided: RuleResult,
  evaluation: Evaluation,
  steps: readonly DecisionStep[],
): RuleResult {
  if (!mayEndLater(decided)) return decided;
  const own = withinIncident(decided, evaluation);
  return withinIncident(untilOthersEnd(own, evaluation, steps), evaluation);
}

/**
 * Whether a later step may move the instant of a result. Later steps read the wave and the pauses of a
 * device, so such a result holds for that device alone, whatever decided it. Of any other result
 * `untilAllEnd` changes nothing.
 */
function mayEndLater({ action, reason }: RuleResult): boolean {
  const isDelayed = action === 'wait' || reason.code === 'exclude';
  return isDelayed && typeof reason.next === 'number';
}

/** A change of an incident that could start only after its end never starts: it needs a person (semantics N61). */
function withinIncident(decided: RuleResult, { behind, case: { policy } }: Evaluation): RuleResult {
  const { reason } = decided;
  const { until = Infinity } = (policy.section === 'rotations' && policy.incident) || {};
  if (typeof reason.next !== 'number' || reason.next < until) return decided;
  const then = behind?.find((policy) => (policy.incident?.until ?? Infinity) > until)?.address;
  const ends = { incidentEnds: formatInstant(until), startsAt: formatInstant(reason.next) };
  const params = { ...reason.params, ...ends, ...(then !== undefined && { thenBy: then }) };
  return { ...decided, reason: { ...reason, next: 'never', params } };
}

function untilOthersEnd(
  decided: RuleResult,
  evaluation: Evaluation,
  steps: readonly DecisionStep[],
): RuleResult {
  const { reason } = decided;
  if (typeof reason.next !== 'number') return decided;
  // What is in doubt needs a person once no run reads it any more.
  const results = steps.flatMap(({ code, check }) => {
    const result = code === 'inDoubt' ? undefined : check(evaluation);
    // An empty wave before ends with its devices, as when they fall due, not when a person ends something.
    const isEnded = result?.reason.code === code && result.reason.why !== 'emptyWave';
    return isEnded ? [result.reason] : [];
  });
  const endless = results.find(({ code, next }) => HOLDS.has(code) && next === 'never');
  if (endless && endsWithHolds(reason)) {
    const params = { ...reason.params, ...endlessParams(endless) };
    return { ...decided, reason: { ...reason, next: 'never', params } };
  }
  const ends = results.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const next = nextStart(evaluation, Math.max(reason.next, ...ends));
  const moved = next === reason.next ? decided : { ...decided, reason: { ...reason, next } };
  const isLater = evaluation.case.passer !== undefined && next >= passedUntil(evaluation);
  return isLater ? untilOthersEnd(moved, withoutPasser(evaluation), steps) : moved;
}

/** A person lifts a pause of a person, and the stop of a rule with a ticket. No one lifts an abort. */
function endlessParams({ code, params = {} }: Reason) {
  const { scope = '', policy = scope, site, freeze = '', ticket, rule = BY_PERSON } = params;
  if (code === 'frozen' || code === 'frozenHard') return { alsoFrozen: freeze };
  if (code === 'rolloutAborted') return { alsoAborted: scope };
  if (code === 'rolloutPaused' && rule !== BY_PERSON) return { alsoStopped: scope };
  return {
    alsoPaused: policy,
    ...(site !== undefined && { alsoSite: site }),
    ...(ticket !== undefined && { alsoTicket: ticket }),
  };
}

/** The first start from an instant on that windows and freezes allow; the instant itself if unknown. */
export function nextStart(evaluation: Evaluation, from: Instant): Instant {
  const judged = evaluation.timing?.judged;
  if (!judged || from >= judged.calendar.span.close) return from;
  const { calendar, query } = judged;
  const until = passedUntil(evaluation);
  const unfrozen = from < until ? calendar.afterHardFreezes(query, from) : Infinity;
  if (unfrozen < until) return unfrozen;
  return orInsideGuard(evaluation, calendar.nextStart(query, from), from) ?? from;
}
