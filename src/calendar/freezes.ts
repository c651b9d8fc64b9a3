import type { Instant } from '../lib/time.ts';
import type { Edge, FreezeSpec, MonthDay, OpenSpan, Wall } from '../model/documents/window.ts';
import { clip, union, type Instants } from './intervals.ts';
import { openZone, type Zone } from './zones.ts';

/**
 * When a freeze holds in one zone, cut to an interval. It is wide: where the clock repeats an hour
 * it runs from the first `from` to the second `to`; a reading that is skipped is the instant of the
 * change.
 */
export function freezeSpans(freeze: FreezeSpec, zone: Zone, interval: OpenSpan): Instants {
  return clip(union(occurrencesOf(freeze, zone, interval)), interval);
}

/** Whether the freeze means something else in each site's zone; edges that are instants do not. */
export function needsZone({ timeZone, term }: FreezeSpec): boolean {
  return timeZone === 'site' && (term.is === 'annual' || 'wall' in term.from || 'wall' in term.to);
}

/**
 * Whole occurrences of a freeze that reach into an interval, in order; those of zero length are
 * left out. For what is said about lengths and distances.
 */
export function occurrencesOf(
  freeze: FreezeSpec,
  zone: Zone,
  interval: OpenSpan,
): readonly OpenSpan[] {
  return termsOf(freeze, interval)
    .map(({ from, to }) => ({
      open: instantsOf(from, zone).at(0) ?? Infinity,
      close: instantsOf(to, zone).at(-1) ?? -Infinity,
    }))
    .filter(({ open, close }) => open < close)
    .filter(({ open, close }) => open < interval.close && close > interval.open);
}

/** Occurrences that are longer than the freeze itself calls reasonable. */
export function tooLong(freeze: FreezeSpec, zone: string, interval: OpenSpan): readonly OpenSpan[] {
  return occurrencesOf(freeze, zoneOver(freeze, zone, interval), interval).filter(
    ({ open, close }) => close - open > freeze.maxLength,
  );
}

function zoneOver({ timeZone }: FreezeSpec, zone: string, interval: OpenSpan): Zone {
  return openZone(timeZone === 'site' ? zone : timeZone, interval);
}

interface Term {
  readonly from: Edge;
  readonly to: Edge;
}

/**
 * The occurrences by the wall clock: one, or one for each year; one that ends before it starts ends
 * a year later.
 */
function termsOf({ term }: FreezeSpec, interval: OpenSpan): readonly Term[] {
  if (term.is === 'once') return [term];
  const yearsLater = wallOf(0, term.to) <= wallOf(0, term.from) ? 1 : 0;
  const terms: Term[] = [];
  for (let year = yearOf(interval.open) - 2; year <= yearOf(interval.close) + 1; year++)
    terms.push({
      from: { wall: wallOf(year, term.from) },
      to: { wall: wallOf(year + yearsLater, term.to) },
    });
  return terms;
}

function yearOf(at: Instant): number {
  return new Date(at).getUTCFullYear();
}

/**
 * Midnight of that day; the 29th of February is the day after the 28th, also where that is the 1st
 * of March.
 */
function wallOf(year: number, { month, day }: MonthDay): Wall {
  return Date.UTC(year, month - 1, day);
}

function instantsOf(edge: Edge, zone: Zone): readonly Instant[] {
  return 'instant' in edge ? [edge.instant] : zone.occurrences(edge.wall);
}
