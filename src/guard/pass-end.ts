import { COUNTED_WITHIN } from '../model/plan/counting.ts';
import type { Instant } from '../lib/time.ts';
import { countable, type CountInput } from './counted.ts';

/**
 * Until when guardrails that pass now pass for any part of the same changes, as long as no rollout is
 * recorded: fewer changes exceed no limit that all of them keep, so only an exception that ends, or a
 * device that begins to count as one of today, can make them refuse. Infinity where neither comes.
 */
export function passEnd(input: CountInput): Instant {
  const { documents, now } = input;
  let end = Infinity;
  for (const { value } of documents.exceptions.values())
    if (value.until > now) end = Math.min(end, value.until);
  for (const { from } of countable(input, (one) => one.from - COUNTED_WITHIN >= now))
    end = Math.min(end, from - COUNTED_WITHIN);
  return end;
}
