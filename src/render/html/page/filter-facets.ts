import { ACTIONS, GROUPS, RISKS } from '../../../model/plan/change.ts';
import type { ReasonCode } from '../../../model/plan/reason.ts';
import { TASK_TYPES } from '../../../model/fleet/task.ts';
import type { Coded } from '../format.ts';
import { ACTION_LABELS, GROUP_LABELS, type FilterName } from '../words.ts';
import { REASON_LABELS } from '../../words/review/reason-labels.ts';
import { RISK_WORDS, TASK_WORDS } from '../../words/terms.ts';
import { findWord } from '../../words/entry.ts';
import type { ReportRows } from './report-rows.ts';

export type FacetName = FilterName | 'group';

/** A property with few distinct values, to filter and sort rows by. */
interface Facet {
  /** The distinct values as displayed; the empty one means "none". */
  readonly labels: readonly string[];
  readonly counts: Uint32Array;
  /** The index in `labels` of a row's value. */
  of(row: number): number;
}

export type FilterFacets = Readonly<Record<FacetName, Facet>>;

/** Counts the rows by every property that they can be filtered by. */
export function countFacets(rows: ReportRows): FilterFacets {
  const { entries } = rows;
  return {
    action: facet(rows, 'action', (code) => ACTION_LABELS[ACTIONS[code] ?? 'note']),
    task: facet(rows, 'task', (code) => TASK_WORDS[TASK_TYPES[code] ?? TASK_TYPES[0]]),
    risk: facet(rows, 'risk', (code) => RISK_WORDS[RISKS[code] ?? 'low']),
    site: facet(rows, 'site', (code) => entries.site[code] ?? ''),
    make: facet(rows, 'make', (code) => entries.make[code] ?? ''),
    policy: facet(rows, 'place', (code) => entries.place[code]?.policy ?? ''),
    wave: facet(rows, 'wave', (code) => entries.wave[code] ?? ''),
    reason: facet(rows, 'reason', (code) => reasonLabel(entries.reason[code]?.code ?? '')),
    group: facet(rows, 'group', (code) => groupLabel(code)),
  };
}

function reasonLabel(code: string): string {
  return findWord<string>(REASON_LABELS satisfies Record<ReasonCode, string>, code) ?? code;
}

function groupLabel(code: number): string {
  const group = GROUPS[code - 1];
  return group === undefined ? '' : GROUP_LABELS[group];
}

function facet(
  { codes, length }: ReportRows,
  column: Coded,
  labelOf: (code: number) => string,
): Facet {
  const values = codes[column];
  const places = new Map<string, number>();
  const labels: string[] = [];
  const placeOf: number[] = [];
  const counts: number[] = [];
  for (let row = 0; row < length; row++) {
    const code = values[row] ?? 0;
    const place = (placeOf[code] ??= placeIn(places, labels, labelOf(code)));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return {
    labels,
    counts: Uint32Array.from(counts),
    of: (row) => placeOf[values[row] ?? 0] ?? 0,
  };
}

function placeIn(places: Map<string, number>, labels: string[], label: string): number {
  const known = places.get(label);
  if (known !== undefined) return known;
  places.set(label, labels.length);
  return labels.push(label) - 1;
}
