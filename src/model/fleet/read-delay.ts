import type { Milliseconds } from '../../lib/time.ts';

/** V: the time after an effect in which reads may still return the old state (protocol A3). */
export const READ_DELAY_MS: Milliseconds = 10 * 60_000;
