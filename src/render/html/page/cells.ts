import { ACTION_LABELS, COLUMN_LABELS, PAGE_WORDS, type TableColumn } from '../words.ts';
import { moment } from '../../words/moment.ts';
import { TASK_WORDS } from '../../words/terms.ts';
import { isolated, make } from './dom.ts';
import { deviceOf, editText, entryOf, rowWord, type ReportRows } from './rows.ts';

export const COLUMNS = Object.keys(COLUMN_LABELS) as TableColumn[];

/** One row of the table; its first cell is a button that opens the details. */
export function rowElement(
  rows: ReportRows,
  row: number,
  { now, index }: { readonly now: number; readonly index: number },
): HTMLTableRowElement {
  const element = make('tr', { 'aria-rowindex': String(index + 2), 'data-at': String(index) });
  const button = make('button', { type: 'button', tabindex: '-1', 'aria-controls': 'details' });
  button.append(isolated(deviceOf(rows, row)));
  const id = rows.ids[row] ?? '';
  if (rows.names[row] && rows.names[row] !== id)
    button.append(' ', make('small', {}, isolated(id)));
  element.append(make('th', { scope: 'row', class: 'c-device' }, button));
  for (const column of COLUMNS.slice(1)) element.append(cell(column, rows, row, now));
  return element;
}

function cell(
  column: TableColumn,
  rows: ReportRows,
  row: number,
  now: number,
): HTMLTableCellElement {
  const attributes = { class: `c-${column}` };
  if (column !== 'action') return make('td', attributes, isolated(text(column, rows, row, now)));
  const action = rowWord.action(rows, row);
  const mark = make('span', { class: `mark ${action}` }, ACTION_LABELS[action]);
  return make('td', attributes, mark);
}

function text(column: TableColumn, rows: ReportRows, row: number, now: number): string {
  switch (column) {
    case 'site':
    case 'make':
    case 'wave':
      return entryOf(rows, column, row);
    case 'task':
      return TASK_WORDS[rowWord.task(rows, row)];
    case 'edit':
      return editText(entryOf(rows, 'edit', row));
    case 'reason':
      return entryOf(rows, 'reason', row).says;
    case 'policy':
      return entryOf(rows, 'place', row).policy;
    case 'when':
      return whenText(rows, row, now);
    default:
      return '';
  }
}

/** When a change may continue, short enough for a column. */
function whenText(rows: ReportRows, row: number, now: number): string {
  if (rowWord.action(rows, row) === 'run') return PAGE_WORDS.now;
  const next = rows.next[row] ?? Number.NaN;
  if (next === Infinity) return PAGE_WORDS.never;
  return Number.isNaN(next) ? '' : moment(now + next * 1_000);
}
