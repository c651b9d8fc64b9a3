import { computeOnce } from '../../lib/compute-once.ts';
import { DAY, type Instant, type Milliseconds } from '../../lib/time.ts';

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

export const UTC: ZoneClock = { zone: 'UTC', offsetAt: () => 0 };

/** The local time of a zone; undefined for a zone that this machine does not know. */
export const zoneClock = computeOnce((zone: string): ZoneClock | undefined => {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...PARTS });
    return {
      zone,
      offsetAt: (instant) => localReading(format, instant) - Math.floor(instant / 1_000) * 1_000,
    };
  } catch {
    return undefined;
  }
});

/** The local time of a zone as a date whose UTC parts are the local ones. */
export function localDate(instant: Instant, clock: ZoneClock): Date {
  return new Date(instant + clock.offsetAt(instant));
}

/** `Tue`, of a date whose UTC parts are the local ones. */
export function weekdayName(wall: Date): string {
  return WEEKDAYS[wall.getUTCDay()] ?? '';
}

/** `24 Nov`, of a date whose UTC parts are the local ones. */
export function dayName(wall: Date): string {
  return `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()] ?? ''}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `Tue 24 Nov` or `01:00`: a mark on an axis, in local time. */
export function tickText(instant: Instant, clock: ZoneClock, every: Milliseconds): string {
  const wall = localDate(instant, clock);
  const hour = wall.toISOString().slice(11, 16);
  if (every < DAY && hour !== '00:00') return hour;
  return `${weekdayName(wall)} ${dayName(wall)}`;
}

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

function localReading(format: Intl.DateTimeFormat, instant: Instant): Milliseconds {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, +value]));
  const at = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
}
