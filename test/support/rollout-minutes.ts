// Windows once more, minute by minute and by other means: what a clock shows comes from Intl, a
// span starts and ends at the minutes at which somebody who watches that clock would see its times,
// and sets are one byte a minute.

const MINUTE = 60_000;
const QUARTER = 15;

/**
 * A clock that is watched for some days: what it shows at each minute, in minutes since 1970 of
 * that clock.
 */
export interface Watch {
  readonly zone: string;
  /** The first instant watched. */
  readonly start: number;
  readonly shows: readonly number[];
}

/**
 * A rule as somebody with a clock in hand would follow it; `from` and `to` in minutes of the day.
 */
interface WatchedDays {
  readonly days: readonly number[];
  readonly from: number;
  readonly to: number;
}
interface WatchedCron {
  readonly matches: (day: Date) => boolean;
  /** In minutes of the day. */
  readonly starts: readonly number[];
  /** How long it lasts. */
  readonly minutes: number;
}
export type WatchedRule = WatchedDays | WatchedCron;

/** Every clock change of the world that is tested falls on a quarter of an hour. */
export function watch(zone: string, start: number, minutes: number): Watch {
  const reading = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const shows: number[] = [];
  for (let quarter = 0; quarter < minutes; quarter += QUARTER) {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (
      reading.format(start + quarter * MINUTE).match(/\d+/g) ?? []
    ).map(Number);
    const shown = Date.UTC(year, month - 1, day, hour, minute) / MINUTE;
    for (let more = 0; more < QUARTER; more++) shows.push(shown + more);
  }
  return { zone, start, shows };
}

/** One byte a minute: what an allow opens (`narrow`), or what a deny closes (`wide`). */
export function follow(watch: Watch, rule: WatchedRule, width: 'narrow' | 'wide'): Uint8Array {
  const minutes = new Uint8Array(watch.shows.length);
  for (const day of daysShown(watch)) {
    if ('starts' in rule) followCron(watch, day, { rule, width, minutes });
    else followDay(watch, day, { rule, width, minutes });
  }
  return minutes;
}

interface Following<R> {
  readonly rule: R;
  readonly width: 'narrow' | 'wide';
  readonly minutes: Uint8Array;
}

function followDay(
  watch: Watch,
  day: number,
  { rule, width, minutes }: Following<WatchedDays>,
): void {
  if (!rule.days.includes(new Date(day * MINUTE).getUTCDay())) return;
  const starts = sightings(watch, day + rule.from);
  const ends = sightings(watch, day + rule.to + (rule.to > rule.from ? 0 : 1_440));
  if (width === 'narrow') return fill(minutes, starts[0], ends[0]);
  for (const start of starts)
    fill(minutes, start, starts.length > 1 ? ends.find((end) => end > start) : ends.at(-1));
}

function followCron(
  watch: Watch,
  day: number,
  { rule, width, minutes }: Following<WatchedCron>,
): void {
  if (!rule.matches(new Date(day * MINUTE))) return;
  for (const time of rule.starts) {
    const starts = sightings(watch, day + time);
    for (const start of width === 'narrow' ? starts.slice(0, 1) : starts)
      fill(minutes, start, start + rule.minutes);
  }
}

/** Midnights of all days that the clock shows, and of those that it skips. */
function daysShown({ shows }: Watch): readonly number[] {
  const first = Math.floor(Math.min(...edges(shows)) / 1_440) - 1;
  const last = Math.floor(Math.max(...edges(shows)) / 1_440) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * 1_440);
}

function edges(shows: readonly number[]): readonly number[] {
  return [shows.at(0) ?? 0, shows.at(-1) ?? 0];
}

/** The minutes at which the clock shows a time, or jumps over it. */
function sightings({ shows }: Watch, time: number): readonly number[] {
  const seen: number[] = [];
  for (let minute = 0; minute < shows.length; minute++) {
    const before = shows[minute - 1] ?? Infinity;
    const now = shows[minute] ?? 0;
    if (now === time || (before < time && time < now)) seen.push(minute);
  }
  return seen;
}

function fill(minutes: Uint8Array, from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from < to) minutes.fill(1, from, to);
}
