import type { Sorting } from '../format.ts';
import type { Choice } from './find.ts';
import type { Rows } from './rows.ts';

/** The state of the page in the fragment of its URL, so that a view can be shared. */
export interface Shared extends Choice {
  /** The row whose details are open: `upgradeFirmware/dev-7`. */
  readonly open?: string;
}

/** The prefix of a view's fragment; any other fragment is an anchor in the page. */
const START = '#view?';

/** A longer search text is ignored. */
const LONGEST = 300;

/** A view as a fragment; the empty text for the view without filters. */
export function toFragment({ head }: Rows, { text, values, sorting, open }: Shared): string {
  const said = new URLSearchParams();
  if (text !== '') said.set('search', text);
  for (const name of chosenBy(head)) {
    const value = values[name];
    if (value !== undefined) said.set(name, value);
  }
  const order = sortingText(sorting);
  if (order !== sortingText(head.sorting)) said.set('sort', order);
  if (open !== undefined) said.set(head.details.address, open);
  const fragment = said.toString();
  return fragment === '' ? '' : `${START}${fragment}`;
}

/** The view of a fragment; unknown parts are ignored. */
export function readFragment(rows: Rows, fragment: string): Shared {
  const { head } = rows;
  const said = new URLSearchParams(fragment.startsWith(START) ? fragment.slice(START.length) : '');
  const values: Record<string, string> = {};
  for (const name of chosenBy(head)) {
    const value = said.get(name);
    if (value !== null && rows.column(name).texts.includes(value)) values[name] = value;
  }
  const open = said.get(head.details.address);
  return {
    text: (said.get('search') ?? '').slice(0, LONGEST),
    values,
    sorting: readSorting(rows, said.get('sort')),
    ...(open !== null && { open }),
  };
}

/** The columns that a reader chooses values of. */
function chosenBy({ filters, chips }: Rows['head']): readonly string[] {
  const names = filters.map(([name]) => name);
  return chips === undefined ? names : [...names, chips];
}

function sortingText(sorting: Sorting | undefined): string {
  return sorting ? `${sorting.descending ? '-' : ''}${sorting.by}` : '';
}

function readSorting({ head }: Rows, text: string | null): Sorting | undefined {
  if (text === null) return head.sorting;
  const descending = text.startsWith('-');
  const by = descending ? text.slice(1) : text;
  const isShown = by === 'device' || head.shown.some(({ name }) => name === by);
  return isShown ? { by, descending } : head.sorting;
}
