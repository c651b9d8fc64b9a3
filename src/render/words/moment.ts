import type { Params } from '../../model/error.ts';
import { parseInstant, SMALLEST_INSTANT, type Instant, type Milliseconds } from '../../lib/time.ts';

const MINUTE: Milliseconds = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An instant as text, always in UTC: `2026-11-20 01:12 UTC`. */
export function moment(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** An RFC 3339 text in the format of `moment`; any other text unchanged. */
export function momentText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : moment(instant);
}

/** The day of an instant in UTC: `2026-11-20`. */
export function utcDay(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** A duration in its most suitable unit: `19 days`, `3 hours`, `40 minutes`. */
export function span(ms: Milliseconds): string {
  const units = [
    [DAY, 'day'],
    [HOUR, 'hour'],
    [MINUTE, 'minute'],
    [1_000, 'second'],
  ] as const;
  for (const [size, unit] of units) {
    const count = Math.floor(ms / size);
    if (count >= 2 || (count === 1 && unit !== 'day'))
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'a moment';
}

/** Parameters with every instant, as number or RFC 3339, in the format of `moment`. */
export function withReadableInstants(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value === 'number' && value >= SMALLEST_INSTANT) return [name, moment(value)];
      return [name, typeof value === 'string' ? momentText(value) : value];
    }),
  );
}

/** From when a change is possible; of several, from when the first and the last are, if they differ by a minute. */
export function possibleText(next: Instant, last: Instant | undefined): string {
  const [first, end] = [moment(next), last === undefined ? '' : moment(last)];
  const isOne = end === '' || end === first;
  return `possible from ${first}${isOne ? '' : `, the last from ${end}`}`;
}

/** Since when a reason has applied, and for how long that is. */
export function sinceText(since: Instant, now: Instant | undefined): string {
  const long = now === undefined || now <= since ? '' : ` (${span(now - since)})`;
  return `since ${moment(since)}${long}`;
}
