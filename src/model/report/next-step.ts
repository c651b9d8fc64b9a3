import type { Instant } from '../../lib/time.ts';
import type { Reason } from '../plan/reason.ts';
import type { PolicyStatus } from './status.ts';

/** Changes that wait or were not started, by one reason; without one, whatever runs next takes them up. */
export interface Waiting {
  readonly reason?: Reason;
  readonly count: number;
}

/**
 * What comes next for work that is left. `now`: apply runs some of it. `from`: nothing of it before that instant.
 * `open`: what it waits for may end at any time; `at` is the first instant that is known. `person`: nothing of it goes
 * on by itself.
 */
export type NextStep =
  | { readonly is: 'none' }
  | { readonly is: 'now' }
  | { readonly is: 'from'; readonly at: Instant; readonly left: number }
  | { readonly is: 'open'; readonly at?: Instant; readonly reasons: readonly Reason[] }
  | { readonly is: 'person'; readonly reasons: readonly Reason[] };

/** The one place that says so, for the report of a run, `status` and `drift`. */
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

/** The same for one policy; what is skipped speaks where nothing of it waits. */
export function policyStep(
  { run, waits, skips }: Pick<PolicyStatus, 'run' | 'waits' | 'skips'>,
  now: Instant,
): NextStep {
  return nextStep(waits.length > 0 ? waits : skips, { now, run });
}
