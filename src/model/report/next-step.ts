import type { Instant } from '../../lib/time.ts';
import type { Reason } from '../plan/reason.ts';
import type { PolicyStatus } from './status.ts';

/**
 * Changes that are waiting or were not started, by reason; without a reason, the next run includes
 * them.
 */
export interface Waiting {
  readonly reason?: Reason;
  readonly count: number;
}

/**
 * The next step for remaining work. `now`: apply runs some of it. `from`: none of it can start
 * before that instant. `open`: what blocks it may end at any time; `at` is the first known instant.
 * `person`: none of it continues automatically.
 */
export type NextStep =
  | { readonly is: 'none' }
  | { readonly is: 'now' }
  | { readonly is: 'from'; readonly at: Instant; readonly left: number }
  | { readonly is: 'open'; readonly at?: Instant; readonly reasons: readonly Reason[] }
  | { readonly is: 'person'; readonly reasons: readonly Reason[] };

/** The only decision of this, for the report of a run, `status` and `drift`. */
export function nextStep(
  waiting: readonly Waiting[],
  { now, run = 0 }: { readonly now: Instant; readonly run?: number },
): NextStep {
  if (run > 0) return { is: 'now' };
  if (waiting.length === 0) return { is: 'none' };
  const reasons = waiting.flatMap(({ reason }) => (reason ? [reason] : []));
  const nexts = reasons.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const at = nexts.reduce((a, b) => Math.min(a, b), Infinity);
  const isKnown = at < Infinity;
  const isOpen =
    reasons.length < waiting.length || reasons.some(({ next }) => next === undefined) || at <= now;
  if (isOpen) return { is: 'open', reasons, ...(isKnown && { at }) };
  if (!isKnown) return { is: 'person', reasons };
  return { is: 'from', at, left: waiting.reduce((sum, { count }) => sum + count, 0) };
}

/** The same for one policy; skipped changes count only where none is waiting. */
export function policyStep(
  { run, waits, skips }: Pick<PolicyStatus, 'run' | 'waits' | 'skips'>,
  now: Instant,
): NextStep {
  return nextStep(waits.length > 0 ? waits : skips, { now, run });
}
