import type { HttpAnswer } from '../model/ports.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const HTTP_DATE = new RegExp(`^\\w{3}, \\d{2} ${MONTH} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`);

/**
 * The delay that the service requests, clamped to between one second and 15 minutes. Reads seconds,
 * or an HTTP date relative to the service's own `Date`; undefined without a readable header.
 */
export function retryAfter(answer: HttpAnswer, now: Instant): Milliseconds | undefined {
  const header = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(header)) return clamp(Number(header) * 1_000);
  const until = parseDate(header);
  return until === undefined ? undefined : clamp(until - (serviceDate(answer) ?? now));
}

/** The service's time of an answer, if it sent one. */
export function serviceDate({ headers }: HttpAnswer): Instant | undefined {
  return parseDate(headers['date'] ?? '');
}

function parseDate(text: string): Instant | undefined {
  const instant = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

function clamp(ms: Milliseconds): Milliseconds {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms));
}
