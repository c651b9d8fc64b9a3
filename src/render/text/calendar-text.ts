import { TASKS } from '../../model/fleet/task.ts';
import {
  CALENDAR_KINDS,
  type CalendarEntry,
  type CalendarView,
} from '../../model/plan/calendar.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { deviceText } from './class-text.ts';
import { zoneClock, localMoment, UTC, type ZoneClock } from '../words/local.ts';
import { moment } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill } from '../words/phrase.ts';
import { CALENDAR_WORDS, CREDENTIAL_WORDS } from '../words/report-words.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/width.ts';
import { TASK_WORDS } from '../words/terms.ts';

const DAY: Milliseconds = 86_400_000;
const LABEL = 9;

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
    const day =
      line.at === view.from ? 'Already' : localMoment(line.at, line.clock).slice(0, -TIME);
    if (day !== title) yield* ['' as TerminalText, tint(style.paint, 'bold', terminal(day))];
    title = day;
    yield* entryLines(line, view, style);
  }
  yield say``;
  yield* wrap(terminal(totalText(view)), style.width);
}

/** Letters of ` 01:00`. */
const TIME = 6;

/** An entry with a line of its own, in the local time of one zone. */
interface Line extends CalendarEntry {
  readonly clock: ZoneClock;
  /** Further instants with the same event at the same time of day. */
  readonly again: readonly Instant[];
}

/**
 * One line for equal events at one time of day in several zones, and for openings of a window that
 * repeat every day.
 */
function foldLines(view: CalendarView): readonly Line[] {
  const clocks = new Map<string, ZoneClock>();
  const clockIn = (zone = 'UTC'): ZoneClock => {
    const [name = zone] = zone.split(', ');
    const clock = clocks.get(name) ?? zoneClock(name) ?? UTC;
    clocks.set(name, clock);
    return clock;
  };
  const lines = new Map<string, Line>();
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

function shownAt({ at, clock }: Line, { from }: CalendarView): number {
  return at === from ? -Infinity : wallTime(at, clock);
}

/** Everything in a line except zones and devices, in local time. */
function lineKey(line: Line): string {
  const { kind, at, last = at, name, task, until, offsets, wall, clock, examples } = line;
  const times = offsets ? [at] : [at, last, until ?? at].map((each) => wallTime(each, clock));
  const devices = examples && [line.zone, examples];
  return JSON.stringify([kind, times, until === undefined, name, task, offsets, wall, devices]);
}

/** Folds openings at the same time of day into one line, on their first day. */
function foldedDays(lines: readonly Line[]): readonly Line[] {
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

function* entryLines(line: Line, view: CalendarView, style: TextStyle): Generator<TerminalText> {
  const label = CALENDAR_WORDS[line.kind].label.padEnd(LABEL);
  const time = line.at === view.from ? '     ' : clockText(line.at, line.clock);
  const head = `  ${time}  ${label}`;
  const lines = wrap(BODIES[line.kind](line, view.from), style.width - head.length);
  for (const [row, text] of lines.entries())
    yield row === 0
      ? say`  ${terminal(time)}  ${tint(style.paint, 'dim', terminal(label))}${text}`
      : say`${terminal(' '.repeat(head.length))}${text}`;
}

type Body = (line: Line, from: Instant) => TerminalText;

const opening: Body = (entry) =>
  say`${nameText(entry)}${untilText(entry)}${zoneText(entry)}${governedText(entry)}${againText(entry)}`;

const closing: Body = (entry) => say`${nameText(entry)}${zoneText(entry)}${governedText(entry)}`;

const BODIES: Readonly<Record<CalendarEntry['kind'], Body>> = {
  due: dueText,
  expiry: expiryText,
  exceptionEnds: endText,
  windowOpens: opening,
  windowCloses: closing,
  freezeBegins: opening,
  freezeEnds: closing,
  openingLost: (entry) => {
    const { wall = '' } = entry;
    const skipped = terminal(wall.replace('T', ' ').slice(0, 16));
    const who = say`${zoneText(entry)}${governedText(entry)}`;
    return say`${nameText(entry)} does not open at ${skipped}: the clock change skips it${who}`;
  },
  deadline: (entry) =>
    say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}${zoneText(entry)}${originText(entry)}`,
  clockChange: ({ zone = '', offsets }) =>
    terminal(`${zone}: from ${offsetText(offsets?.before)} to ${offsetText(offsets?.after)}`),
};

function dueText(entry: Line, from: Instant): TerminalText {
  const { at, since } = entry;
  const oldest = since === undefined || at !== from ? say`` : sinceText(since);
  const who = say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}${zoneText(entry)}`;
  return say`${who}${oldest}${originText(entry)}`;
}

function expiryText(entry: Line): TerminalText {
  const what = terminal(credentialWord(entry));
  const origin = entry.name === undefined ? say`, no policy renews it` : originText(entry);
  return say`${what} of ${devicesText(entry)}${lastText(entry)}${zoneText(entry)}${origin}`;
}

/** Only what replaces a credential has an end to tell. */
function credentialWord({ task }: CalendarEntry): string {
  const credential = task && TASKS[task].credential;
  return credential === undefined ? '' : CREDENTIAL_WORDS[credential];
}

function endText(entry: CalendarEntry): TerminalText {
  const bears = entry.devices === undefined ? say`` : say`, applies to ${devicesText(entry)}`;
  return say`${nameText(entry)}${bears}`;
}

function taskText({ task }: CalendarEntry): TerminalText {
  return task === undefined ? say`` : say`${terminal(TASK_WORDS[task])}: `;
}

function devicesText({ devices = 0, examples = [] }: CalendarEntry): TerminalText {
  const named = join(examples.map(deviceText), ', ');
  const more = devices > examples.length ? say`, …` : say``;
  return say`${terminal(counted(devices, 'device'))} (${named}${more})`;
}

function governedText({ devices }: CalendarEntry): TerminalText {
  return devices === undefined ? say`` : terminal(`, ${counted(devices, 'device')}`);
}

function lastText({ last, clock }: Line): TerminalText {
  return last === undefined ? say`` : say`, the last at ${terminal(clockText(last, clock))}`;
}

function sinceText(since: Instant): TerminalText {
  return say`, the first since ${terminal(moment(since))}`;
}

function originText(entry: CalendarEntry): TerminalText {
  return entry.name === undefined ? say`` : say`, ${nameText(entry)}`;
}

function nameText({ name = '', place }: CalendarEntry): TerminalText {
  return place ? say`${terminal(name)} ${placeText(place)}` : terminal(name);
}

function zoneText({ zone }: CalendarEntry): TerminalText {
  return zone === undefined ? say`` : say`, ${terminal(zone)}`;
}

function untilText({ at, until, clock }: Line): TerminalText {
  if (until === undefined) return say``;
  const [from, to] = [localMoment(at, clock), localMoment(until, clock)];
  const isSameDay = from.slice(0, -TIME) === to.slice(0, -TIME);
  return say` until ${terminal(isSameDay ? to.slice(1 - TIME) : to)}`;
}

/** How many days of a repeated opening are named; the last one always is. */
const NAMED = 2;

function againText({ again, clock }: Line): TerminalText {
  const days = again.map((at) => localMoment(at, clock).slice(0, -TIME));
  if (days.length === 0) return say``;
  const named = days.slice(0, NAMED).join(', ');
  const more = days.length - NAMED;
  const rest = more > 0 ? ` and ${counted(more, 'more day')}, the last ${days.at(-1) ?? ''}` : '';
  return terminal(`; again ${named}${rest}`);
}

/** Minutes ahead of UTC in the usual format: `UTC+05:30`. */
function offsetText(minutes = 0): string {
  const [sign, ahead] = minutes < 0 ? ['-', -minutes] : ['+', minutes];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${sign}${two(Math.floor(ahead / 60))}:${two(Math.floor(ahead % 60))}`;
}

function clockText(at: Instant, clock: ZoneClock): string {
  return localMoment(at, clock).slice(1 - TIME);
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
