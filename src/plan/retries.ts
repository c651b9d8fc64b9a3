import type { IntentState } from '../model/memory.ts';
import type { Reason } from '../model/reason.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import { isOpen } from '../rollout/down.ts';
import type { Question } from './question.ts';
import { needsPerson, restartsUsed } from './restarts.ts';

/**
 * How often one intent may be tried: attempts in one window, and windows with an attempt. A
 * rotation is tried once a window, since devices lock up after a few wrong logins (semantics 4.4).
 */
const ATTEMPTS_PER_WINDOW = 2;
const ROTATIONS_PER_WINDOW = 1;
const MAX_WINDOWS = 3;

/** `anytime` has no opening and no close: a day stands for a window there. */
const WINDOW: Milliseconds = 24 * 3_600_000;

/** When a failed intent may be tried anew, if that is later than now. */
export function backoff(question: Question): Instant | undefined {
  const earlier = sameIntent(question);
  if (!earlier || !mayRepeat(earlier, question) || earlier.attempts === 0) return undefined;
  const windowIsUsedUp = earlier.attempts % attemptsPerWindow(question) === 0;
  const next = earlier.attemptedAt + WINDOW;
  return windowIsUsedUp && earlier.attempts < cap(question) && next > question.case.now
    ? next
    : undefined;
}

/**
 * Why nothing will be tried on this device any more: its attempts are used up, or it was restarted
 * too often.
 */
export function exhausted(question: Question): Reason | undefined {
  return retriesUsed(question) ?? needsPerson(question) ?? restartsUsed(question);
}

function retriesUsed(question: Question): Reason | undefined {
  const earlier = sameIntent(question);
  if (!earlier || isOpen(earlier)) return undefined;
  if (mayRepeat(earlier, question) && earlier.attempts < cap(question)) return undefined;
  return {
    code: 'quarantined',
    why: 'retriesUsed',
    since: earlier.attemptedAt,
    next: 'never',
    params: { attempts: earlier.attempts, ...(earlier.verdict && { verdict: earlier.verdict }) },
  };
}

/**
 * The intent that this change would be, as the ledger remembers it: equal device, task, target and
 * generation.
 */
function sameIntent({ judgement, case: { past } }: Question): IntentState | undefined {
  if (judgement.is !== 'due') return undefined;
  return past.findLast(
    ({ target, generation }) => target === judgement.target && generation === judgement.generation,
  );
}

/**
 * Whether an attempt may follow on this intent at all (apply protocol 3.6.1, I15): one never sent,
 * one refused, one known not to have run, one that failed. A failed restart is never repeated as
 * the same intent; nothing leads on from done, unverified, rolledBack, aborted or unknown.
 */
function mayRepeat(intent: IntentState, { kind, task }: Question): boolean {
  if (intent.phase === 'none' || intent.phase === 'failed') return true;
  if (intent.verdict === 'notDone') return true;
  return intent.verdict === 'failed' && (!kind.edge || task === 'rotatePassword');
}

function cap(question: Question): number {
  return attemptsPerWindow(question) * MAX_WINDOWS;
}

function attemptsPerWindow({ case: { policy } }: Question): number {
  return policy.section === 'rotations' ? ROTATIONS_PER_WINDOW : ATTEMPTS_PER_WINDOW;
}
