import type { Progress } from '../../model/progress.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { moment, span } from './moment.ts';
import { WAIT_WORDS } from './commands.ts';

/** From here on people plan by the clock, not by the time that is left. */
const LONG: Milliseconds = 5 * 60_000;

/** What is waited for, how long, and of a long wait also until when. */
export function waitText(
  { why, until }: Extract<Progress, { kind: 'waiting' }>,
  now: Instant,
): string {
  const left = until - now;
  const when = left < LONG ? '' : `, until ${moment(until)}`;
  return `${WAIT_WORDS[why]} (${span(left)}${when})`;
}
