import { KINDS } from '../../kinds/index.ts';
import type { IntentState, PastAttempt } from '../../model/ledger/memory.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { RetrySpec } from '../../model/documents/rollout.ts';
import { HASH_SPAN, stableHash } from '../../lib/stable-hash.ts';
import { DAY, type Instant, type Milliseconds } from '../../lib/time.ts';
import { mayBeRunning } from '../budgets/down.ts';

/**
 * The opening times of the windows, which separate one window from the next. Adjacent spans count
 * as one.
 */
export interface Openings {
  /** When the window that is open at an instant opened; undefined if none is open. */
  readonly openedAt: (at: Instant) => Instant | undefined;
  /** When the next window opens after an instant; undefined if none does. */
  readonly opensAfter: (at: Instant) => Instant | undefined;
}

export interface RetryInput {
  /** The intent in the ledger with the same device, task, target and generation. */
  readonly intent: IntentState;
  /** The current marker of the change: a password that has changed since is not rotated again. */
  readonly marker: string;
  readonly retry: RetrySpec;
  readonly openings: Openings;
  readonly now: Instant;
}

/**
 * Why an intent may not be retried now: `notDue` with `backoff` until its wait is over or the next
 * window opens, or `quarantined` if it needs a person. Undefined: it may be retried. It counts the
 * attempts in the ledger, so leaving and returning resets nothing (semantics P4, protocol Q8). It
 * does not apply to open intents, which another step covers.
 */
export function refuseRetry(input: RetryInput): Reason | undefined {
  const { intent, now, openings, retry } = input;
  const earlier = intent.earlier ?? [];
  const past = intent.phase === 'none' ? earlier : [...earlier, intent];
  const last = past.at(-1);
  if (mayBeRunning(intent) || last === undefined) return undefined;
  if (!mayFollow(last, past, input)) return quarantined(input, past);
  const windows = past.map(({ attemptedAt }) => openings.openedAt(attemptedAt) ?? attemptedAt);
  const current = openings.openedAt(now);
  const inCurrent = windows.filter((window) => window === current).length;
  const isFull = inCurrent >= (KINDS[intent.task].oncePerWindow ? 1 : retry.maxAttemptsPerWindow);
  const isUsedUp = new Set(windows).size >= retry.maxWindows;
  if (isUsedUp && (inCurrent === 0 || isFull)) return quarantined(input, past);
  const waited = (last.settledAt ?? last.attemptedAt) + backoffAfter(past.length, input);
  const opens = isFull ? openings.opensAfter(now) : waited;
  if (opens === undefined) return { code: 'notDue', why: 'backoff', next: 'never' };
  const next = Math.max(opens, waited);
  return next > now ? { code: 'notDue', why: 'backoff', next } : undefined;
}

/** Windows for `anytime`, which never opens or closes: each day counts as one window. */
export function dailyOpenings(anchor: Instant): Openings {
  const day = (at: Instant): Instant => anchor + Math.floor((at - anchor) / DAY) * DAY;
  return { openedAt: day, opensAfter: (at) => day(at) + DAY };
}

/**
 * Only a failure, or an attempt that is known not to have run, allows a retry. `aborted` and
 * `rolledBack` never do (protocol Q10): a person or the device decided against the intent, and only
 * another target makes another intent. A failed restart may still have happened; a password may be
 * rotated again only if it has not changed.
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

/** How long to wait after this many attempts; every run computes the same jitter. */
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
