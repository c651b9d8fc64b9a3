import { compareTexts } from '../../lib/text-order.ts';
import {
  MEASURES,
  rateState,
  type CveTotal,
  type Measure,
  type MeasureTotal,
  type ReportRow,
  type Rating,
  type State,
} from '../../model/report/fleet-report.ts';
import { stateField } from '../../model/report/report-fields.ts';
import type { DeviceFlaw } from './device-case.ts';
import { severityRank } from './device-states.ts';

/**
 * The totals of every measure: of all devices first, then by site and device type. Every device is
 * in exactly one of good, bad, open and unknown.
 */
export function sumMeasures(rows: readonly ReportRow[]): readonly MeasureTotal[] {
  const places = bySiteAndType(rows);
  return MEASURES.flatMap((measure) => [
    total(measure, { site: null, deviceType: null }, rows),
    ...places.map(({ place, rows: own }) => total(measure, place, own)),
  ]);
}

export interface Place {
  readonly site: string | null;
  readonly deviceType: string | null;
}

function bySiteAndType(
  rows: readonly ReportRow[],
): readonly { readonly place: Place; readonly rows: readonly ReportRow[] }[] {
  const groups = new Map<string, { readonly place: Place; readonly rows: ReportRow[] }>();
  for (const row of rows) {
    const place = { site: String(row['site'] ?? ''), deviceType: String(row['deviceType'] ?? '') };
    const key = siteTypeKey(place);
    const group = groups.get(key) ?? { place, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  return [...groups].sort(([a], [b]) => compareTexts(a, b)).map(([, group]) => group);
}

export function siteTypeKey({ site, deviceType }: Place): string {
  return `${site ?? ''}\u0000${deviceType ?? ''}`;
}

function total(measure: Measure, place: Place, rows: readonly ReportRow[]): MeasureTotal {
  const states: Partial<Record<State, number>> = {};
  const counts: Record<Rating, number> = { good: 0, bad: 0, open: 0, unknown: 0 };
  for (const row of rows) {
    const state = row[stateField(measure)] as State;
    states[state] = (states[state] ?? 0) + 1;
    counts[rateState(state)] += 1;
  }
  return { measure, ...place, devices: rows.length, ...counts, share: goodShare(counts), states };
}

/** Percent with one decimal, rounded down: 100 means every device. */
export function goodShare({
  good,
  bad,
}: {
  readonly good: number;
  readonly bad: number;
}): number | null {
  return good + bad === 0 ? null : Math.floor((good * 1_000) / (good + bad)) / 10;
}

/** Every CVE that was read, the worst first, then the one on most devices. */
export function sumCves(
  cases: Iterable<{ readonly row: ReportRow; readonly flaws: readonly DeviceFlaw[] }>,
): readonly CveTotal[] {
  const found = new Map<
    string,
    { severity?: string; devices: number; fixed: number; policies: Set<string> }
  >();
  for (const { row, flaws } of cases)
    for (const { cve, severity } of new Map(flaws.map((flaw) => [flaw.cve, flaw])).values()) {
      const sum = found.get(cve) ?? { devices: 0, fixed: 0, policies: new Set<string>() };
      found.set(cve, sum);
      if (severity !== undefined) sum.severity = severity;
      sum.devices += 1;
      if (row['fix'] !== 'policy') continue;
      sum.fixed += 1;
      sum.policies.add(String(row['fixPolicy']));
    }
  return [...found]
    .map(([cve, { severity, devices, fixed, policies }]) => ({
      cve,
      severity: severity ?? null,
      devices,
      fixedByPolicy: fixed,
      policies: [...policies].sort(compareTexts),
    }))
    .sort(
      (a, b) =>
        severityRank(a.severity ?? '') - severityRank(b.severity ?? '') ||
        b.devices - a.devices ||
        compareTexts(a.cve, b.cve),
    );
}
