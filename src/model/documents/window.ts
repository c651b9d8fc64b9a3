import type { MeantFreeze } from './meant.gen.ts';
import type { Selector } from './selector.ts';
import { TASK_TYPES, type TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** The days of the week, in the order in which JavaScript numbers them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The reading of a wall clock: milliseconds since 1970-01-01T00:00 of that same clock. */
export type Wall = number;

/** A time of the day: minutes since midnight, 0 to 1439. */
export type ClockTime = number;

/** A day of every year; `month` and `day` count from 1. */
export interface MonthDay {
  readonly month: number;
  readonly day: number;
}

/** An interval `[open, close)`: the first instant belongs to it, the last does not. */
export interface OpenSpan {
  readonly open: Instant;
  readonly close: Instant;
}

/**
 * One span of a window. `days`: from one clock time to another, which is on the next day if `to` is
 * before `from`; the span belongs to its first day. `cron`: starts by the wall clock and lasts an
 * elapsed time. `always`: only in the built-in window; documents cannot contain it.
 */
export type Span =
  | {
      readonly is: 'days';
      readonly days: readonly Weekday[];
      readonly from: ClockTime;
      readonly to: ClockTime;
    }
  | { readonly is: 'cron'; readonly cron: string; readonly duration: Milliseconds }
  | { readonly is: 'always' };

/** The zone of each device's site, or an IANA name. */
export type ZoneSpec = string;

/** A maintenance window: when an action may start. */
export interface WindowSpec {
  /** `site` or an IANA name. */
  readonly timeZone: ZoneSpec;
  readonly allow: readonly Span[];
  readonly deny: readonly Span[];
  /** The last start is this long before the close; `auto` uses the usual duration of such tasks. */
  readonly cutoff: 'auto' | Milliseconds;
  readonly tasks: readonly TaskType[];
}

/** An end of a freeze: an instant, or a wall-clock time in the freeze's zone. */
export type Edge = { readonly instant: Instant } | { readonly wall: Wall };

/**
 * When a freeze is in force: once, or every year from the start of one day to the start of another.
 */
export type FreezeTerm =
  | { readonly is: 'once'; readonly from: Edge; readonly to: Edge }
  | { readonly is: 'annual'; readonly from: MonthDay; readonly to: MonthDay };

/**
 * A period in which no action may start. The selector, not the clock, decides which devices it
 * blocks.
 */
export interface FreezeSpec extends Omit<
  MeantFreeze,
  'from' | 'to' | 'annual' | 'task' | 'select'
> {
  readonly term: FreezeTerm;
  readonly tasks: readonly TaskType[];
}

/** A freeze of the documents; without a selector it blocks every device. */
export interface Freeze extends FreezeSpec {
  readonly select?: Selector;
}

/** The built-in window: always open, no deny, no cutoff (semantics W29). */
export const ANYTIME = 'anytime';
export const ANYTIME_WINDOW: WindowSpec = {
  timeZone: 'UTC',
  allow: [{ is: 'always' }],
  deny: [],
  cutoff: 0,
  tasks: TASK_TYPES,
};

/** Reads a clock time as documents write it, `00:00` to `23:59`; `24:00`, the end of a day, begins the next one. */
export function parseClock(text: string): ClockTime | undefined {
  if (text === '24:00') return 0;
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

/**
 * Reads a date and time without an offset, `2026-11-23T00:00:00`; undefined for a day that does not
 * exist.
 */
export function parseWall(text: string): Wall | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const wall = Date.parse(`${text}Z`);
  return Number.isNaN(wall) || formatWall(wall) !== text ? undefined : wall;
}

/** Writes a wall-clock time, to the second: `2026-11-23T00:00:00`. */
export function formatWall(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 19);
}

/** Reads a day of every year, `12-18`; undefined for a day that no year has. `02-29` is valid. */
export function parseMonthDay(text: string): MonthDay | undefined {
  if (!/^\d{2}-\d{2}$/.test(text) || parseWall(`2024-${text}T00:00:00`) === undefined)
    return undefined;
  return { month: Number(text.slice(0, 2)), day: Number(text.slice(3)) };
}
