import type { TableColumn } from '../words.ts';
import type { FilterFacets } from './filter-facets.ts';
import { rowDevice, editText, rowWord, type ReportRows } from './report-rows.ts';
import { compareTexts } from '../../../lib/text-order.ts';

export interface Sorting {
  readonly by: TableColumn;
  readonly descending: boolean;
}

/** Sorts rows; equal ones stay in the order of the plan. */
interface Sorter {
  /** All rows, in the order of the plan or by a column. */
  order(sorting: Sorting | undefined): Uint32Array;
}

/** Creates a sorter over rows; the ranks of a column are computed once. */
export function createSorter(rows: ReportRows, facets: FilterFacets): Sorter {
  const ranks = new Map<TableColumn, ArrayLike<number>>();
  const asPlanned = Uint32Array.from({ length: rows.length }, (_, row) => row);
  return {
    order(sorting) {
      if (!sorting) return asPlanned;
      const { by: column, descending } = sorting;
      const rank = ranks.get(column) ?? rankColumn(column, rows, facets);
      ranks.set(column, rank);
      const sign = descending ? -1 : 1;
      return asPlanned.slice().sort((a, b) => sign * compare(rank[a] ?? 0, rank[b] ?? 0) || a - b);
    },
  };
}

/** Infinity minus itself is NaN. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function rankColumn(
  column: TableColumn,
  rows: ReportRows,
  facets: FilterFacets,
): ArrayLike<number> {
  switch (column) {
    case 'device':
      return rankTexts(rows.ids.map((_, row) => rowDevice(rows, row)));
    case 'edit':
      return ofCodes(
        rows.codes.edit,
        rows.entries.edit.map((edit) => editText(edit)),
      );
    case 'reason':
      return ofCodes(
        rows.codes.reason,
        rows.entries.reason.map(({ says }) => says),
      );
    case 'when':
      return Float64Array.from({ length: rows.length }, (_, row) => whenRank(rows, row));
    case 'action':
      return rows.codes.action;
    default: {
      const { labels, of: values } = facets[column];
      const ranks = rankTexts(labels);
      return Uint32Array.from({ length: rows.length }, (_, row) => ranks[values(row)] ?? 0);
    }
  }
}

/**
 * Running changes first, then those with a time, then unknown ones, then those that never continue.
 */
function whenRank(rows: ReportRows, row: number): number {
  if (rowWord.action(rows, row) === 'run') return -1;
  const next = rows.next[row] ?? Number.NaN;
  return Number.isNaN(next) ? Number.MAX_VALUE : next;
}

function ofCodes(codes: Uint32Array, texts: readonly string[]): Uint32Array {
  const ranks = rankTexts(texts);
  return codes.map((code) => ranks[code] ?? 0);
}

/** The rank of each text, `cam-9` before `cam-10`; equal texts share one. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const keys = texts.map(sortKey);
  const order = Uint32Array.from(keys, (_, index) => index).sort((a, b) =>
    compareTexts(keys[a] ?? '', keys[b] ?? ''),
  );
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  for (let n = 0; n < order.length; n++) {
    const [index, before] = [order[n] ?? 0, order[n - 1]];
    if (before !== undefined && keys[before] !== keys[index]) rank++;
    ranks[index] = rank;
  }
  return ranks;
}

/** Pads numbers, so that a text comparison orders them by size. */
function sortKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
