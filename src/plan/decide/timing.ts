import type { Params } from '../../model/error.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import type { Frozen, Standing } from '../../calendar/window-state.ts';
import { debtOf, type Chances } from './debt.ts';
import { insideExpiryGuard } from './expiry-guard.ts';
import type { Bite, Question } from './question.ts';
import type { Timing } from './schedule.ts';

/** K6: nothing passes a hard freeze. */
export function frozenHard(question: Question): Bite | undefined {
  const standing = question.timing?.judged?.standing;
  if (!standing?.hard) return undefined;
  const opens = passesWindows(question) ? undefined : nextIn(standing);
  return frozenBy('frozenHard', standing.hard, opens);
}

/** K7: what goes by the zone of a site that has none. */
export function siteWithoutZone({ timing }: Question): Bite | undefined {
  const judged = timing?.judged;
  if (!judged?.standing.withoutZone) return undefined;
  const site = judged.zoneless === undefined ? {} : { site: judged.zoneless };
  const params = { ...site, ...judged.standing.withoutZone };
  return { action: 'skip', reason: { code: 'siteWithoutZone', next: 'never', params } };
}

/** K14. */
export function frozen(question: Question): Bite | undefined {
  return closed(question, 'frozen');
}

/** K15. */
export function windowClosed(question: Question): Bite | undefined {
  return closed(question, 'windowClosed');
}

/** K16. */
export function pastCutoff(question: Question): Bite | undefined {
  return closed(question, 'pastCutoff');
}

/** What keeps something from starting by the clock alone: K14 to K16. */
export function closedBy({ window, judged }: Timing): Bite | undefined {
  if (!judged) return undefined;
  const { soft, window: state } = judged.standing;
  if (soft) return frozenBy('frozen', soft, nextIn(judged.standing));
  if (state.is === 'open') return undefined;
  const { opens } = state;
  const cutoff =
    state.is === 'pastCutoff' ? { cutoff: formatDuration(state.close - state.lastStart) } : {};
  const hops = judged.together > 1 ? { hops: judged.together } : {};
  const next = { window: window.name, ...cutoff, ...hops, ...instantOf('opens', opens) };
  const code = state.is === 'closed' ? 'windowClosed' : 'pastCutoff';
  return { action: 'wait', reason: { code, next: opens ?? 'never', params: next } };
}

/** The instant from which on it is too late to start; undefined where no window is asked. */
export function lastStartOf(question: Question): Instant | undefined {
  const window = question.timing?.judged?.standing.window;
  return window?.is === 'open' && !passesWindows(question) ? window.lastStart : undefined;
}

/**
 * Break glass passes windows and soft freezes; so does a certificate inside its `expiryGuard`, or
 * one that has no start left before it (semantics K23, R5).
 */
export function passesWindows(question: Question): boolean {
  if (question.case.expedited === true || insideExpiryGuard(question)) return true;
  const { judgement, timing, case: theCase } = question;
  const { policy } = theCase;
  if (policy.section !== 'rotations' || policy.expiryGuard === undefined) return false;
  if (judgement.is !== 'due' || judgement.expiresAt === undefined || !timing?.judged) return false;
  const { calendar, asked, at } = timing.judged;
  const next = calendar.nextStart(asked, at) ?? Infinity;
  return next >= judgement.expiresAt - policy.expiryGuard;
}

/** The debt of an overdue rotation, counted in windows of its policy. */
export function debtIn(question: Question): Params | undefined {
  return debtOf(question, chancesOf(question));
}

function chancesOf({ judgement, timing }: Question): Chances | undefined {
  if (judgement.is !== 'due' || judgement.since === undefined || !timing?.judged) return undefined;
  const { calendar, asked, at } = timing.judged;
  if (!calendar.open(asked).some(({ close }) => close < Infinity)) return undefined;
  const open = Math.max(judgement.since, calendar.span.open);
  const past = open < at ? calendar.starts(asked, { open, close: at }) : [];
  const next = calendar.nextStart(asked, at);
  return {
    missed: past.filter(({ lastStart }) => lastStart <= at).length,
    ...(next !== undefined && { next }),
  };
}

function closed(question: Question, code: ReasonCode): Bite | undefined {
  const bite = question.timing && closedBy(question.timing);
  if (bite?.reason.code !== code || passesWindows(question)) return undefined;
  const params = { ...bite.reason.params, ...debtIn(question) };
  return { ...bite, reason: { ...bite.reason, params } };
}

/** The end of a freeze is of no use to what then waits for its window. */
function frozenBy(
  code: 'frozen' | 'frozenHard',
  { freeze, to }: Frozen,
  opens: Instant | undefined,
): Bite {
  const params = { freeze, ...instantOf('to', to) };
  return { action: 'wait', reason: { code, next: opens ?? to ?? 'never', params } };
}

function nextIn({ window }: Standing): Instant | undefined {
  return window.is === 'open' ? undefined : window.opens;
}

function instantOf(name: 'to' | 'opens', at: Instant | undefined): Params {
  return at === undefined ? {} : { [name]: formatInstant(at) };
}
