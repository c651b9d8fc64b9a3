import type { Time } from '../world/state.ts';

/** Takes one request of an endpoint family. Returns the milliseconds to wait instead, or 0. */
export type Limiter = (family: string, now: Time) => number;

/**
 * Limits requests per second and family, with a burst of one second. Without a rate there is no
 * limit.
 */
export function createLimiter(requestsPerSecond: number | undefined): Limiter {
  if (requestsPerSecond === undefined) return () => 0;
  const capacity = Math.max(1, requestsPerSecond);
  const buckets = new Map<string, { level: number; at: Time }>();
  return (family, now) => {
    const bucket = buckets.get(family) ?? { level: capacity, at: now };
    const refill = (Math.max(0, now - bucket.at) / 1000) * requestsPerSecond;
    const level = Math.min(capacity, bucket.level + refill);
    const isFree = level >= 1;
    buckets.set(family, { level: isFree ? level - 1 : level, at: now });
    return isFree ? 0 : Math.ceil(((1 - level) / requestsPerSecond) * 1000);
  };
}

/** The part of a path that shares a limit: `devices`, `sites`, `tasks`, `auth` and so on. */
export function limitFamily(path: string): string {
  return path.split('/')[2] ?? '';
}
