import { Bug } from '../../lib/bug.ts';
import { parseInstant } from '../../lib/time.ts';
import {
  parseClock,
  parseMonthDay,
  parseWall,
  WEEKDAYS,
  type Edge,
  type Freeze,
  type FreezeTerm,
  type Span,
  type Weekday,
  type WindowSpec,
} from '../../model/documents/window.ts';
import type { AuthoredEntry, Authored } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { ms, selector, tasks } from './values.ts';

/** A window; `days: tue-thu` and `days: [tue, wed, thu]` give the same result. */
export function window({ value }: AuthoredEntry<'windows'>): WindowSpec {
  const { timeZone, allow, deny = [], cutoff = DEFAULTS.cutoff, task } = value;
  return {
    timeZone: timeZone ?? DEFAULTS.timeZone,
    allow: allow.map(span),
    deny: deny.map(span),
    cutoff: cutoff === 'auto' ? 'auto' : ms(cutoff),
    tasks: tasks(task),
  };
}

/** A freeze, once or annual. */
export function freeze(entry: AuthoredEntry<'freezes'>): Freeze {
  const { timeZone, select, task, hard = false, maxLength, reason, owner, ticket } = entry.value;
  return {
    timeZone: timeZone ?? DEFAULTS.timeZone,
    term: term(entry),
    ...(select && { select: selector(select) }),
    hard,
    tasks: tasks(task),
    maxLength: ms(maxLength ?? DEFAULTS.maxLength),
    reason,
    owner,
    ticket,
  };
}

/** The days of a list or range, in week order. */
export function weekdays(written: Authored['span']['days']): readonly Weekday[] {
  if (written === undefined) return WEEKDAYS;
  if (typeof written !== 'string') return WEEKDAYS.filter((day) => written.includes(day));
  const [first = '', last = first] = written.split('-');
  const [from, to] = [WEEK.indexOf(first), WEEK.indexOf(last)];
  return WEEKDAYS.filter((day) => from <= WEEK.indexOf(day) && WEEK.indexOf(day) <= to);
}

/** Ranges of days run from Monday to Sunday. */
const WEEK: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function span(written: Authored['span']): Span {
  const { cron, duration, days, from = '', to = '' } = written;
  if (cron !== undefined && duration !== undefined)
    return { is: 'cron', cron, duration: ms(duration) };
  const [opens, closes] = [parseClock(from), parseClock(to)];
  if (opens === undefined || closes === undefined) throw unread(`${from}-${to}`);
  return { is: 'days', days: weekdays(days), from: opens, to: closes };
}

function term({ value: { from, to, annual } }: AuthoredEntry<'freezes'>): FreezeTerm {
  if (!annual) return { is: 'once', from: edge(from ?? ''), to: edge(to ?? '') };
  const [first, last] = [parseMonthDay(annual.from), parseMonthDay(annual.to)];
  if (!first || !last) throw unread(`${annual.from} to ${annual.to}`);
  return { is: 'annual', from: first, to: last };
}

/** A local time may have fractional seconds, as an instant may. */
function edge(text: string): Edge {
  const [whole = '', fraction = '0'] = text.split('.');
  const wall = parseWall(whole);
  if (wall !== undefined && /^\d+$/.test(fraction))
    return { wall: wall + Math.floor(Number(`0.${fraction}`) * 1_000) };
  const instant = parseInstant(text);
  if (instant === undefined) throw unread(text);
  return { instant };
}

function unread(text: string): Bug {
  return new Bug(`a value passed every rule and cannot be read: ${text}`);
}
