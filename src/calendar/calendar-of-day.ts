import type { Documents, EntriesByName } from '../model/documents/policy.ts';
import { DAY, type Instant } from '../lib/time.ts';
import { createCalendar, type Calendar } from './calendar.ts';

/** The last calendar created for each set of documents. */
const CALENDARS = new WeakMap<Documents, { readonly day: Instant; readonly calendar: Calendar }>();

/**
 * The calendar of the UTC day of `now`. All callers on one day share it, so that the next 400 days
 * are computed once and not for each plan, batch and proof.
 */
export function calendarOfDay(documents: Documents, now: Instant): Calendar {
  const day = Math.floor(now / DAY) * DAY;
  const known = CALENDARS.get(documents);
  if (known?.day === day) return known.calendar;
  const { windows, freezes } = documents;
  const calendar = createCalendar({
    windows: entryValues(windows),
    freezes: entryValues(freezes),
    now: day,
    goodFor: DAY,
  });
  CALENDARS.set(documents, { day, calendar });
  return calendar;
}

export function entryValues<T>(entries: EntriesByName<T>): ReadonlyMap<string, T> {
  return new Map([...entries].map(([name, { value }]) => [name, value]));
}
