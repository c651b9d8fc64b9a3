import { groupBy } from '../../lib/group-by.ts';
import { parseInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import { TASKS } from '../../model/fleet/task.ts';
import {
  CALENDAR_KINDS,
  type CalendarEntry,
  type CalendarView,
} from '../../model/plan/calendar.ts';
import { data, joined, own, place, say, sentence, type Block, type Inlines } from '../tree.ts';
import { zoneClock, UTC, type ZoneClock } from '../words/local.ts';
import { longDay, moment, wallMoment, wallTime as timeOfDay } from '../words/moment.ts';
import { counted, fill } from '../words/phrase.ts';
import { CALENDAR_WORDS } from '../words/report-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { deviceText } from './naming.ts';

const DAY: Milliseconds = 86_400_000;

/** An entry with a line of its own, in the local time of one zone. */
interface CalendarLine extends CalendarEntry {
  readonly clock: ZoneClock;
  /** Further instants with the same event at the same time of day. */
  readonly again: readonly Instant[];
}

/**
 * A calendar day by day, each time in the zone that its line names: overdue work first,
 * then each day with due dates, ends, openings and closes. An opening includes its close and the
 * other days on which it repeats; the close has no line of its own.
 */
export function calendarBlocks(view: CalendarView): readonly Block[] {
  const days = counted(Math.round((view.to - view.from) / DAY), 'day');
  const folded = foldLines(view);
  const byDay = groupBy(folded, ({ at, clock }) =>
    at === view.from ? 'Already' : longDay(at, { clock, now: view.from }),
  );
  return [
    { is: 'title', text: own(`Calendar: ${days} from ${moment(view.from)}`) },
    sentence(own('What happens without a commit. Tasks done in between can move later dates.')),
    ...[...byDay].map(([day, lines]): Block => {
      const facts = lines.map((line) => entryFact(line, view));
      return { is: 'section', id: 'day', title: own(day), blocks: [{ is: 'facts', facts }] };
    }),
    sentence(own(totalText(view, folded))),
  ];
}

/** The width of the words in front of each entry. */
const LABEL = 8;

function entryFact(line: CalendarLine, { from }: CalendarView) {
  const time = line.at === from ? '     ' : timeOfDay(line.at, line);
  const label = `${time}  ${CALENDAR_WORDS[line.kind].label.padEnd(LABEL)}`;
  return { label, text: BODIES[line.kind](line, from) };
}

type Body = (line: CalendarLine, from: Instant) => Inlines;

const opening: Body = (entry, from) =>
  say`${nameText(entry)}${own(untilText(entry, from))}${zoneText(entry)}${own(governedText(entry) + againText(entry, from))}`;

const closing: Body = (entry) =>
  say`${nameText(entry)}${zoneText(entry)}${own(governedText(entry))}`;

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
    const skipped = own(wallMoment(parseInstant(`${wall}Z`) ?? entry.at, { now }));
    const who = say`${zoneText(entry)}${own(governedText(entry))}`;
    return say`${nameText(entry)} does not open at ${skipped}: the clock change skips it${who}`;
  },
  deadline: (entry) => say`${whoText(entry)}${originText(entry)}`,
  clockChange: ({ zone = '', offsets }) =>
    say`${zone}: ${own(`from ${offsetText(offsets?.before)} to ${offsetText(offsets?.after)}`)}`,
};

function dueText(entry: CalendarLine, from: Instant): Inlines {
  const { at, since } = entry;
  const isOld = since !== undefined && at === from;
  const oldest = own(isOld ? `, the first since ${moment(since, { now: from })}` : '');
  return say`${whoText(entry)}${oldest}${originText(entry)}`;
}

function expiryText(entry: CalendarLine): Inlines {
  // Only what replaces a credential has an end to tell.
  const credential = entry.task && TASKS[entry.task].credential;
  const what = own(credential ?? '');
  const origin = entry.name === undefined ? own(', no policy renews it') : originText(entry);
  return say`${what} of ${devicesText(entry)}${origin}`;
}

function endText(entry: CalendarLine): Inlines {
  const bears = entry.devices === undefined ? [] : say`, applies to ${namedText(entry)}`;
  return say`${nameText(entry)}${bears}`;
}

/** The task, its devices, and the last instant of theirs. */
function whoText(entry: CalendarLine): Inlines {
  const { task } = entry;
  const what = own(task === undefined ? '' : `${TASK_WORDS[task]}: `);
  return say`${what}${devicesText(entry)}`;
}

function devicesText(entry: CalendarLine): Inlines {
  const { last, clock } = entry;
  const until = own(last === undefined ? '' : `, the last at ${timeOfDay(last, { clock })}`);
  return say`${namedText(entry)}${until}${zoneText(entry)}`;
}

function namedText({ devices = 0, examples = [] }: CalendarEntry): Inlines {
  const more = own(devices > examples.length ? ', …' : '');
  return say`${own(counted(devices, 'device'))} (${joined(examples.map(deviceText), ', ')}${more})`;
}

function governedText({ devices }: CalendarEntry): string {
  return devices === undefined ? '' : `, ${counted(devices, 'device')}`;
}

function originText(entry: CalendarEntry): Inlines {
  return entry.name === undefined ? [] : say`, ${nameText(entry)}`;
}

function nameText({ name = '', place: at }: CalendarEntry): Inlines {
  return at ? say`${name} ${place(at)}` : [data(name)];
}

function zoneText({ zone }: CalendarEntry): Inlines {
  return zone === undefined ? [] : say`, ${zone}`;
}

function untilText({ at, until, clock }: CalendarLine, now: Instant): string {
  if (until === undefined) return '';
  const page = { clock, now };
  const isSameDay = longDay(at, page) === longDay(until, page);
  return ` until ${isSameDay ? timeOfDay(until, page) : wallMoment(until, page)}`;
}

/** How many days of a repeated opening are named; the last one always is. */
const NAMED = 2;

function againText({ again, clock }: CalendarLine, now: Instant): string {
  const days = again.map((at) => longDay(at, { clock, now }));
  if (days.length === 0) return '';
  const named = days.slice(0, NAMED).join(', ');
  const more = days.length - NAMED;
  const rest = more > 0 ? ` and ${counted(more, 'more day')}, the last ${days.at(-1) ?? ''}` : '';
  return `; again ${named}${rest}`;
}

/** Minutes ahead of UTC in the usual format: `UTC+05:30`. */
function offsetText(minutes = 0): string {
  const [sign, ahead] = minutes < 0 ? ['-', -minutes] : ['+', minutes];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${sign}${two(Math.floor(ahead / 60))}:${two(Math.floor(ahead % 60))}`;
}

/**
 * One line for equal events at one time of day in several zones, and for openings of a window that
 * repeat every day.
 */
function foldLines(view: CalendarView): readonly CalendarLine[] {
  const clockIn = (zone = ''): ZoneClock => zoneClock(zone.split(', ')[0] ?? '') ?? UTC;
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
    const key = JSON.stringify([name, zone, devices, ((wall % DAY) + DAY) % DAY, length]);
    const again = first.get(key);
    if (again) again.push(at);
    else first.set(key, []);
    return again ? [] : [{ ...line, again: first.get(key) ?? [] }];
  });
}

function wallTime(at: Instant, clock: ZoneClock): number {
  return at + clock.offsetAt(at);
}

/** The total of each kind; entries about devices count devices, and a freeze of several zones is one. */
function totalText({ entries }: CalendarView, folded: readonly CalendarLine[]): string {
  const parts = CALENDAR_KINDS.toReversed().flatMap((kind) => {
    const all = entries.filter((entry) => entry.kind === kind);
    const byDevice = kind === 'due' || kind === 'expiry' || kind === 'deadline';
    const ofKind = kind === 'freezeBegins' ? folded.filter((line) => line.kind === kind) : all;
    const n = ofKind.reduce((sum, { devices = 0 }) => sum + (byDevice ? devices : 1), 0);
    const isSaid = n > 0 && kind !== 'windowCloses' && kind !== 'freezeEnds';
    return isSaid ? [fill(CALENDAR_WORDS[kind].counted, { n }, String)] : [];
  });
  if (parts.length === 0) return 'Nothing falls due, ends, opens or closes in this period.';
  return `Total: ${parts.join(', ')}. Times are in the zone of their line, else UTC.`;
}
