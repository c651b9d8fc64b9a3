import { sumCounts } from '../../lib/group-by.ts';
import type { ListBlock, TableBlock } from '../tree.ts';
import { counted, grouped } from '../words/phrase.ts';

/** The entries of a list or table that a terminal and Markdown show, and words for the others. */
export function shownOf<Entry extends object>(
  entries: readonly Entry[],
  {
    most = Infinity,
    noun = 'row',
    left = 0,
  }: Pick<ListBlock | TableBlock, 'most' | 'noun' | 'left'>,
): { readonly shown: readonly Entry[]; readonly more: string } {
  const rest = entries.slice(most);
  const number = rest.length + left;
  const count = sumCounts(
    rest.map((each) => ({ count: 'count' in each ? Number(each.count ?? 0) : 0 })),
  );
  const what = counted(number, `more ${noun}`);
  return {
    shown: entries.slice(0, most),
    more: number === 0 ? '' : count > 0 ? `and ${grouped(count)} in ${what}` : `and ${what}`,
  };
}

/** A table without the columns in which nothing is. */
export function withoutEmpty<Table extends TableBlock>(block: Table): Table {
  const { columns, rows, sums = [] } = block;
  const all = [...rows, ...sums].filter(({ isHead = false }) => !isHead);
  const kept = columns.map(
    (_, n) => n === 0 || all.some(({ cells }) => (cells[n] ?? []).length > 0),
  );
  const cut = (row: TableBlock['rows'][number]) =>
    row.isHead ? row : { ...row, cells: row.cells.filter((_, n) => kept[n]) };
  return {
    ...block,
    columns: columns.filter((_, n) => kept[n]),
    rows: rows.map(cut),
    sums: sums.map(cut),
  };
}
