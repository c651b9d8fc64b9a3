import { fill, grouped } from '../../words/phrase.ts';
import { PAGE_WORDS } from '../words.ts';
import { byId, isolated, make } from './dom.ts';
import type { Grid } from './grid.ts';
import { rowText, type Rows } from './rows.ts';

/**
 * Prints with every fold open, and of the table what it shows: its first rows; if there are more,
 * all of them in groups with exact counts before the rows. The page says so, and how to print every
 * row.
 */
export function printOnPaper(rows: Rows, grid: Grid, viewNow: () => Uint32Array): void {
  const { most, whole, cut, groups } = rows.head.paper;
  const note = byId('printed', HTMLElement);
  const place = byId('groups', HTMLElement);
  let folded: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const fold of folded) fold.open = true;
    const view = viewNow();
    const isCut = view.length > most;
    const params = {
      shown: grouped(Math.min(most, view.length)),
      view: grouped(view.length),
      all: grouped(rows.head.rows),
    };
    note.textContent = fill(isCut ? cut : whole, params, String);
    place.replaceChildren(...(isCut && groups.length > 0 ? [groupTable(rows, view)] : []));
    grid.print(most);
  });
  addEventListener('afterprint', () => {
    for (const fold of folded) fold.open = false;
    place.replaceChildren();
    grid.print();
  });
}

function groupTable(rows: Rows, view: Uint32Array): HTMLElement {
  const { most, groups, others } = rows.head.paper;
  const titles = [PAGE_WORDS.count, ...groups.map(([, label]) => label)];
  const head = titles.map((label) => make('th', { scope: 'col' }, label));
  const counted = countGroups(rows, view);
  const body = counted.slice(0, most).map(({ row, count }) =>
    groupRow(
      count,
      groups.map(([name]) => rowText(rows, name, row)),
    ),
  );
  const rest = counted.slice(most);
  const left = rest.reduce((sum, { count }) => sum + count, 0);
  const told = fill(others, { groups: grouped(rest.length) }, String);
  return make(
    'table',
    {},
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body, ...(left > 0 ? [groupRow(left, [told])] : [])),
  );
}

function groupRow(count: number, texts: readonly string[]): HTMLElement {
  const cells = texts.map((text) => make('td', {}, isolated(text)));
  return make('tr', {}, make('td', { class: 'n' }, grouped(count)), ...cells);
}

/** Every row of a view in groups with exact counts, each by its first row, in the order of the page. */
function countGroups(
  rows: Rows,
  view: Uint32Array,
): readonly { readonly row: number; readonly count: number }[] {
  const columns = rows.head.paper.groups.map(([name]) => rows.column(name).codes);
  const groups = new Map<string, { row: number; count: number }>();
  for (const row of view) {
    const key = columns.map((codes) => codes[row]).join(' ');
    const met = groups.get(key);
    if (met) met.count += 1;
    else groups.set(key, { row, count: 1 });
  }
  return [...groups.values()];
}
