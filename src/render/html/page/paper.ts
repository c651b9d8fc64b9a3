import { PAGE_WORDS } from '../words.ts';
import { fill, grouped } from '../../words/phrase.ts';
import { byId, isolated, make } from './dom.ts';
import type { Grid } from './grid.ts';
import { kindsOf, type Kind } from './kinds.ts';
import type { Rows } from './rows.ts';

/** Rows, and kinds of rows, that are printed: what more there is belongs on no paper. */
const PRINTED = 400;

/**
 * Prints what the table shows: its first rows, and where it has more, all of it in kinds with exact
 * counts before them. The page says so, and how to get every row.
 */
export function printOnPaper(rows: Rows, grid: Grid, viewNow: () => Uint32Array): void {
  const note = byId('printed', HTMLElement);
  const kinds = byId('kinds', HTMLElement);
  addEventListener('beforeprint', () => {
    const view = viewNow();
    const isCut = view.length > PRINTED;
    const params = {
      shown: grouped(Math.min(PRINTED, view.length)),
      view: grouped(view.length),
      all: grouped(rows.length),
    };
    note.textContent = fill(isCut ? PAGE_WORDS.printedPart : PAGE_WORDS.printedAll, params, String);
    kinds.replaceChildren(...(isCut ? [kindTable(kindsOf(rows, view))] : []));
    grid.print(PRINTED);
  });
  addEventListener('afterprint', () => {
    kinds.replaceChildren();
    grid.print();
  });
}

function kindTable(kinds: readonly Kind[]): HTMLElement {
  const head = PAGE_WORDS.kinds.map((label) => make('th', { scope: 'col' }, label));
  const body = kinds.slice(0, PRINTED).map(({ count, texts }) => kindRow(count, texts));
  const rest = kinds.slice(PRINTED);
  const left = rest.reduce((sum, { count }) => sum + count, 0);
  const others = fill(PAGE_WORDS.otherKinds, { kinds: grouped(rest.length) }, String);
  return make(
    'table',
    {},
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body, ...(left > 0 ? [kindRow(left, [others])] : [])),
  );
}

function kindRow(count: number, texts: readonly string[]): HTMLElement {
  const cells = texts.map((text) => make('td', {}, isolated(text)));
  return make('tr', {}, make('td', { class: 'n' }, grouped(count)), ...cells);
}
