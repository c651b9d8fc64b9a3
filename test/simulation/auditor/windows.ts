import { fits, type Member } from './selecting.ts';
import type { WishedFreeze, WishedSpan, WishedWindow, Wishes } from '../wishes.ts';

/**
 * A second, slow and small implementation of windows and freezes, from semantics W1 to W28 alone: which
 * instants they mean in a zone, asked of the platform's own time-zone data.
 */
interface Interval {
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * Whether something may start at an instant by the windows and freezes that concern a device; the
 * cutoff `auto` is taken as none, since what is learnt is not the auditor's to know.
 */
export function mayStart(
  wishes: Wishes,
  of: { readonly windows: readonly string[]; readonly member: Member; readonly at: number },
): boolean {
  const { member, at } = of;
  const siteZone = wishes.sites[member.site]?.timeZone ?? 'UTC';
  const zoneOf = (wish: string): string => (wish === 'site' ? siteZone : wish);
  const frozen = freezesOf(wishes, member).map((freeze) =>
    freezeAt(freeze, zoneOf(freeze.timeZone)),
  );
  if (frozen.some(({ from, to }) => at >= from && at < to)) return false;
  if (of.windows.includes('anytime')) return true;
  const windows = of.windows.flatMap((name) => wishes.windows[name] ?? []);
  const allowed = windows.flatMap((window) =>
    around(window.allow, zoneOf(window.timeZone), at, 'allow'),
  );
  const denied = windows.flatMap((window) =>
    around(window.deny, zoneOf(window.timeZone), at, 'deny'),
  );
  const cutoff = Math.min(...windows.map(cutoffOf));
  return without(joined(allowed), [...denied, ...frozen]).some(
    ({ from, to }) => at >= from && at < to - cutoff,
  );
}

/** Whether a hard freeze holds, which nothing passes. */
export function isFrozenHard(wishes: Wishes, member: Member, at: number): boolean {
  const siteZone = wishes.sites[member.site]?.timeZone ?? 'UTC';
  return freezesOf(wishes, member)
    .filter(({ hard }) => hard)
    .map((freeze) => freezeAt(freeze, freeze.timeZone === 'site' ? siteZone : freeze.timeZone))
    .some(({ from, to }) => at >= from && at < to);
}

function freezesOf({ freezes }: Wishes, member: Member): readonly WishedFreeze[] {
  return Object.values(freezes).filter(({ select }) => !select || fits(select, member));
}

/** The next instant before an end at which something may start; undefined where there is none. */
export function nextStart(
  wishes: Wishes,
  names: readonly string[],
  member: Member,
  { at, end }: { readonly at: number; readonly end: number },
): number | undefined {
  for (let next = at; next < end; next += HOUR / 2)
    if (mayStart(wishes, { windows: names, member, at: next })) return next;
  return undefined;
}

function cutoffOf({ cutoff }: WishedWindow): number {
  return cutoff === 'auto' ? 0 : durationOf(cutoff);
}

function durationOf(text: string): number {
  const [, count = '0', unit = 'm'] = /^(\d+)([mhd])$/.exec(text) ?? [];
  return Number(count) * ({ m: MINUTE, h: HOUR, d: DAY }[unit] ?? 0);
}

/** Every interval of spans that begins within some days of an instant. */
function around(
  spans: readonly WishedSpan[],
  zone: string,
  at: number,
  kind: 'allow' | 'deny',
): Interval[] {
  const today = Math.floor((at + offsetAt(zone, at)) / DAY) * DAY;
  return spans.flatMap((span) =>
    [-3, -2, -1, 0, 1, 2, 3].flatMap((day) => onDay(span, zone, today + day * DAY, kind)),
  );
}

/** `midnight` is the day as its wall clock reads, in milliseconds. */
function onDay(
  span: WishedSpan,
  zone: string,
  midnight: number,
  kind: 'allow' | 'deny',
): Interval[] {
  const weekday = DAYS[new Date(midnight).getUTCDay()] ?? '';
  if ('cron' in span) {
    const [minute = '0', hour = '0', , , day = ''] = span.cron.split(' ');
    if (day.toLowerCase() !== weekday) return [];
    const wall = midnight + Number(hour) * HOUR + Number(minute) * MINUTE;
    const starts = instantsOf(zone, wall);
    const ms = durationOf(span.duration);
    return (kind === 'deny' ? starts : starts.slice(0, 1)).map((from) => ({ from, to: from + ms }));
  }
  if (!span.days.includes(weekday)) return [];
  const [from, to] = [clockOf(span.from), clockOf(span.to)];
  const ends = instantsOf(zone, midnight + to + (to < from ? DAY : 0));
  const starts = instantsOf(zone, midnight + from);
  if (kind === 'allow') return interval(starts[0], ends[0]);
  if (starts.length === 1) return interval(starts[0], ends.at(-1));
  return starts.flatMap((start) => interval(start, ends.find((end) => end > start) ?? ends.at(-1)));
}

function interval(from: number | undefined, to: number | undefined): Interval[] {
  return from !== undefined && to !== undefined && to > from ? [{ from, to }] : [];
}

function clockOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * HOUR + Number(minutes) * MINUTE;
}

function freezeAt({ from, to }: WishedFreeze, zone: string): Interval {
  const first = instantsOf(zone, Date.parse(`${from}Z`))[0] ?? 0;
  const last = instantsOf(zone, Date.parse(`${to}Z`)).at(-1) ?? 0;
  return { from: first, to: last };
}

/** The instants at which a wall clock reads so: one, two where it goes back, the change in a gap. */
function instantsOf(zone: string, wall: number): readonly number[] {
  const offsets = new Set([offsetAt(zone, wall - 26 * HOUR), offsetAt(zone, wall + 26 * HOUR)]);
  const found = [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => offsetAt(zone, at) === wall - at)
    .sort((a, b) => a - b);
  return found.length > 0 ? found : [changeNear(zone, wall)];
}

/** The instant of the one change of a zone's clock within a day of a wall time. */
function changeNear(zone: string, wall: number): number {
  let [low, high] = [wall - 26 * HOUR, wall + 26 * HOUR];
  const before = offsetAt(zone, low);
  while (high - low > MINUTE) {
    const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const OFFSETS = new Map<string, number>();
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a zone are ahead of UTC; no zone changes within a quarter of an hour. */
function offsetAt(zone: string, at: number): number {
  const quarter = Math.floor(at / (15 * MINUTE)) * 15 * MINUTE;
  const key = `${zone} ${quarter}`;
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  const format = FORMATS.get(zone) ?? formatOf(zone);
  FORMATS.set(zone, format);
  const parts = Object.fromEntries(
    format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  const offset = Date.UTC(year, month - 1, day, hour, minute) - quarter;
  OFFSETS.set(key, offset);
  return offset;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const number = 'numeric';
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
  });
}

function joined(intervals: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const next of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && next.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else result.push(next);
  }
  return result;
}

function without(intervals: readonly Interval[], holes: readonly Interval[]): readonly Interval[] {
  return holes.reduce<readonly Interval[]>(
    (left, hole) =>
      left.flatMap(({ from, to }) => [
        ...interval(from, Math.min(to, hole.from)),
        ...interval(Math.max(from, hole.to), to),
      ]),
    intervals,
  );
}
