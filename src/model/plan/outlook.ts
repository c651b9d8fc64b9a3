import type { Ref } from '../fleet/device.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant } from '../../lib/time.ts';

/** What time has to do with one device and one task that a policy wants. */
export interface Outlook {
  readonly task: TaskType;
  readonly device: { readonly id: string; readonly name?: string; readonly sites: readonly Ref[] };
  /** The policy that wants it, and where that stands. */
  readonly at: At;
  /** Names of the windows of that policy. */
  readonly windows: readonly string[];
  /** From when on it is wanted: the moment of the look where it is already; absent: nobody knows. */
  readonly dueAt?: Instant;
  /** Since when it has been due, where it is and that is known. */
  readonly since?: Instant;
  /** From when on a credential is older than its policy allows, or no longer valid. */
  readonly breachesAt?: Instant;
  /** When the credential in place ends by itself. */
  readonly expiresAt?: Instant;
  /** Names of the freezes that hold it while they last. */
  readonly freezes: readonly string[];
  /** Names of the exceptions that bear on it. */
  readonly exceptions: readonly string[];
}
