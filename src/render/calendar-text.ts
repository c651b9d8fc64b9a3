import { CALENDAR_KINDS, type CalendarEntry, type CalendarView } from '../model/calendar.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import { deviceText } from './class-text.ts';
import { moment } from './moment.ts';
import { tint } from './paint.ts';
import { counted, fill } from './phrase.ts';
import { CALENDAR_WORDS, CREDENTIAL_WORDS } from './report-words.ts';
import { join, say, terminal, type TerminalText } from './sinks.ts';
import { placeText, type Look } from './snippet.ts';
import { wrap } from './width.ts';
import { TASK_WORDS } from './words.ts';

const DAY: Milliseconds = 86_400_000;
const LABEL = 9;

/**
 * A calendar as text, day by day: what is due already, then each day with what falls due, ends,
 * opens and closes. A window that opens says until when; its close has no line of its own.
 */
export function* calendarText(view: CalendarView, look: Look): Generator<TerminalText> {
  const days = counted(Math.round((view.to - view.from) / DAY), 'day');
  yield tint(look.paint, 'bold', terminal(`Calendar: ${days} from ${moment(view.from)}`));
  yield* wrap(
    say`  What the clock brings with no commit. Nothing is simulated: what is done in between moves later dates.`,
    look.width,
    2,
  );
  let title: string | undefined;
  for (const entry of linesOf(view)) {
    const day = entry.at === view.from ? 'Already' : dayText(entry.at);
    if (day !== title) yield* ['' as TerminalText, tint(look.paint, 'bold', terminal(day))];
    title = day;
    yield* entryLines(entry, view, look);
  }
  yield say``;
  yield* wrap(terminal(totalText(view)), look.width);
}

/** Entries with a line of their own; what happens in several zones at one instant is one line. */
function linesOf({ entries, from }: CalendarView): readonly CalendarEntry[] {
  const lines = new Map<string, CalendarEntry>();
  for (const entry of entries) {
    const { kind, zone, since } = entry;
    if (kind === 'windowCloses' && since !== undefined && since >= from) continue;
    const key = lineKey(entry);
    const before = lines.get(key);
    const zones = [before?.zone, zone].filter((each) => each !== undefined);
    const devices = (before?.devices ?? 0) + (entry.devices ?? 0);
    lines.set(key, {
      ...entry,
      ...(zones.length > 0 && { zone: zones.join('; ') }),
      ...(entry.devices !== undefined && { devices }),
    });
  }
  return [...lines.values()];
}

/** Everything that a line tells but for zones and devices. */
function lineKey({ kind, at, name, task, until, offsets, wall }: CalendarEntry): string {
  return JSON.stringify([kind, at, name, task, until, offsets, wall]);
}

function* entryLines(
  entry: CalendarEntry,
  view: CalendarView,
  look: Look,
): Generator<TerminalText> {
  const label = CALENDAR_WORDS[entry.kind].label.padEnd(LABEL);
  const time = entry.at === view.from ? '     ' : clockText(entry.at);
  const head = `  ${time}  ${label}`;
  const lines = wrap(BODIES[entry.kind](entry, view.from), look.width - head.length);
  for (const [row, line] of lines.entries())
    yield row === 0
      ? say`  ${terminal(time)}  ${tint(look.paint, 'dim', terminal(label))}${line}`
      : say`${terminal(' '.repeat(head.length))}${line}`;
}

type Body = (entry: CalendarEntry, from: Instant) => TerminalText;

const opening: Body = (entry) =>
  say`${nameText(entry)}${untilText(entry)}${zoneText(entry)}${governedText(entry)}`;

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
    return say`${nameText(entry)} does not open at ${skipped}: the clock skips it${who}`;
  },
  deadline: (entry) =>
    say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}${originText(entry)}`,
  clockChange: ({ zone = '', offsets }) =>
    terminal(`${zone}: from ${offsetText(offsets?.before)} to ${offsetText(offsets?.after)}`),
};

function dueText(entry: CalendarEntry, from: Instant): TerminalText {
  const { at, since } = entry;
  const oldest = since === undefined || at !== from ? say`` : sinceText(since);
  const who = say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}`;
  return say`${who}${oldest}${originText(entry)}`;
}

function expiryText(entry: CalendarEntry): TerminalText {
  const what = terminal(CREDENTIAL_WORDS[entry.task ?? 'rotatePassword'] ?? '');
  const of = entry.name === undefined ? say`, no policy replaces it` : originText(entry);
  return say`${what} of ${devicesText(entry)}${lastText(entry)}${of}`;
}

function endText(entry: CalendarEntry): TerminalText {
  const bears = entry.devices === undefined ? say`` : say`, bears on ${devicesText(entry)}`;
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

function lastText({ last }: CalendarEntry): TerminalText {
  return last === undefined ? say`` : say`, the last at ${terminal(clockText(last))}`;
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

function untilText({ at, until }: CalendarEntry): TerminalText {
  if (until === undefined) return say``;
  const isSameDay = Math.floor(at / DAY) === Math.floor(until / DAY);
  return say` until ${terminal(isSameDay ? clockText(until) : moment(until))}`;
}

/** Minutes ahead of UTC as one writes them: `UTC+05:30`. */
function offsetText(minutes = 0): string {
  const [sign, ahead] = minutes < 0 ? ['-', -minutes] : ['+', minutes];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${sign}${two(Math.floor(ahead / 60))}:${two(Math.floor(ahead % 60))}`;
}

const WEEK = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function dayText(at: Instant): string {
  return `${WEEK[new Date(at).getUTCDay()] ?? ''} ${moment(at).slice(0, 10)}`;
}

function clockText(at: Instant): string {
  return moment(at).slice(11, 16);
}

/** How much of each kind there is; what is counted by device counts devices. */
function totalText({ entries }: CalendarView): string {
  const parts = CALENDAR_KINDS.toReversed().flatMap((kind) => {
    const all = entries.filter((entry) => entry.kind === kind);
    const byDevice = kind === 'due' || kind === 'expiry' || kind === 'deadline';
    const n = all.reduce((sum, { devices = 0 }) => sum + (byDevice ? devices : 1), 0);
    const isSaid = n > 0 && kind !== 'windowCloses' && kind !== 'freezeEnds';
    return isSaid ? [fill(CALENDAR_WORDS[kind].counted, { n }, terminal)] : [];
  });
  if (parts.length === 0) return 'Nothing falls due, ends, opens or closes in this time.';
  return `In all: ${parts.join(', ')}. All times are UTC.`;
}
