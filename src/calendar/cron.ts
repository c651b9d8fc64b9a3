import { Cron as Walker, CronPattern } from 'croner';
import type { Milliseconds } from '../lib/time.ts';
import type { ClockTime, Wall } from '../model/documents/window.ts';

/**
 * A cron expression in wall-clock terms: times of day on matching days. It knows no zone;
 * `spans.ts` decides about readings that a clock change skips or repeats.
 */
export interface Cron {
  readonly times: readonly ClockTime[];
  /** The midnights of the matching days in `[from, to)`. */
  days(from: Wall, to: Wall): readonly Wall[];
  /** Whether any day matches; false for 30 February. */
  readonly everMatches: boolean;
}

/**
 * `fields`: not five fields. `bothDays`: day of month and day of week are both restricted. `value`:
 * a field has no meaning.
 */
export type UnreadableCron = { readonly problem: 'fields' | 'bothDays' | 'value' };

/**
 * Reads a cron expression (semantics W25): five fields, names in any case, Sunday 0 or 7, `SAT#3`,
 * `SATL`. Here croner only refuses a bad field; the loader explains what is wrong with it.
 */
export function parseCron(text: string): Cron | UnreadableCron {
  const fields = text.trim().split(/\s+/);
  const [, , dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5) return { problem: 'fields' };
  if (EXTENSIONS.test(text)) return { problem: 'value' };
  if (dayOfMonth !== '*' && dayOfWeek !== '*') return { problem: 'bothDays' };
  try {
    const { hour, minute } = new CronPattern(fields.join(' '), undefined, { mode: '5-part' });
    const midnights = `0 0 ${dayOfMonth} ${month} ${dayOfWeek}`;
    const walker = new Walker(midnights, { mode: '5-part', timezone: 'UTC', paused: true });
    return {
      times: ticked(hour).flatMap((h) => ticked(minute).map((m) => h * 60 + m)),
      days: remembered((from, to) => walkDays(walker, from, to)),
      everMatches: walker.nextRun(new Date(EPOCH)) !== null,
    };
  } catch {
    return { problem: 'value' };
  }
}

/** Parses the expression of a documents rule, once per rule object. */
export function cachedCron(rule: { readonly cron: string }): Cron | UnreadableCron {
  const cron = READ.get(rule) ?? parseCron(rule.cron);
  READ.set(rule, cron);
  return cron;
}

const READ = new WeakMap<object, Cron | UnreadableCron>();

/**
 * Extensions of croner that the documents do not allow: `?`, `+`, `@` words, and the nearest
 * weekday, `15W`.
 */
const EXTENSIONS = /[?+@]|[\dL]W/i;

/** A fixed day to search from, so that the result does not depend on the current time. */
const EPOCH: Wall = Date.UTC(2000, 0, 1);

/** The indexes at which a field has a 1. */
function ticked(field: readonly number[]): readonly number[] {
  return field.flatMap((value, index) => (value === 1 ? [index] : []));
}

/** Walks the days in UTC, which has no clock changes and so matches the wall clock. */
function walkDays(walker: Walker, from: Wall, to: Wall): readonly Wall[] {
  const days: Wall[] = [];
  let day = walker.nextRun(new Date(from - 1_000));
  while (day && day.getTime() < to) {
    days.push(day.getTime());
    day = walker.nextRun(day);
  }
  return days;
}

/**
 * How much further than requested the walker goes, so that a slightly later request is served from
 * the cache.
 */
const AHEAD: Milliseconds = 60 * 86_400_000;

/** Caches the days: every batch of a run requests nearly the same year. */
function remembered(walked: Cron['days']): Cron['days'] {
  let known: { readonly from: Wall; readonly to: Wall; readonly days: readonly Wall[] } | undefined;
  return (from, to) => {
    if (!known || from < known.from || to > known.to)
      known = { from, to: to + AHEAD, days: walked(from, to + AHEAD) };
    return known.days.filter((day) => day >= from && day < to);
  };
}
