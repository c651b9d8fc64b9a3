import { KINDS } from '../../kinds/index.ts';
import type { IntentState, PastAttempt } from '../../model/ledger/memory.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { RetrySpec } from '../../model/documents/rollout.ts';
import { HASH_SPAN, stableHash } from '../../lib/stable-hash.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { mayBeRunning } from '../budgets/down.ts';

/** When windows open: what tells one from the next. Spans that touch are one. */
export interface Openings {
  /** When the window opened that is open at an instant; undefined where none is. */
  readonly openedAt: (at: Instant) => Instant | undefined;
  /** When one opens next after an instant; undefined where none ever does. */
  readonly opensAfter: (at: Instant) => Instant | undefined;
}

export interface RetryInput {
  /** The intent as the ledger remembers it: equal device, task, target and generation. */
  readonly intent: IntentState;
  /** The marker that the change has now: a password that moved since is not rotated again. */
  readonly marker: string;
  readonly retry: RetrySpec;
  readonly openings: Openings;
  readonly now: Instant;
}

/**
 * Why an intent may not be tried again now: `notDue` with `backoff` until its wait is over or the
 * next window opens, or `quarantined` where only people can bring it on. Undefined: it may be. It
 * counts what the ledger holds of the intent, so leaving and returning resets nothing (semantics
 * P4, protocol Q8). An intent that is open is nothing to be retried: that is another step.
 */
export function refuseRetry(input: RetryInput): Reason | undefined {
  const { intent, now, openings, retry } = input;
  const past = pastOf(intent);
  const last = past.at(-1);
  if (mayBeRunning(intent) || last === undefined) return undefined;
  if (!mayFollow(last, past, input)) return quarantined(input, past);
  const windows = past.map(({ attemptedAt }) => openings.openedAt(attemptedAt) ?? attemptedAt);
  const current = openings.openedAt(now);
  const inCurrent = windows.filter((window) => window === current).length;
  const isFull = inCurrent >= attemptsPerWindow(input);
  const isUsedUp = new Set(windows).size >= retry.maxWindows;
  if (isUsedUp && (inCurrent === 0 || isFull)) return quarantined(input, past);
  const waited = (last.settledAt ?? last.attemptedAt) + backoffAfter(past.length, input);
  const opens = isFull ? openings.opensAfter(now) : waited;
  if (opens === undefined) return { code: 'notDue', why: 'backoff', next: 'never' };
  const next = Math.max(opens, waited);
  return next > now ? { code: 'notDue', why: 'backoff', next } : undefined;
}

/** Windows in `anytime`, which never opens nor closes: a day stands for one. */
export function dailyOpenings(anchor: Instant): Openings {
  const day = (at: Instant): Instant => anchor + Math.floor((at - anchor) / DAY) * DAY;
  return { openedAt: day, opensAfter: (at) => day(at) + DAY };
}

const DAY: Milliseconds = 24 * 3_600_000;

/** Every attempt that was sent, oldest first. */
function pastOf(intent: IntentState): readonly PastAttempt[] {
  const earlier = intent.earlier ?? [];
  return intent.phase === 'none' ? earlier : [...earlier, intent];
}

/**
 * Only a failure and what is known not to have run leave anything to be tried again; `aborted` and
 * `rolledBack` never do, for the same intent (protocol Q10): somebody, or the
 * device, has decided against it, and only another want makes another intent. A restart that
 * the service failed may have restarted; a password only while it is still the one from before.
 */
function mayFollow(
  { verdict, outcome }: PastAttempt,
  past: readonly PastAttempt[],
  { intent: { task, marker: before }, marker, retry }: RetryInput,
): boolean {
  if (verdict === 'notDone') {
    const notDone = past.filter((attempt) => attempt.verdict === 'notDone').length;
    return retry.classes.includes('timedOut') && notDone <= KINDS[task].triesAfterNotDone;
  }
  const isFailed = verdict === 'failed' || (verdict === undefined && outcome === 'rejected');
  if (!isFailed || !retry.classes.includes('failed')) return false;
  if (verdict !== 'failed') return true;
  const { retriedAfterFailure } = KINDS[task];
  return retriedAfterFailure === 'unchanged' ? marker === before : retriedAfterFailure === 'always';
}

function attemptsPerWindow({ intent: { task }, retry }: RetryInput): number {
  return KINDS[task].oncePerWindow ? 1 : retry.maxAttemptsPerWindow;
}

/** How long to wait after so many attempts; the same on every run, whatever the jitter. */
function backoffAfter(attempts: number, { intent, retry: { backoff } }: RetryInput): Milliseconds {
  const whole = Math.min(backoff.max, backoff.initial * backoff.factor ** (attempts - 1));
  if (backoff.jitter === 'none') return whole;
  return Math.round((whole * stableHash(intent.id, String(attempts))) / HASH_SPAN);
}

function quarantined({ openings }: RetryInput, past: readonly PastAttempt[]): Reason {
  const last = past.at(-1);
  const windows = new Set(past.map(({ attemptedAt: at }) => openings.openedAt(at) ?? at)).size;
  return {
    code: 'quarantined',
    why: 'retriesUsed',
    next: 'never',
    ...(last && { since: last.attemptedAt }),
    params: {
      attempts: past.length,
      windows,
      ...(last?.verdict !== undefined && { verdict: last.verdict }),
    },
  };
}
