// Windows once more, minute by minute and by other means: what a clock shows comes from Intl, a
// span starts and ends at the minutes at which somebody who watches that clock would see its times,
// and sets are one byte a minute.

const MINUTE = 60_000;
const QUARTER = 15;

/** A clock that is watched for some days. */
export interface Watch {
  readonly zone: string;
  /** The first instant watched. */
  readonly start: number;
  /** What it shows at each quarter of an hour, in minutes since 1970 of that clock. */
  readonly quarters: readonly number[];
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

/** Every change of a clock that is tested falls on a quarter of an hour. */
export function watch(zone: string, start: number, minutes: number): Watch {
  const read = clockIn(zone);
  const quarters = Array.from({ length: minutes / QUARTER }, (_, quarter) =>
    read(start + quarter * QUARTER * MINUTE),
  );
  return { zone, start, quarters };
}

/** The latest changes of a clock before `newest`, latest first; fewer where it stood still. */
export function changes(zone: string, newest: number, oldest: number): readonly number[] {
  const read = clockIn(zone);
  const ahead = (quarter: number): number => read(quarter * QUARTER * MINUTE) - quarter * QUARTER;
  const month = (30 * 1_440) / QUARTER;
  const found: number[] = [];
  let late = newest / MINUTE / QUARTER;
  for (; late * QUARTER * MINUTE > oldest && found.length < 2; late -= month) {
    let [before, after] = [late - month, late];
    if (ahead(before) === ahead(after)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (ahead(middle) === ahead(after)) after = middle;
      else before = middle;
    }
    found.push(after * QUARTER * MINUTE);
  }
  return found;
}

/** What the clock of a zone shows at an instant, in minutes since 1970 of that clock. */
function clockIn(zone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', {
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
  return (instant) => {
    const parts = (clock.format(instant).match(/\d+/g) ?? []).map(Number);
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = parts;
    return Date.UTC(year, month - 1, day, hour, minute) / MINUTE;
  };
}

/** One byte a minute: what an allow opens (`narrow`), or what a deny closes (`wide`). */
export function follow(watch: Watch, rule: WatchedRule, width: 'narrow' | 'wide'): Uint8Array {
  const minutes = new Uint8Array(watch.quarters.length * QUARTER);
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
function daysShown({ quarters }: Watch): readonly number[] {
  const first = Math.floor((quarters.at(0) ?? 0) / 1_440) - 1;
  const last = Math.floor((quarters.at(-1) ?? 0) / 1_440) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * 1_440);
}

/** The minutes at which the clock shows a time, or jumps over it. */
function sightings({ quarters }: Watch, time: number): readonly number[] {
  const seen: number[] = [];
  for (const [index, shown] of quarters.entries()) {
    const before = (quarters[index - 1] ?? Infinity) + QUARTER - 1;
    if (before < time && time < shown) seen.push(index * QUARTER);
    if (time >= shown && time < shown + QUARTER) seen.push(index * QUARTER + time - shown);
  }
  return seen;
}

function fill(minutes: Uint8Array, from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from < to) minutes.fill(1, from, to);
}
