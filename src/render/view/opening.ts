import type { WindowRef } from '../../model/plan/change.ts';
import type { FreezeNote, HoursSpan, PlanHours } from '../../model/plan/plan.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';

/** `[open, close)`; an unknown edge is infinite. */
export interface TimeSpan {
  readonly open: Instant;
  readonly close: Instant;
}

/** The opening times of a window for changes with the same zone and freezes, in order. */
export interface WindowRow {
  readonly name: string;
  readonly zone?: string;
  readonly changes: number;
  readonly spans: readonly TimeSpan[];
  /** How many spans are not listed. */
  readonly more: number;
  readonly freezes: readonly FreezeRow[];
}

export interface FreezeRow {
  readonly name: string;
  readonly spans: readonly TimeSpan[];
  /** Absent if the plan has no note on the freeze. */
  readonly note?: FreezeNote;
}

/** The windows of a plan, with instants in place of texts; the first to open comes first. */
export function windowRows(hours: PlanHours | undefined): readonly WindowRow[] {
  const notes = new Map(hours?.freezes.map((note) => [note.name, note]));
  const rows: WindowRow[] = (hours?.windows ?? []).map(
    ({ name, zone, changes, spans, more = 0, freezes = [] }) => ({
      name,
      ...(zone !== undefined && { zone }),
      changes,
      spans: spans.map(toTimeSpan),
      more,
      freezes: freezes.map((freeze) => freezeRow(freeze, notes.get(freeze.name))),
    }),
  );
  return rows.sort((a, b) => compare(firstOpening(a), firstOpening(b)));
}

function firstOpening({ spans }: WindowRow): Instant {
  return spans[0]?.open ?? Infinity;
}

/** Infinity minus itself is NaN. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function freezeRow(
  { name, spans }: { readonly name: string; readonly spans: readonly HoursSpan[] },
  note: FreezeNote | undefined,
): FreezeRow {
  return { name, spans: spans.map(toTimeSpan), ...(note && { note }) };
}

function toTimeSpan({ opens, closes }: HoursSpan): TimeSpan {
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
