import type { SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** The kinds of calendar entries; entries of the same instant are in this order. */
export const CALENDAR_KINDS = [
  'clockChange',
  'freezeEnds',
  'freezeBegins',
  'windowCloses',
  'windowOpens',
  'openingLost',
  'exceptionEnds',
  'expiry',
  'deadline',
  'due',
] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** The maximum horizon for windows; farther ahead, the calendar is not reliable. */
export const LONGEST_HORIZON: Milliseconds = 400 * 86_400_000;

/** One event that only time causes, or the same event for several devices on one day. */
export interface CalendarEntry {
  readonly kind: CalendarKind;
  readonly at: Instant;
  /** The last of several instants of one day there; absent where there is only one. */
  readonly last?: Instant;
  /**
   * An address such as `rotations.camera-passwords` or `windows.nights`; absent for a credential
   * without a policy and for a change of the clock.
   */
  readonly name?: string;
  readonly task?: TaskType;
  readonly place?: SourceLocation;
  /** The zones whose clocks change, joined with `, `; days are counted in the first. */
  readonly zone?: string;
  /** The other end: when an opening window closes, or when a closing window opened. */
  readonly until?: Instant;
  readonly since?: Instant;
  /** Minutes ahead of UTC before and after a change of the clock. */
  readonly offsets?: { readonly before: number; readonly after: number };
  /**
   * The wall-clock time that the change of the clock skips, where a window opens at it:
   * `2027-03-28T02:15`.
   */
  readonly wall?: string;
  /** The number of devices, and a few of them; absent where it was not computed. */
  readonly devices?: number;
  readonly examples?: readonly { readonly id: string; readonly name?: string }[];
}

/** Everything that falls due, ends, opens or closes in `[from, to)` without a commit, in order. */
export interface CalendarView {
  readonly from: Instant;
  readonly to: Instant;
  readonly entries: readonly CalendarEntry[];
}
