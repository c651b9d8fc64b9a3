import type { ShownColumn } from '../format.ts';
import { byId, isolated, isolatedProse, make } from './dom.ts';
import { cellText, deviceName, type Rows } from './rows.ts';

/** One row of the table; its first cell is a button that opens the details. */
export function rowElement(
  rows: Rows,
  { row, index, columns }: { row: number; index: number; columns: readonly ShownColumn[] },
): HTMLTableRowElement {
  const button = make('button', { type: 'button', tabindex: '-1', 'aria-controls': 'details' });
  const name = deviceName(rows, row);
  button.append(isolated(name));
  const id = rows.ids[row] ?? '';
  if (name !== id) button.append(' ', make('small', {}, isolated(id)));
  const cells = columns.map((column) =>
    cell(column, cellText(rows, column.of ?? column.name, row)),
  );
  return make(
    'tr',
    { 'aria-rowindex': String(index + 2), 'data-at': String(index) },
    make('th', { scope: 'row' }, button),
    ...cells,
  );
}

function cell({ kind, hidden }: ShownColumn, text: string): HTMLTableCellElement {
  const attributes = { class: hidden ?? '', title: text };
  if (kind === 'mark')
    return make(
      'td',
      attributes,
      make('span', { class: `mark ${text.replaceAll(' ', '-')}` }, text),
    );
  return make('td', attributes, kind === 'prose' ? isolatedProse(text) : isolated(text));
}

/** How many rows are measured, evenly spread. */
const MEASURED = 500;

/** The least and the greatest width of a column in characters, with the space around it. */
const LEAST = 7;
const MOST = 34;

/** Room for the sorting mark and the padding, in characters. */
const AROUND = 3;

/**
 * The columns in which a row has something, the device's apart. Sets the width of each by its content: nine tenths of
 * the measured texts fit whole. The table scrolls sideways where the columns need more than the page has.
 */
export function fitColumns(rows: Rows): readonly ShownColumn[] {
  const table = byId('table', HTMLTableElement);
  const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
  const step = Math.max(1, Math.ceil(rows.head.rows / MEASURED));
  const measured = rows.ids.flatMap((_, row) => (row % step === 0 ? [row] : []));
  const fit = (head: HTMLElement | undefined, textOf: (row: number) => string): number => {
    const lengths = measured.map((row) => textOf(row).length).sort((a, b) => a - b);
    const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
    const text = Math.max(usual, head?.textContent?.length ?? 0);
    const width = Math.min(MOST, Math.max(LEAST, text + AROUND));
    if (head) head.style.width = `${width}ch`;
    return width;
  };
  let total = fit(heads[0], (row) => `${deviceName(rows, row)} ${rows.ids[row] ?? ''}`);
  const columns = rows.head.shown.filter((column, n) => {
    const head = heads[n + 1];
    const name = column.of ?? column.name;
    const isEmpty = !rows.instants(name) && rows.column(name).texts.every((text) => text === '');
    if (head) head.hidden = isEmpty;
    if (!isEmpty) total += fit(head, (row) => cellText(rows, name, row));
    return !isEmpty;
  });
  table.style.minWidth = `${total}ch`;
  return columns;
}
