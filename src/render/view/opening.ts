import type { OpenSpan } from '../../model/documents/window.ts';
import type { WindowRef } from '../../model/plan/change.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { FrozenDates, HoursSpan, Plan, PlanHours } from '../../model/plan/plan.ts';
import { compareNumbers } from '../../lib/text-order.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';

/** The opening times of a window for changes with the same zone and hours, in order. */
export interface WindowRow {
  readonly name: string;
  readonly zone?: string;
  readonly changes: number;
  /** An unknown edge is infinite. */
  readonly spans: readonly OpenSpan[];
  /** How many spans are not listed. */
  readonly more: number;
}

/** A freeze that moves dates, in one time zone. */
export type FreezeRow = FrozenDates & { readonly span: OpenSpan };

/** The freezes of a forecast, once for each zone, with the changes of all policies. */
export function freezeRows(dates: Plan['dates'] = []): readonly FreezeRow[] {
  const rows = dates.flatMap(({ frozen = [] }) => frozen);
  const alike = groupBy(rows, (row) => JSON.stringify({ ...row, changes: 0 }));
  return [...alike.values()].flatMap((all) => {
    const changes = all.reduce((sum, row) => sum + row.changes, 0);
    return all.slice(0, 1).map((row) => ({ ...row, changes, span: toTimeSpan(row) }));
  });
}

/** The windows of a plan, with instants in place of texts; the first to open comes first. */
export function windowRows(hours: PlanHours | undefined): readonly WindowRow[] {
  const rows: WindowRow[] = (hours?.windows ?? []).map(
    ({ name, zone, changes, spans, more = 0 }) => ({
      name,
      ...(zone !== undefined && { zone }),
      changes,
      spans: spans.map(toTimeSpan),
      more,
    }),
  );
  return rows.sort((a, b) => compareNumbers(firstOpening(a), firstOpening(b)));
}

function firstOpening({ spans }: WindowRow): Instant {
  return spans[0]?.open ?? Infinity;
}

function toTimeSpan({ opens, closes }: HoursSpan): OpenSpan {
  return {
    open: parseInstant(opens ?? '') ?? -Infinity,
    close: parseInstant(closes ?? '') ?? Infinity,
  };
}

/**
 * When the window of a change that is open at `at`, or opens next, closes. Undefined if the plan
 * does not contain it, or if it depends on a freeze that the window does not show.
 */
export function findClose(
  rows: readonly WindowRow[],
  { name, zone, opens }: WindowRef,
  at: Instant,
): Instant | undefined {
  const from = parseInstant(opens ?? '') ?? at;
  const closes = rows
    .filter((row) => row.name === name && row.zone === zone)
    .flatMap(({ spans }) => spans.find(({ open, close }) => open <= from && from < close) ?? [])
    .map(({ close }) => close);
  const [first = Infinity] = closes;
  return Number.isFinite(first) && closes.every((close) => close === first) ? first : undefined;
}
