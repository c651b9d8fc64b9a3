import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { Sourced } from '../model/documents/source.ts';
import {
  formatDuration,
  formatInstant,
  type Instant,
  type Milliseconds,
  readableDuration,
} from '../lib/time.ts';
import type { Freeze, OpenSpan } from '../model/documents/window.ts';
import { HORIZON } from '../calendar/calendar.ts';
import { freezeOccurrences, tooLong } from '../calendar/freezes.ts';
import { openZone } from '../calendar/zones.ts';

export function spanParams({ open, close }: OpenSpan): Params {
  return { from: formatInstant(open), to: formatInstant(close) };
}

export function spanLength({ open, close }: OpenSpan): Milliseconds {
  return close - open;
}

/** The least time between annual freezes (semantics L-freezeGap). */
const LEAST_FREEZE_GAP: Milliseconds = 60 * 86_400_000;

/** Reports a freeze that exceeds its own `maxLength`. */
export function longFreeze(freeze: Sourced<Freeze>, now: Instant): readonly Diagnostic[] {
  const found = tooLong(freeze.value, 'UTC', yearsFrom(now))[0];
  if (!found) return [];
  const params = {
    freeze: freeze.name,
    length: readableDuration(spanLength(found)),
    maxLength: formatDuration(freeze.value.maxLength),
    ...spanParams(found),
  };
  return [{ code: 'freezeTooLong', severity: 'warning', at: freeze.at, params }];
}

/** Pairs of annual freezes that may apply to one device and one task. */
export function narrowGaps(all: readonly Sourced<Freeze>[], now: Instant): readonly Diagnostic[] {
  const annual = all.filter(({ value }) => value.term.is === 'annual');
  return annual.flatMap((freeze, index) =>
    annual.slice(0, index).flatMap((other): readonly Diagnostic[] => {
      const gap = mayMeet(freeze.value, other.value)
        ? shortestGap([freeze, other], now)
        : undefined;
      if (gap === undefined || gap >= LEAST_FREEZE_GAP) return [];
      const lengths = { length: readableDuration(gap), least: formatDuration(LEAST_FREEZE_GAP) };
      const params = { freeze: freeze.name, other: other.name, ...lengths };
      const related = [other.at];
      return [{ code: 'freezeGap', severity: 'warning', at: freeze.at, params, related }];
    }),
  );
}

function mayMeet(a: Freeze, b: Freeze): boolean {
  if (!a.tasks.some((task) => b.tasks.includes(task))) return false;
  return !a.select || !b.select || JSON.stringify(a.select) === JSON.stringify(b.select);
}

/** The shortest positive time between the two freezes; freezes that touch count as one. */
function shortestGap(pair: readonly Sourced<Freeze>[], now: Instant): Milliseconds | undefined {
  const interval = yearsFrom(now);
  const spans = pair
    .flatMap(({ value }) => freezeOccurrences(value, openZone('UTC', interval), interval))
    .toSorted((a, b) => a.open - b.open);
  const gaps = spans.slice(1).map(({ open }, index) => open - (spans[index]?.close ?? open));
  const least = Math.min(...gaps.filter((gap) => gap > 0));
  return least === Infinity ? undefined : least;
}

function yearsFrom(now: Instant): OpenSpan {
  return { open: now, close: now + 2 * HORIZON };
}
