import type { Selector } from './selector.ts';
import { TASK_TYPES, type TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** The days of the week, in the order in which JavaScript numbers them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What the clock on a wall reads: milliseconds since 1970-01-01T00:00 of that same clock. */
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
 * One span of a window. `days`: from one clock time to another, the next day's where `to` comes
 * before `from`; it belongs to the day it starts on. `cron`: starts by the wall clock and lasts an
 * elapsed time. `always` cannot be written; it is what the built-in window is made of.
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
  /** The last start is this long before the close; `auto` goes by how long such tasks take. */
  readonly cutoff: 'auto' | Milliseconds;
  readonly tasks: readonly TaskType[];
}

/** An end of a freeze: a point in time, or what the clock in the freeze's zone reads. */
export type Edge = { readonly instant: Instant } | { readonly wall: Wall };

/** When a freeze holds: once, or every year from the start of one day to the start of another. */
export type FreezeTerm =
  | { readonly is: 'once'; readonly from: Edge; readonly to: Edge }
  | { readonly is: 'annual'; readonly from: MonthDay; readonly to: MonthDay };

/**
 * When no action may start. Which devices it concerns is the selector's matter, not the clock's.
 */
export interface FreezeSpec {
  /** `site` or an IANA name; says nothing about an edge that is an instant. */
  readonly timeZone: ZoneSpec;
  readonly term: FreezeTerm;
  /** Also stops what break glass and an expiring certificate would pass. */
  readonly hard: boolean;
  readonly tasks: readonly TaskType[];
  /** Longer than this deserves a warning. */
  readonly maxLength: Milliseconds;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
}

/** A freeze as documents have it: when, and for which devices; without a selector for every one. */
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

/** Reads a clock time as documents write it, `00:00` to `23:59`. */
export function parseClock(text: string): ClockTime | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

/**
 * Reads a date and time without an offset, `2026-11-23T00:00:00`; a day that no calendar has is
 * undefined.
 */
export function parseWall(text: string): Wall | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const wall = Date.parse(`${text}Z`);
  return Number.isNaN(wall) || formatWall(wall) !== text ? undefined : wall;
}

/** Writes what a wall clock reads, to the second: `2026-11-23T00:00:00`. */
export function formatWall(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 19);
}

/** Reads a day of every year, `12-18`; one that no year has is undefined, `02-29` is a day. */
export function parseMonthDay(text: string): MonthDay | undefined {
  if (!/^\d{2}-\d{2}$/.test(text) || parseWall(`2024-${text}T00:00:00`) === undefined)
    return undefined;
  return { month: Number(text.slice(0, 2)), day: Number(text.slice(3)) };
}
