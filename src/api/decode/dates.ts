import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Instant } from '../../lib/time.ts';

/** Whether a number is a date: seconds or milliseconds since 1970, or with `iso` no date. */
export type DateForm = Dialect['dateForm'];

/** A value that is present but was not understood, so it is neither known nor absent. */
export const UNREADABLE = Symbol('unreadable');
export type Unreadable = typeof UNREADABLE;

/**
 * Reads a point in time in any ISO 8601 form that names one: basic or extended, calendar, week or
 * ordinal dates, with or without seconds and fractions, any offset. A day alone starts in UTC.
 * Numbers and digit strings are dates only where the dialect says so. Returns undefined for
 * absent, null or empty values, and `UNREADABLE` for anything else: a time without an offset, a
 * month or year alone, a number of the wrong size, or a placeholder date such as the year 1 or
 * 1970.
 */
export function decodeInstant(value: unknown, form: DateForm): Instant | Unreadable | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const instant = instantIn(value, form);
  return instant === undefined || instant < EARLIEST ? UNREADABLE : instant;
}

/** Dates before this are placeholders: no device or credential of a fleet is older. */
const EARLIEST: Instant = Date.UTC(1990, 0, 1);

function instantIn(value: unknown, form: DateForm): Instant | undefined {
  if (typeof value === 'number') return form === 'iso' ? undefined : counted(value);
  if (typeof value !== 'string') return undefined;
  // Eight digits are an ISO 8601 day. As seconds or milliseconds they would mean a date in 1970.
  if (form !== 'iso' && /^(?!\d{8}$)\d+(\.\d+)?$/.test(value)) return counted(Number(value));
  const usual = USUAL.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(usual) ? anyInstant(value) : usual;
}

/**
 * Seconds and milliseconds differ by three powers of ten, so the size of a number shows its unit,
 * and a service may use both.
 */
const MOST_SECONDS = 1e11;

function counted(value: number): Instant | undefined {
  if (!Number.isFinite(value)) return undefined;
  const instant = Math.floor(value < MOST_SECONDS ? value * 1_000 : value);
  return instant <= LATEST ? instant : undefined;
}

/** The end of the year 9999, the last that our date format can express. */
const LATEST: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const DAY_MS = 86_400_000;
const CALENDAR = /^(?:\+00)?(\d{4})(-?)(\d{2})\2(\d{2})$/;
const WEEK = /^(?:\+00)?(\d{4})(-?)W(\d{2})\2(\d)$/;
const ORDINAL = /^(?:\+00)?(\d{4})-?(\d{3})$/;
const TIME = /^(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d+))?$/;
const OFFSET = /^(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/;
const PARTS = /^([^T ]+)(?:[T ]([\d:.,]+)(.*))?$/;

/** The form of nearly every date, on a day that its month has each year: the engine takes 30 February for 2 March. */
const USUAL =
  /^\d{4}-(?:\d\d-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

function anyInstant(text: string): Instant | undefined {
  const [, date = '', time, offset = ''] =
    PARTS.exec(text.toUpperCase().replaceAll('\u2212', '-')) ?? [];
  const day = calendarDay(date) ?? weekDay(date) ?? ordinalDay(date);
  if (day === undefined || time === undefined) return day;
  const [sinceMidnight, behind] = [timeIn(time), offsetIn(offset)];
  if (sinceMidnight === undefined || behind === undefined) return undefined;
  const instant = day + sinceMidnight - behind;
  return instant <= LATEST ? instant : undefined;
}

function calendarDay(date: string): Instant | undefined {
  const [, year, , month, day] = CALENDAR.exec(date) ?? [];
  if (year === undefined) return undefined;
  const instant = dayStart(Number(year), Number(month) - 1, Number(day));
  const read = new Date(instant);
  const isReal = read.getUTCMonth() === Number(month) - 1 && read.getUTCDate() === Number(day);
  return isReal ? instant : undefined;
}

/** Week 1 contains 4 January; weeks start on Monday. */
function weekDay(date: string): Instant | undefined {
  const [, year, , week, day] = WEEK.exec(date) ?? [];
  if (year === undefined || Number(day) < 1 || Number(day) > 7) return undefined;
  const monday = firstMonday(Number(year)) + (Number(week) - 1) * 7 * DAY_MS;
  const isReal = Number(week) >= 1 && monday < firstMonday(Number(year) + 1);
  return isReal ? monday + (Number(day) - 1) * DAY_MS : undefined;
}

function firstMonday(year: number): Instant {
  const fourth = dayStart(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function ordinalDay(date: string): Instant | undefined {
  const [, year, day] = ORDINAL.exec(date) ?? [];
  if (year === undefined) return undefined;
  const instant = dayStart(Number(year), 0, Number(day));
  return Number(day) >= 1 && new Date(instant).getUTCFullYear() === Number(year)
    ? instant
    : undefined;
}

/** `setUTCFullYear` is used because `Date.UTC` moves years below 100 to the 20th century. */
function dayStart(year: number, month: number, day: number): Instant {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** Milliseconds since midnight. A fraction applies to the smallest unit given. */
function timeIn(time: string): number | undefined {
  const [, hours, minutes, seconds, fraction = '0'] = TIME.exec(time) ?? [];
  if (hours === undefined) return undefined;
  const unit = seconds !== undefined ? 1_000 : minutes !== undefined ? 60_000 : 3_600_000;
  const whole = Number(hours) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  const since = whole * 1_000 + Math.floor(Number(`0.${fraction}`) * unit);
  // A leap second counts as the start of the next minute, and 24:00 as the start of the next day.
  const isReal = Number(minutes ?? 0) <= 59 && Number(seconds ?? 0) <= 60 && since <= DAY_MS;
  return isReal ? since : undefined;
}

/** Returns undefined if there is no offset, because the zone is then unknown. */
function offsetIn(offset: string): number | undefined {
  const [all, sign, hours = '0', minutes = '0'] = OFFSET.exec(offset) ?? [];
  if (all === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -size : size;
}
