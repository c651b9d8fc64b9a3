import { ACTION_LABELS, COLUMN_LABELS, PAGE_WORDS, type TableColumn } from '../words.ts';
import { wallMoment, type PageTime } from '../../words/moment.ts';
import { TASK_WORDS } from '../../words/terms.ts';
import { byId, isolated, isolatedProse, make } from './dom.ts';
import { rowDevice, editText, rowEntry, rowWord, type ReportRows } from './report-rows.ts';

export const COLUMNS = Object.keys(COLUMN_LABELS) as TableColumn[];

/** How the page of a plan writes its instants. */
export type PlanPage = PageTime & { readonly now: number };

/** One row of the table; its first cell is a button that opens the details. */
export function rowElement(
  rows: ReportRows,
  row: number,
  { page, index }: { readonly page: PlanPage; readonly index: number },
): HTMLTableRowElement {
  const element = make('tr', { 'aria-rowindex': String(index + 2), 'data-at': String(index) });
  const button = make('button', { type: 'button', tabindex: '-1', 'aria-controls': 'details' });
  button.append(isolated(rowDevice(rows, row)));
  const id = rows.ids[row] ?? '';
  if (rows.names[row] && rows.names[row] !== id)
    button.append(' ', make('small', {}, isolated(id)));
  element.append(make('th', { scope: 'row', class: 'c-device' }, button));
  for (const column of COLUMNS.slice(1)) element.append(cell(column, rows, row, page));
  return element;
}

function cell(
  column: TableColumn,
  rows: ReportRows,
  row: number,
  page: PlanPage,
): HTMLTableCellElement {
  const attributes = { class: `c-${column}` };
  if (column === 'reason')
    return make('td', attributes, isolatedProse(text(column, rows, row, page)));
  if (column !== 'action') return make('td', attributes, isolated(text(column, rows, row, page)));
  const action = rowWord.action(rows, row);
  const mark = make('span', { class: `mark ${action}` }, ACTION_LABELS[action]);
  return make('td', attributes, mark);
}

function text(column: TableColumn, rows: ReportRows, row: number, page: PlanPage): string {
  switch (column) {
    case 'site':
    case 'make':
    case 'wave':
      return rowEntry(rows, column, row);
    case 'task':
      return TASK_WORDS[rowWord.task(rows, row)];
    case 'edit':
      return editText(rowEntry(rows, 'edit', row));
    case 'reason':
      return rowEntry(rows, 'reason', row).says;
    case 'policy':
      return rowEntry(rows, 'place', row).policy;
    case 'when':
      return whenText(rows, row, page);
    default:
      return '';
  }
}

/** When a change may continue, short enough for a column. */
function whenText(rows: ReportRows, row: number, page: PlanPage): string {
  if (rowWord.action(rows, row) === 'run') return PAGE_WORDS.now;
  const next = rows.next[row] ?? Number.NaN;
  if (next === Infinity) return PAGE_WORDS.never;
  return Number.isNaN(next) ? '' : wallMoment(page.now + next * 1_000, page);
}

/** How many rows are measured, evenly spread. */
const MEASURED = 500;

/** The least and the greatest width of a column in characters, with the space around it. */
const LEAST = 7;
const MOST = 34;

/** Room for the sorting mark and the padding, in characters. */
const AROUND = 3;

/**
 * Sets the width of each column by its content: nine tenths of the measured texts fit whole. The
 * table scrolls sideways where the columns need more than the page has.
 */
export function fitColumns(rows: ReportRows, page: PlanPage): void {
  const lengths = COLUMNS.map((): number[] => []);
  const step = Math.max(1, Math.ceil(rows.length / MEASURED));
  for (let row = 0; row < rows.length; row += step) {
    const { cells } = rowElement(rows, row, { page, index: row });
    for (const [column, found] of lengths.entries())
      found.push(cells[column]?.textContent?.length ?? 0);
  }
  const table = byId('table', HTMLTableElement);
  const heads = table.querySelectorAll<HTMLElement>('thead th');
  if (!rows.codes.wave.some((code) => code !== 0)) table.classList.add('no-wave');
  let total = 0;
  for (const [column, head] of [...heads].entries()) {
    const sorted = (lengths[column] ?? []).toSorted((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
    const text = Math.max(usual, head.textContent?.length ?? 0);
    const width = Math.min(MOST, Math.max(LEAST, text + AROUND));
    head.style.width = `${width}ch`;
    total += width;
  }
  table.style.minWidth = `${total}ch`;
}
