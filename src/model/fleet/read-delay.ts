import type { Milliseconds } from '../../lib/time.ts';

/** V: the time after an effect in which reads may still return the old state (protocol A3). */
export const READ_DELAY_MS: Milliseconds = 10 * 60_000;

/**
 * Q: the latest POST, the latest send of a paused process, and the oldest read, one after the
 * other: D_post, D_gap and V (protocol A2, A4, A3).
 */
export const QUARANTINE_MS: Milliseconds = 15 * 60_000 + 5 * 60_000 + READ_DELAY_MS;
