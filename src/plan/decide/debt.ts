import type { Params } from '../../model/error.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Evaluation } from './question.ts';

/** The chances that a change had, or will have, to start. */
export interface Chances {
  /** How many came and went from `since` until now. */
  readonly missed: number;
  /** The next one; absent where nobody can say. */
  readonly next?: Instant;
}

/** `anytime` has no opening and no close: a day stands for a window there. */
const WINDOW: Milliseconds = 24 * 3_600_000;

/**
 * What an overdue rotation has run up while something kept it from starting (semantics R11): since
 * when it is due, how many windows it missed, the next chance, and when it is too late. Undefined
 * where nothing is overdue.
 * @param chances the windows of its policy; without them each day counts as one
 */
export function debtOf(evaluation: Evaluation, chances?: Chances): Params | undefined {
  const { judgement, case: theCase } = evaluation;
  if (theCase.policy.section !== 'rotations' || judgement.is !== 'due') return undefined;
  const { since, breachesAt } = judgement;
  if (since === undefined || breachesAt === undefined) return undefined;
  const { missed, next } = chances ?? daysSince(since, theCase.now);
  return {
    dueSince: since,
    windowsMissed: missed,
    ...(next !== undefined && { nextChance: next }),
    breachesAt,
  };
}

function daysSince(since: Instant, now: Instant): Chances {
  return { missed: Math.floor((now - since) / WINDOW) };
}
