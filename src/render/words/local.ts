import type { Instant, Milliseconds } from '../../lib/time.ts';

/** The local time of one time zone. */
export interface ZoneClock {
  readonly zone: string;
  /** How far it is ahead of UTC at an instant. */
  offsetAt(instant: Instant): Milliseconds;
}

const PARTS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The zone UTC. */
export const UTC: ZoneClock = { zone: 'UTC', offsetAt: () => 0 };

/** The local time of a zone; undefined for a zone that this machine does not know. */
export function zoneClock(zone: string): ZoneClock | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...PARTS });
    return { zone, offsetAt: (instant) => localReading(format, instant) - wholeSecond(instant) };
  } catch {
    return undefined;
  }
}

/** `Tue 2026-11-24 01:00`: the local time of a zone, with the day of the week. */
export function localMoment(instant: Instant, clock: ZoneClock): string {
  const wall = new Date(instant + clock.offsetAt(instant));
  return `${weekdayName(wall)} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`;
}

/** `24 Nov`, with the year where the day is farther than 300 days from `now`: for a column. */
export function shortDay(instant: Instant, clock: ZoneClock, now: Instant): string {
  const wall = new Date(instant + clock.offsetAt(instant));
  const day = `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()] ?? ''}`;
  return Math.abs(instant - now) < 300 * DAY ? day : `${day} ${wall.getUTCFullYear()}`;
}

/** `Tue 24 Nov 01:00`, with the year as in `shortDay`. */
export function shortMoment(instant: Instant, clock: ZoneClock, now: Instant): string {
  const wall = new Date(instant + clock.offsetAt(instant));
  const time = wall.toISOString().slice(11, 16);
  return `${weekdayName(wall)} ${shortDay(instant, clock, now)} ${time}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `Tue 24`, `01:00` or `24 Nov`: a mark on an axis, in local time. */
export function tickText(instant: Instant, clock: ZoneClock, every: Milliseconds): string {
  const wall = new Date(instant + clock.offsetAt(instant));
  const [day, hour] = [wall.toISOString().slice(5, 10), wall.toISOString().slice(11, 16)];
  if (every < DAY && hour !== '00:00') return hour;
  return `${weekdayName(wall)} ${day}`;
}

const DAY: Milliseconds = 86_400_000;

/** Instants of a span at which the local time is a whole multiple of `every` since Monday. */
export function localTicks(
  { from, to }: { readonly from: Instant; readonly to: Instant },
  clock: ZoneClock,
  every: Milliseconds,
): readonly Instant[] {
  const ticks: Instant[] = [];
  const start = from + clock.offsetAt(from) - MONDAY;
  for (let wall = Math.ceil(start / every) * every + MONDAY; ; wall += every) {
    const at = wall - clock.offsetAt(wall - clock.offsetAt(wall));
    if (at >= to) return ticks;
    if (at >= from) ticks.push(at);
  }
}

/** 1970-01-05 was a Monday. */
const MONDAY: Milliseconds = 4 * DAY;

function weekdayName(wall: Date): string {
  return WEEKDAYS[wall.getUTCDay()] ?? '';
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1_000) * 1_000;
}

function localReading(format: Intl.DateTimeFormat, instant: Instant): Milliseconds {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, +value]));
  const at = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
}
