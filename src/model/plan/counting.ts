import type { TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/**
 * How guardrails count a device (semantics N48). `full`: whatever keeps it waiting. `ownDay`: its
 * policy spreads its work, so it counts on its own day.
 */
export type CountedAs = 'full' | 'ownDay';

/** What guardrails count lies within this time from now (semantics N48). */
export const COUNTED_WITHIN: Milliseconds = 24 * 3_600_000;

/** A device that guardrails count or will count, and for which the plan has no change. */
export interface PendingDevice {
  readonly task: TaskType;
  readonly policy: string;
  readonly deviceId: string;
  readonly as: CountedAs;
  /** It counts when this is within a day: its own day, or the end of a freeze or hold. */
  readonly from: Instant;
}
