import { CALENDAR_KINDS, type CalendarView } from '../../model/plan/calendar.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { zoneClock, UTC, type ZoneClock } from '../words/local.ts';
import { longDay, moment } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill } from '../words/phrase.ts';
import { CALENDAR_WORDS } from '../words/report-words.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';
import { type CalendarLine, entryLines } from './calendar-entry.ts';

const DAY: Milliseconds = 86_400_000;

/**
 * A calendar as text, day by day, each time in the zone that its line names: overdue work first,
 * then each day with due dates, ends, openings and closes. An opening includes its close and the
 * other days on which it repeats; the close has no line of its own.
 */
export function* calendarText(view: CalendarView, style: TextStyle): Generator<TerminalText> {
  const days = counted(Math.round((view.to - view.from) / DAY), 'day');
  yield tint(style.paint, 'bold', terminal(`Calendar: ${days} from ${moment(view.from)}`));
  yield* wrap(
    say`  What happens without a commit. Tasks done in between can move later dates.`,
    style.width,
    2,
  );
  let title: string | undefined;
  for (const line of foldLines(view)) {
    const page = { clock: line.clock, now: view.from };
    const day = line.at === view.from ? 'Already' : longDay(line.at, page);
    if (day !== title) yield* ['' as TerminalText, tint(style.paint, 'bold', terminal(day))];
    title = day;
    yield* entryLines(line, view, style);
  }
  yield say``;
  yield* wrap(terminal(totalText(view)), style.width);
}

/**
 * One line for equal events at one time of day in several zones, and for openings of a window that
 * repeat every day.
 */
function foldLines(view: CalendarView): readonly CalendarLine[] {
  const clocks = new Map<string, ZoneClock>();
  const clockIn = (zone = 'UTC'): ZoneClock => {
    const [name = zone] = zone.split(', ');
    const clock = clocks.get(name) ?? zoneClock(name) ?? UTC;
    clocks.set(name, clock);
    return clock;
  };
  const lines = new Map<string, CalendarLine>();
  for (const entry of view.entries) {
    const { kind, zone, since } = entry;
    if (kind === 'windowCloses' && since !== undefined && since >= view.from) continue;
    const line = { ...entry, clock: clockIn(zone), again: [] };
    const key = lineKey(line);
    const before = lines.get(key);
    const zones = [before?.zone, zone].filter((each) => each !== undefined);
    const devices = (before?.devices ?? 0) + (entry.devices ?? 0);
    lines.set(key, {
      ...line,
      ...before,
      ...(zones.length > 0 && { zone: [...new Set(zones)].join('; ') }),
      ...(entry.devices !== undefined && { devices }),
    });
  }
  return foldedDays([...lines.values()].sort((a, b) => shownAt(a, view) - shownAt(b, view)));
}

function shownAt({ at, clock }: CalendarLine, { from }: CalendarView): number {
  return at === from ? -Infinity : wallTime(at, clock);
}

/** Everything in a line except zones and devices, in local time. */
function lineKey(line: CalendarLine): string {
  const { kind, at, last = at, name, task, until, offsets, wall, clock, examples } = line;
  const times = offsets ? [at] : [at, last, until ?? at].map((each) => wallTime(each, clock));
  const devices = examples && [line.zone, examples];
  return JSON.stringify([kind, times, until === undefined, name, task, offsets, wall, devices]);
}

/** Folds openings at the same time of day into one line, on their first day. */
function foldedDays(lines: readonly CalendarLine[]): readonly CalendarLine[] {
  const first = new Map<string, Instant[]>();
  return lines.flatMap((line) => {
    const { kind, at, until, name, zone, devices, clock } = line;
    if (kind !== 'windowOpens' || until === undefined) return [line];
    const wall = wallTime(at, clock);
    const length = wallTime(until, clock) - wall;
    const key = JSON.stringify([name, zone, devices, modulo(wall, DAY), length]);
    const again = first.get(key);
    if (again) again.push(at);
    else first.set(key, []);
    return again ? [] : [{ ...line, again: first.get(key) ?? [] }];
  });
}

function wallTime(at: Instant, clock: ZoneClock): number {
  return at + clock.offsetAt(at);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The total of each kind; entries about devices count devices. */
function totalText({ entries }: CalendarView): string {
  const parts = CALENDAR_KINDS.toReversed().flatMap((kind) => {
    const all = entries.filter((entry) => entry.kind === kind);
    const byDevice = kind === 'due' || kind === 'expiry' || kind === 'deadline';
    const n = all.reduce((sum, { devices = 0 }) => sum + (byDevice ? devices : 1), 0);
    const isSaid = n > 0 && kind !== 'windowCloses' && kind !== 'freezeEnds';
    return isSaid ? [fill(CALENDAR_WORDS[kind].counted, { n }, terminal)] : [];
  });
  if (parts.length === 0) return 'Nothing falls due, ends, opens or closes in this period.';
  return `Total: ${parts.join(', ')}. Times are in the zone of their line, else UTC.`;
}
