import { Bug } from '../../lib/bug.ts';
import { isObject, toList } from '../../lib/objects.ts';
import {
  parseDateOrInstant,
  parseDuration,
  parseInstant,
  type Instant,
  type Milliseconds,
} from '../../lib/time.ts';
import { isRange } from '../../lib/version-order.ts';
import type { Meant } from '../../model/documents/meant.gen.ts';
import type { Selector } from '../../model/documents/selector.ts';
import type { After, BudgetLimit, VersionSpec } from '../../model/documents/values.ts';
import {
  parseClock,
  WEEKDAYS,
  type ClockTime,
  type Span,
  type Weekday,
} from '../../model/documents/window.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Authored } from '../authored.ts';
import { FIELDS } from './fields.gen.ts';

/** How a value of a schema is read; a value without any of these is left as it is written. */
export interface Field {
  /** The definition of its schema, which has a reader. */
  readonly is?: ReadAs;
  /** In place of a value that nobody wrote (semantics D4). */
  readonly default?: unknown;
  readonly members?: Readonly<Record<string, Field>>;
  /** One of its members has a default, so it is there although nobody wrote it. */
  readonly isFilled?: true;
  readonly items?: Field;
}

/** A definition of the schemas whose text means something else. */
export type ReadAs = keyof typeof READERS;

/** How the members of a definition are read. */
export function fieldOf(name: keyof Meant): Field {
  return FIELDS[name];
}

/** An entry, or a part of one, that passed its schema and every rule, as it is meant. */
export function meant<N extends keyof Meant>(name: N, written: Authored[N]): Meant[N] {
  return read(FIELDS[name], written) as Meant[N];
}

function read(
  { is, default: standard, members, isFilled, items }: Field,
  written: unknown,
): unknown {
  const value = written ?? standard ?? (isFilled && {});
  if (value === undefined) return undefined;
  if (is) return (READERS[is] as (value: unknown) => unknown)(value);
  if (items && Array.isArray(value)) return value.map((item) => read(items, item));
  if (!members || !isObject(value)) return value;
  const found = Object.entries(members).map(([name, of]) => [name, read(of, value[name])] as const);
  return Object.fromEntries(found.filter(([, member]) => member !== undefined));
}

const READERS = {
  duration: ms,
  positiveDuration: ms,
  instant: (text: string): Instant => known(parseInstant(text), text),
  dateOrInstant: (text: string): Instant => known(parseDateOrInstant(text), text),
  percent,
  intOrPercent: parsedLimit,
  tasks,
  version: versionSpec,
  globs: toList<string>,
  windowNames: toList<string>,
  probeStates: toList<string>,
  /** Its author may say that a policy continues none. */
  renamedFrom: (written: string | readonly string[]) =>
    written === 'none' ? [] : toList<string>(written),
  /** An address alone is its policy per site. */
  after: (written: Authored['after']): readonly After[] => written.map(toAfter),
  selector,
  span,
};

/** A policy whose devices come first, by its address or in full. */
function toAfter(written: Authored['after'][number]): After {
  if (typeof written === 'string') return { policy: written, per: 'site' };
  const { policy, per = 'site', ignoreOffline } = written;
  return { policy, per, ...(ignoreOffline !== undefined && { ignoreOffline: ms(ignoreOffline) }) };
}

/** A duration that the schema has accepted, in milliseconds. */
export function ms(text: string): Milliseconds {
  return known(parseDuration(text), text);
}

/** Reads `30%` as 30. */
export function percent(text: string): number {
  return Number.parseFloat(text);
}

/** A number as a count, a percentage as a percent. */
export function parsedLimit(written: string | number): BudgetLimit {
  return typeof written === 'number' ? { count: written } : { percent: percent(written) };
}

function versionSpec(text: string): VersionSpec {
  if (text === 'approved') return { is: 'approved' };
  return isRange(text) ? { is: 'range', text } : { is: 'exact', version: text };
}

function tasks(written: Authored['tasks']): readonly TaskType[] {
  const names = toList<string>(written);
  return TASK_TYPES.filter((task) => names.includes('all') || names.includes(task));
}

/** A selector with a list for every key; a site alone is its name or ID. */
function selector({ not, site, ...globs }: Authored['selector']): Selector {
  const clause = isObject(site) ? site : site && { name: site };
  return {
    ...listed(globs),
    ...(clause && { site: listed(clause) }),
    ...(not && { not: selector(not) }),
  };
}

function listed(
  globs: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> {
  const lists = Object.entries(globs).map(
    ([key, value]) => [key, toList(value as string)] as const,
  );
  return Object.fromEntries(lists);
}

function span({ cron, duration, days, from = '', to = '' }: Authored['span']): Span {
  if (cron !== undefined && duration !== undefined)
    return { is: 'cron', cron, duration: ms(duration) };
  return { is: 'days', days: weekdays(days), from: clockTime(from), to: clockTime(to) };
}

function clockTime(text: string): ClockTime {
  return known(parseClock(text), text);
}

/** The days of a list or range, in week order: `tue-thu` and `[tue, wed, thu]` are the same. */
function weekdays(written: Authored['span']['days']): readonly Weekday[] {
  if (written === undefined) return WEEKDAYS;
  if (typeof written !== 'string') return WEEKDAYS.filter((day) => written.includes(day));
  const [first = '', last = first] = written.split('-');
  const [from, to] = [WEEK.indexOf(first), WEEK.indexOf(last)];
  return WEEKDAYS.filter((day) => from <= WEEK.indexOf(day) && WEEK.indexOf(day) <= to);
}

/** Ranges of days run from Monday to Sunday. */
export const WEEK: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A value that was read; every text that passed its schema and the rules can be. */
export function known<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Bug(`a value passed every rule and cannot be read: ${text}`);
  return value;
}
