import type { Milliseconds } from '../../lib/time.ts';

/** How long a rehearsal lasts without a flag. */
export const USUAL_SPAN: Milliseconds = 14 * 86_400_000;

/** Fewer courses of a large fleet, so that a rehearsal takes about a minute. */
export function usualCourses(devices: number): number {
  if (devices > 5_000) return 1;
  return devices > 2_000 ? 3 : 5;
}
