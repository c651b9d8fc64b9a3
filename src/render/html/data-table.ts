import { grouped } from '../words/phrase.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';

/** A column of a table; `title` is ours. */
interface DataColumn {
  readonly title: string;
  readonly isNumber?: boolean;
  /** The class of its cells: `bar` for a drawing without a title. */
  readonly kind?: string;
}

/** A cell: its content, and a class for its color. A column whose cells are all empty is left out. */
type TableCell = HtmlText | { readonly html: HtmlText; readonly kind: string };

/** A row; its first cell is its heading. A spanning row has one cell over all columns. */
export type TableRow =
  { readonly cells: readonly TableCell[]; readonly kind?: string } | { readonly spans: HtmlText };

interface TableContent {
  /** What the table is, for a screen reader. */
  readonly label: string;
  readonly kind: string;
  readonly columns: readonly DataColumn[];
  readonly rows: readonly TableRow[];
  /** Rows of sums. */
  readonly sums?: readonly TableRow[];
}

/** The empty cell. */
export const NO_CELL = markup``;

/**
 * A table of the family of pages: empty columns are left out, a zero is pale, and on a narrow
 * screen each row becomes a block in which every value has its column's title beside it, so that
 * nothing is cut (decision 0090).
 */
export function dataTable({ label, kind, columns, rows, sums = [] }: TableContent): HtmlText {
  const shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ index }) => index === 0 || [...rows, ...sums].some((row) => hasContent(row, index)));
  const heads = shown.map(({ column: { title, isNumber = false } }) =>
    title === ''
      ? markup`<td></td>`
      : markup`<th scope="col"${isNumber ? markup` class="n"` : NO_CELL}>${htmlText(title)}</th>`,
  );
  const foot =
    sums.length > 0 ? markup`<tfoot>${sums.map((row) => rowHtml(row, shown))}</tfoot>` : NO_CELL;
  return markup`<div class="wide" role="region" aria-label="${htmlText(`${label}, table`)}" tabindex="0">
<table class="data ${htmlText(kind)}">
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => rowHtml(row, shown))}</tbody>${foot}</table></div>`;
}

type ShownColumns = readonly { readonly column: DataColumn; readonly index: number }[];

function hasContent(row: TableRow, index: number): boolean {
  return 'cells' in row && cellContent(row.cells[index] ?? NO_CELL) !== '';
}

function cellContent(cell: TableCell): HtmlText {
  return typeof cell === 'object' ? cell.html : cell;
}

function rowHtml(row: TableRow, shown: ShownColumns): HtmlText {
  if ('spans' in row)
    return markup`<tr class="head"><th scope="rowgroup" colspan="${shown.length}">${row.spans}</th></tr>
`;
  const { cells, kind } = row;
  const mark = kind === undefined ? NO_CELL : markup` class="${htmlText(kind)}"`;
  const parts = shown.map(({ column, index }) => cellHtml(cells[index] ?? NO_CELL, column, index));
  return markup`<tr${mark}>${parts}</tr>
`;
}

function cellHtml(cell: TableCell, column: DataColumn, index: number): HtmlText {
  const html = cellContent(cell);
  const own = typeof cell === 'object' ? cell.kind : '';
  const pale = html === '0' || html === '–' || html === '-' ? 'none' : own;
  const kinds = [column.isNumber ? 'n' : '', column.kind ?? '', pale].filter(Boolean).join(' ');
  const kind = kinds === '' ? NO_CELL : markup` class="${htmlText(kinds)}"`;
  const title =
    column.title === '' || html === '' ? NO_CELL : markup` data-label="${htmlText(column.title)}"`;
  if (index === 0 && html !== '')
    return markup`<th scope="row"${kind}${column.isNumber ? title : NO_CELL}>${html}</th>`;
  return markup`<td${kind}${title}>${html}</td>`;
}

export function countCell(count: number): HtmlText {
  return htmlText(grouped(count));
}

/** The mark for a value that is not there. */
export const NO_VALUE = htmlText('–');
