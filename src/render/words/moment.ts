import { upToMinute } from '../../model/report/hint.ts';
import type { Params } from '../../model/error.ts';
import {
  MINUTE,
  HOUR,
  DAY,
  parseInstant,
  type Instant,
  type Milliseconds,
} from '../../lib/time.ts';
import { dayName, localDate, UTC, weekdayName, zoneClock, type ZoneClock } from './local.ts';

/** How a page writes its instants. */
export interface PageTime {
  /** The zone of what happens on devices; UTC if absent, and for what happens in programs. */
  readonly clock?: ZoneClock | undefined;
  /** The instant of the page, which bears its year; if absent, every instant has its year. */
  readonly now?: Instant | undefined;
}

/** The time of a page that has both. */
export type ClockedTime = Required<PageTime> & { readonly clock: ZoneClock; readonly now: Instant };

/** The time of a page about a fleet: in the zone that its sites share, else in UTC. */
export function clockedTime(timeZone: string | undefined, now: Instant): ClockedTime {
  return { clock: zoneClock(timeZone ?? '') ?? UTC, now };
}

/**
 * An instant as every person reads it: `Tue 24 Nov 01:00 Europe/Berlin`. The year follows the month
 * where it is not that of the page. JSON has RFC 3339 in UTC.
 */
export function moment(instant: Instant, page: PageTime = {}): string {
  return `${wallMoment(instant, page)} ${(page.clock ?? UTC).zone}`;
}

/** The same without the zone, for a place whose heading or line names it: `Tue 24 Nov 01:00`. */
export function wallMoment(instant: Instant, page: PageTime = {}): string {
  return `${longDay(instant, page)} ${wallTime(instant, page)}`;
}

/** The same for a narrow column: `24 Nov 01:00`. */
export function columnMoment(instant: Instant, page: PageTime = {}): string {
  return `${shortDay(instant, page)} ${wallTime(instant, page)}`;
}

/** The time of day of an instant in the zone of a page: `01:00`. */
export function wallTime(instant: Instant, { clock = UTC }: PageTime = {}): string {
  return localDate(instant, clock).toISOString().slice(11, 16);
}

/** The day of an instant in the zone of a page: `Tue 24 Nov`. */
export function longDay(instant: Instant, page: PageTime = {}): string {
  return `${weekdayName(localDate(instant, page.clock ?? UTC))} ${shortDay(instant, page)}`;
}

/** The same for a column: `24 Nov`. */
export function shortDay(instant: Instant, { clock = UTC, now }: PageTime = {}): string {
  const wall = localDate(instant, clock);
  const year = wall.getUTCFullYear();
  const isOfPage = now !== undefined && localDate(now, clock).getUTCFullYear() === year;
  return isOfPage ? dayName(wall) : `${dayName(wall)} ${year}`;
}

/** An RFC 3339 text in the form of `moment`; any other text unchanged. */
export function momentText(text: string, page: PageTime = {}): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : moment(instant, page);
}

/** The day of an RFC 3339 text, always with its year: `24 Nov 2026`; any other text unchanged. */
export function dayText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : shortDay(instant);
}

/** A duration in its most suitable unit: `19 days`, `3 hours`, `40 minutes`. */
export function span(ms: Milliseconds): string {
  const units = [
    [DAY, 'day'],
    [HOUR, 'hour'],
    [MINUTE, 'minute'],
    [1_000, 'second'],
  ] as const;
  for (const [size, unit] of units) {
    const count = Math.floor(ms / size);
    if (count >= 2 || (count === 1 && unit !== 'day'))
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'a moment';
}

/** Parameters with every instant in the form of `moment`. */
export function withReadableInstants(params: Params, page: PageTime = {}): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? momentText(value, page) : value,
    ]),
  );
}

/** From when a change may start; of several, from when the first and the last may, if they differ by a minute. */
export function possibleText(next: Instant, last: Instant | undefined, page: PageTime): string {
  const first = moment(upToMinute(next), page);
  const end = last === undefined ? '' : moment(upToMinute(last), page);
  const isOne = end === '' || end === first;
  return `not before ${first}${isOne ? '' : `, the last not before ${end}`}`;
}

/** Since when something has been so, and for how long. */
export function sinceText(since: Instant, page: PageTime): string {
  return `since ${momentAgo(since, page)}`;
}

/** An instant, and how long ago that is: `Tue 24 Nov 01:00 UTC (3 hours)`. */
export function momentAgo(at: Instant, page: PageTime): string {
  return `${moment(at, page)}${agoText(at, page, ' (', ')')}`;
}

/** How long ago an instant is, between these; empty where it is not past. */
function agoText(at: Instant, { now }: PageTime, before: string, after: string): string {
  return now === undefined || now <= at ? '' : `${before}${span(now - at)}${after}`;
}

/** What `since` of a reason says where it is not the begin of what the reason says. */
export const SINCE_TEXTS: Readonly<Record<string, typeof sinceText>> = {
  // When an earlier run read the value last.
  valueUnknown: (at, page) => `(last read ${moment(at, page)}${agoText(at, page, ', ', ' ago')})`,
  // When the credential was changed last, as the service reports it.
  age: (at, page) => `(changed ${moment(at)}${agoText(at, page, ', ', ' ago')})`,
  // Since when the records of runs have it; it may have begun before.
  maintenanceMode: (at, page) => `at least since ${moment(at, page)}`,
};

/**
 * When a window opens, in its own zone, which the text before it names; a window of several zones
 * opens at an instant of the page.
 */
export function openingMoment(opens: Instant, zone: string | undefined, page: PageTime): string {
  const clock = zone === undefined ? undefined : zoneClock(zone);
  return clock ? wallMoment(opens, { ...page, clock }) : moment(opens, page);
}
