import { Cron as Walker, CronPattern } from 'croner';
import type { Milliseconds } from '../lib/time.ts';
import type { ClockTime, Wall } from '../model/documents/window.ts';

/**
 * A cron expression as a wall clock sees it: times of the day, on days. It knows no zone; what
 * becomes of a reading that a clock skips or repeats is for the spans to say.
 */
export interface Cron {
  readonly times: readonly ClockTime[];
  /** The midnights of the matching days that are in `[from, to)`. */
  days(from: Wall, to: Wall): readonly Wall[];
  /** Whether there is any such day at all; the 30th of February never comes. */
  readonly everMatches: boolean;
}

/**
 * `fields`: not five. `bothDays`: day of month and day of week restricted. `value`: a field that
 * means nothing.
 */
export type UnreadableCron = { readonly problem: 'fields' | 'bothDays' | 'value' };

/**
 * Reads a cron expression (semantics W25): five fields, names in any case, Sunday 0 or 7, `SAT#3`,
 * `SATL`. What is wrong with a field the loader says more precisely; here croner refuses it.
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
      days: remembered((from, to) => daysOf(walker, from, to)),
      everMatches: walker.nextRun(new Date(EPOCH)) !== null,
    };
  } catch {
    return { problem: 'value' };
  }
}

/** The expression of a rule of the documents, read once for as long as somebody has these. */
export function cronOf(rule: { readonly cron: string }): Cron | UnreadableCron {
  const cron = READ.get(rule) ?? parseCron(rule.cron);
  READ.set(rule, cron);
  return cron;
}

const READ = new WeakMap<object, Cron | UnreadableCron>();

/**
 * What croner reads beyond the language of the documents: `?`, `+`, `@` words, and the nearest
 * weekday, `15W`.
 */
const EXTENSIONS = /[?+@]|[\dL]W/i;

/** A fixed day to look on from, so that the answer never depends on when it is asked. */
const EPOCH: Wall = Date.UTC(2000, 0, 1);

/** Where a field has a 1. */
function ticked(field: readonly number[]): readonly number[] {
  return field.flatMap((value, index) => (value === 1 ? [index] : []));
}

/**
 * The walker goes through a calendar without changes of the clock: that of UTC is the wall's own.
 */
function daysOf(walker: Walker, from: Wall, to: Wall): readonly Wall[] {
  const days: Wall[] = [];
  let day = walker.nextRun(new Date(from - 1_000));
  while (day && day.getTime() < to) {
    days.push(day.getTime());
    day = walker.nextRun(day);
  }
  return days;
}

/** How much further than asked the walker goes, so that who asks again later need not wait for it. */
const AHEAD: Milliseconds = 60 * 86_400_000;

/** Days that were walked through once: each look of a run asks for nearly the same year. */
function remembered(walked: Cron['days']): Cron['days'] {
  let known: { readonly from: Wall; readonly to: Wall; readonly days: readonly Wall[] } | undefined;
  return (from, to) => {
    if (!known || from < known.from || to > known.to)
      known = { from, to: to + AHEAD, days: walked(from, to + AHEAD) };
    return known.days.filter((day) => day >= from && day < to);
  };
}
