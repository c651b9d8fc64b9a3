import type { Ref } from '../fleet/device.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant } from '../../lib/time.ts';

/** The dates of one device and one task that a policy selects. */
export interface Outlook {
  readonly task: TaskType;
  readonly device: { readonly id: string; readonly name?: string; readonly sites: readonly Ref[] };
  /** The policy and its location. */
  readonly at: At;
  /** Names of the windows of that policy. */
  readonly windows: readonly string[];
  /** When the task falls due: the current time where it is due already; absent where unknown. */
  readonly dueAt?: Instant;
  /** Since when it has been due; absent where it is not due or the time is unknown. */
  readonly since?: Instant;
  /** When a credential becomes older than its policy allows, or expires. */
  readonly breachesAt?: Instant;
  /** When the current credential expires. */
  readonly expiresAt?: Instant;
  /** Names of the freezes that block it while they last. */
  readonly freezes: readonly string[];
  /** Names of the exceptions that apply to it. */
  readonly exceptions: readonly string[];
}
