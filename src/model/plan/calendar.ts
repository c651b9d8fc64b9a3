import type { Milliseconds } from '../../lib/time.ts';
import type { CalendarEntry } from '../report/output.gen.ts';

export type { CalendarEntry, CalendarView } from '../report/output.gen.ts';

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
] as const satisfies readonly CalendarKind[];
export type CalendarKind = CalendarEntry['kind'];

/** The maximum horizon for windows; farther ahead, the calendar is not reliable. */
export const LONGEST_HORIZON: Milliseconds = 400 * 86_400_000;
