import type { Milliseconds } from '../../lib/time.ts';

/** V: how long after an effect reads may still show the fleet as it was (protocol A3). */
export const READ_DELAY_MS: Milliseconds = 10 * 60_000;
