import type { Time } from '../world/state.ts';

/**
 * Takes one request of an endpoint family; answers how long to wait instead, in milliseconds, or 0.
 */
export type Limiter = (family: string, now: Time) => number;

/** So many requests a second per family, with a burst of one second's worth. No rate: no limit. */
export function limiterOf(requestsPerSecond: number | undefined): Limiter {
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

/** What one limit covers: `devices`, `sites`, `tasks`, `auth` and so on. */
export function limitFamily(path: string): string {
  return path.split('/')[2] ?? '';
}
