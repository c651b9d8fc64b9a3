import { TASKS } from '../../model/fleet/task.ts';
import type { CalendarEntry, CalendarView } from '../../model/plan/calendar.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { deviceText } from '../outputs/naming.ts';
import { inlineText } from '../print/terminal.ts';
import { PLAIN } from '../sinks/paint.ts';
import type { ZoneClock } from '../words/local.ts';
import { longDay, moment, wallMoment, wallTime } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted } from '../words/phrase.ts';
import { CALENDAR_WORDS, CREDENTIAL_WORDS } from '../words/report-words.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';
import { TASK_WORDS } from '../words/terms.ts';

const LABEL = 9;

/** An entry with a line of its own, in the local time of one zone. */
export interface CalendarLine extends CalendarEntry {
  readonly clock: ZoneClock;
  /** Further instants with the same event at the same time of day. */
  readonly again: readonly Instant[];
}

export function* entryLines(
  line: CalendarLine,
  view: CalendarView,
  style: TextStyle,
): Generator<TerminalText> {
  const label = CALENDAR_WORDS[line.kind].label.padEnd(LABEL);
  const time = line.at === view.from ? '     ' : wallTime(line.at, line);
  const head = `  ${time}  ${label}`;
  const lines = wrap(BODIES[line.kind](line, view.from), style.width - head.length);
  for (const [row, text] of lines.entries())
    yield row === 0
      ? say`  ${terminal(time)}  ${tint(style.paint, 'dim', terminal(label))}${text}`
      : say`${terminal(' '.repeat(head.length))}${text}`;
}

type Body = (line: CalendarLine, from: Instant) => TerminalText;

const opening: Body = (entry, from) =>
  say`${nameText(entry)}${untilText(entry, from)}${zoneText(entry)}${governedText(entry)}${againText(entry, from)}`;

const closing: Body = (entry) => say`${nameText(entry)}${zoneText(entry)}${governedText(entry)}`;

const BODIES: Readonly<Record<CalendarEntry['kind'], Body>> = {
  due: dueText,
  expiry: expiryText,
  exceptionEnds: endText,
  windowOpens: opening,
  windowCloses: closing,
  freezeBegins: opening,
  freezeEnds: closing,
  openingLost: (entry, now) => {
    const { wall = '' } = entry;
    const skipped = terminal(wallMoment(parseInstant(`${wall}Z`) ?? entry.at, { now }));
    const who = say`${zoneText(entry)}${governedText(entry)}`;
    return say`${nameText(entry)} does not open at ${skipped}: the clock change skips it${who}`;
  },
  deadline: (entry) =>
    say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}${zoneText(entry)}${originText(entry)}`,
  clockChange: ({ zone = '', offsets }) =>
    terminal(`${zone}: from ${offsetText(offsets?.before)} to ${offsetText(offsets?.after)}`),
};

function dueText(entry: CalendarLine, from: Instant): TerminalText {
  const { at, since } = entry;
  const oldest = since === undefined || at !== from ? say`` : sinceText(since, from);
  const who = say`${taskText(entry)}${devicesText(entry)}${lastText(entry)}${zoneText(entry)}`;
  return say`${who}${oldest}${originText(entry)}`;
}

function expiryText(entry: CalendarLine): TerminalText {
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
  const named = join(
    examples.map((device) => inlineText(deviceText(device), { paint: PLAIN })),
    ', ',
  );
  const more = devices > examples.length ? say`, …` : say``;
  return say`${terminal(counted(devices, 'device'))} (${named}${more})`;
}

function governedText({ devices }: CalendarEntry): TerminalText {
  return devices === undefined ? say`` : terminal(`, ${counted(devices, 'device')}`);
}

function lastText({ last, clock }: CalendarLine): TerminalText {
  return last === undefined ? say`` : say`, the last at ${terminal(wallTime(last, { clock }))}`;
}

function sinceText(since: Instant, now: Instant): TerminalText {
  return say`, the first since ${terminal(moment(since, { now }))}`;
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

function untilText({ at, until, clock }: CalendarLine, now: Instant): TerminalText {
  if (until === undefined) return say``;
  const page = { clock, now };
  const isSameDay = longDay(at, page) === longDay(until, page);
  return say` until ${terminal(isSameDay ? wallTime(until, page) : wallMoment(until, page))}`;
}

/** How many days of a repeated opening are named; the last one always is. */
const NAMED = 2;

function againText({ again, clock }: CalendarLine, now: Instant): TerminalText {
  const days = again.map((at) => longDay(at, { clock, now }));
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
