import type { OpenSpan } from '../model/documents/window.ts';
import type { Instant } from '../lib/time.ts';

/** A set of instants: ordered spans that neither overlap nor touch. */
export type Instants = readonly OpenSpan[];

export const NEVER: Instants = [];

/** The union of spans in any order; spans that touch become one. */
export function union(spans: Iterable<OpenSpan>): Instants {
  const sorted = [...spans]
    .filter(({ open, close }) => open < close)
    .sort((a, b) => a.open - b.open);
  const joined: { open: Instant; close: Instant }[] = [];
  for (const { open, close } of sorted) {
    const last = joined.at(-1);
    if (last && open <= last.close) last.close = Math.max(last.close, close);
    else joined.push({ open, close });
  }
  return joined;
}

/** The union of sets. A single set is returned as it is. */
export function unite(sets: readonly Instants[]): Instants {
  const filled = sets.filter((set) => set.length > 0);
  return filled.length > 1 ? union(filled.flat()) : (filled[0] ?? NEVER);
}

/** The instants of the first set that are not in the second. */
export function minus(from: Instants, taken: Instants): Instants {
  if (taken.length === 0) return from;
  const left: OpenSpan[] = [];
  let at = 0;
  for (const span of from) {
    let { open } = span;
    while ((taken[at]?.close ?? Infinity) <= open) at++;
    for (let next = at; (taken[next]?.open ?? Infinity) < span.close; next++) {
      const hole = taken[next];
      if (!hole) break;
      if (open < hole.open) left.push({ open, close: hole.open });
      open = hole.close;
    }
    if (open < span.close) left.push({ open, close: span.close });
  }
  return left;
}

/** The instants that are in every set; empty without any set. */
export function intersection([first = NEVER, ...others]: readonly Instants[]): Instants {
  return others.reduce((both, other) => minus(both, minus(both, other)), first);
}

/** The part of a set that lies in one span. */
export function clip(spans: Instants, within: OpenSpan): Instants {
  const isWhole = ({ open, close }: OpenSpan): boolean =>
    open >= within.open && close <= within.close;
  return spans
    .filter(({ open, close }) => open < within.close && close > within.open)
    .map((span) => (isWhole(span) ? span : cut(span, within)))
    .filter(({ open, close }) => open < close);
}

function cut(span: OpenSpan, within: OpenSpan): OpenSpan {
  return {
    open: Math.max(span.open, within.open),
    close: Math.min(span.close, within.close),
  };
}

export function isIn({ open, close }: OpenSpan, at: Instant): boolean {
  return open <= at && at < close;
}

/** The index of the span that contains an instant, else of the next one. */
export function indexFrom(spans: Instants, at: Instant): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.close ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function spanAt<S extends OpenSpan>(spans: readonly S[], at: Instant): S | undefined {
  const span = spans[indexFrom(spans, at)];
  return span && span.open <= at ? span : undefined;
}
