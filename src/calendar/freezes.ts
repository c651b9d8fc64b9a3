import type { Instant } from '../lib/time.ts';
import type { Edge, FreezeSpec, MonthDay, OpenSpan, Wall } from '../model/documents/window.ts';
import { clip, union, type Instants } from './intervals.ts';
import { openZone, type Zone } from './zones.ts';

/**
 * The spans of a freeze in one zone, clipped to an interval. Freezes are wide: if the clock repeats
 * an hour, a freeze runs from the first `from` to the second `to`; a skipped reading means the
 * instant of the clock change.
 */
export function freezeSpans(freeze: FreezeSpec, zone: Zone, interval: OpenSpan): Instants {
  return clip(union(freezeOccurrences(freeze, zone, interval)), interval);
}

/** Whether the freeze depends on the zone of each site. It does not if its edges are instants. */
export function needsZone({ timeZone, term }: FreezeSpec): boolean {
  return timeZone === 'site' && (term.is === 'annual' || 'wall' in term.from || 'wall' in term.to);
}

/**
 * The whole occurrences of a freeze that reach into an interval, in order, without those of zero
 * length. For findings about lengths and distances.
 */
export function freezeOccurrences(
  freeze: FreezeSpec,
  zone: Zone,
  interval: OpenSpan,
): readonly OpenSpan[] {
  return listTerms(freeze, interval)
    .map(({ from, to }) => ({
      open: edgeInstants(from, zone).at(0) ?? Infinity,
      close: edgeInstants(to, zone).at(-1) ?? -Infinity,
    }))
    .filter(({ open, close }) => open < close)
    .filter(({ open, close }) => open < interval.close && close > interval.open);
}

/** The occurrences that are longer than the freeze's own `maxLength`. */
export function tooLong(freeze: FreezeSpec, zone: string, interval: OpenSpan): readonly OpenSpan[] {
  const own = freeze.timeZone === 'site' ? zone : freeze.timeZone;
  return freezeOccurrences(freeze, openZone(own, interval), interval).filter(
    ({ open, close }) => close - open > freeze.maxLength,
  );
}

interface Term {
  readonly from: Edge;
  readonly to: Edge;
}

/**
 * The occurrences in wall-clock terms: one, or one per year. An annual freeze that ends before it
 * starts ends a year later.
 */
function listTerms({ term }: FreezeSpec, interval: OpenSpan): readonly Term[] {
  if (term.is === 'once') return [term];
  const yearsLater = wallMidnight(0, term.to) <= wallMidnight(0, term.from) ? 1 : 0;
  const terms: Term[] = [];
  for (let year = utcYear(interval.open) - 2; year <= utcYear(interval.close) + 1; year++)
    terms.push({
      from: { wall: wallMidnight(year, term.from) },
      to: { wall: wallMidnight(year + yearsLater, term.to) },
    });
  return terms;
}

function utcYear(at: Instant): number {
  return new Date(at).getUTCFullYear();
}

/** Midnight of that day. 29 February means the day after the 28th, which may be 1 March. */
function wallMidnight(year: number, { month, day }: MonthDay): Wall {
  return Date.UTC(year, month - 1, day);
}

function edgeInstants(edge: Edge, zone: Zone): readonly Instant[] {
  return 'instant' in edge ? [edge.instant] : zone.occurrences(edge.wall);
}
