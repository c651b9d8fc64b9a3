import type { SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** What a calendar tells of, in the order in which it is told where the instants are equal. */
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

/** As far as windows are worked out ahead; a longer horizon would say less than it seems to. */
export const LONGEST_HORIZON: Milliseconds = 400 * 86_400_000;

/** One thing that the clock brings, or several devices of one day to which it brings the same. */
export interface CalendarEntry {
  readonly kind: CalendarKind;
  readonly at: Instant;
  /** The last of several instants of one day there; absent where there is only one. */
  readonly last?: Instant;
  /**
   * An address such as `rotations.camera-passwords` or `windows.nights`; absent for a credential
   * that no policy looks after and for a change of the clock.
   */
  readonly name?: string;
  readonly task?: TaskType;
  readonly place?: SourceLocation;
  /** The zones whose clocks say so, joined with `, `; the first is the one that days are counted in. */
  readonly zone?: string;
  /** The other end: when a window closes that opens here, or opened that closes here. */
  readonly until?: Instant;
  readonly since?: Instant;
  /** Minutes ahead of UTC before and after a change of the clock. */
  readonly offsets?: { readonly before: number; readonly after: number };
  /** What the clock would have read where it skips the opening of a window: `2027-03-28T02:15`. */
  readonly wall?: string;
  /** Devices that it concerns, and a few of them; absent where that is not worked out. */
  readonly devices?: number;
  readonly examples?: readonly { readonly id: string; readonly name?: string }[];
}

/** What falls due, ends, opens and closes in `[from, to)` with no commit at all; in order. */
export interface CalendarView {
  readonly from: Instant;
  readonly to: Instant;
  readonly entries: readonly CalendarEntry[];
}
