import { computeOnce } from './compute-once.ts';

/** A point in time: milliseconds since the epoch, UTC. */
export type Instant = number;

/** An elapsed time in milliseconds. A day is always 24 hours, whatever the wall clock does. */
export type Milliseconds = number;

export const MINUTE: Milliseconds = 60_000;
export const HOUR: Milliseconds = 60 * MINUTE;
export const DAY: Milliseconds = 24 * HOUR;

const UNIT_MS: Readonly<Record<string, Milliseconds>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads a duration: one whole number and one of s, m, h, d, w. Returns undefined for anything else.
 */
export function parseDuration(text: string): Milliseconds | undefined {
  const match = /^(\d{1,9})([smhdw])$/.exec(text);
  const unit = UNIT_MS[match?.[2] ?? ''];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

/** Writes a duration in its largest whole unit: `90000` is `90s`, `86400000` is `1d`. */
export function formatDuration(ms: Milliseconds): string {
  for (const unit of ['w', 'd', 'h', 'm'] as const) {
    const size = UNIT_MS[unit] ?? 1;
    if (ms >= size && ms % size === 0 && !(unit === 'w' && ms < 4 * size))
      return `${ms / size}${unit}`;
  }
  return `${Math.round(ms / 1_000)}s`;
}

/**
 * Writes a duration that was computed or measured, for people: in its largest whole unit where that is a number of
 * up to three digits, else in its two largest units, without the rest: 2,592,030 seconds are `30d`, 288,060 are `3d 8h`.
 */
export function readableDuration(ms: Milliseconds): string {
  const exact = formatDuration(ms);
  if (/^\d{1,3}\D/.test(exact)) return exact;
  const units = ['d', 'h', 'm', 's'] as const;
  const first = units.findIndex((unit) => ms >= (UNIT_MS[unit] ?? 1));
  let rest = ms;
  const parts = units.slice(first, first + 2).map((unit) => {
    const size = UNIT_MS[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.filter(Boolean).join(' ');
}

/**
 * Reads an RFC 3339 instant with an offset. Returns undefined for anything else, such as a local
 * time.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Reads an RFC 3339 instant, or a date as its start in UTC; undefined for a day that does not exist. */
export function parseDateOrInstant(text: string): Instant | undefined {
  const [day = '', time] = text.split('T', 2);
  const start = parseInstant(`${day}T00:00:00Z`);
  if (start === undefined || !formatInstant(start).startsWith(day)) return undefined;
  return time === undefined ? start : parseInstant(text);
}

/** Writes an instant in UTC, without a zero fraction: `2027-01-31T00:00:00Z`. */
export function formatInstant(instant: Instant): string {
  const seconds = instant / 1_000;
  if (!Number.isInteger(seconds)) return new Date(instant).toISOString();
  const day = Math.floor(seconds / 86_400);
  const second = seconds - day * 86_400;
  const [hour, minute] = [Math.floor(second / 3_600), Math.floor(second / 60) % 60];
  return `${dayText(day)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second % 60)}Z`;
}

export const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number));

/** The day of an instant as a text. The dates of a large fleet share few days. */
const dayText = computeOnce(
  (day: number) => new Date(day * 86_400_000).toISOString().split('T')[0] ?? '',
  16_384,
);
