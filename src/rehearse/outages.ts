import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';

/** The devices that tasks keep down at once, per site, over equal steps of time. */
interface OutageCounts {
  note(site: string, isDown: boolean, at: Instant): void;
  /** The most devices down at once in each step, by site, for sites where any was. */
  counts(): ReadonlyMap<string, readonly number[]>;
}

/** The steps of a span: hours, or several where that would be more than a year of hours can show. */
const MOST_STEPS = 336;

/** How long a step of this span is: whole hours. */
export function stepLength(from: Instant, until: Instant): Milliseconds {
  const hour = 3_600_000;
  return Math.max(1, Math.ceil((until - from) / hour / MOST_STEPS)) * hour;
}

/** Counts outages between two instants. Events come in the order of their time. */
export function countOutages(from: Instant, until: Instant): OutageCounts {
  const length = stepLength(from, until);
  const steps = Math.max(1, Math.ceil((until - from) / length));
  const sites = new Map<string, { down: number; last: number; readonly most: number[] }>();
  const findStep = (at: Instant): number =>
    Math.min(steps - 1, Math.max(0, Math.floor((at - from) / length)));
  return {
    note(site, isDown, at) {
      const known = getOrAdd(sites, site, () => ({
        down: 0,
        last: 0,
        most: Array.from({ length: steps }, () => 0),
      }));
      const step = findStep(at);
      for (let each = known.last + 1; each <= step; each += 1) known.most[each] = known.down;
      known.down = Math.max(0, known.down + (isDown ? 1 : -1));
      known.last = step;
      known.most[step] = Math.max(known.most[step] ?? 0, known.down);
    },
    counts: () =>
      new Map(
        [...sites]
          .toSorted(([a], [b]) => compareTexts(a, b))
          .map(([site, { most, down, last }]) => [
            site,
            most.map((count, step) => (step > last ? down : count)),
          ]),
      ),
  };
}
