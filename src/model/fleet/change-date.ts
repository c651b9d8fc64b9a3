import type { Instant } from '../../lib/time.ts';

/** How far a date of a credential may be off: it may name a day alone, or the time of another zone. */
export const DATE_SLACK_MS = 86_400_000;

/** The maximum lag between the clocks of the service and of this machine. */
const CLOCK_SLACK_MS = 60_000;

/** Whether a credential would have been changed after now: a placeholder, or a clock or zone that is wrong. */
export function isFuture(
  changedAt: Instant | undefined,
  now: Instant,
  slack = DATE_SLACK_MS,
): boolean {
  return changedAt !== undefined && changedAt > now + Math.max(slack, CLOCK_SLACK_MS);
}
