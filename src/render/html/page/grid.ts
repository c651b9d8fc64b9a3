import { fitColumns, rowElement } from './cells.ts';
import { byId, setSpace } from './dom.ts';
import type { Rows } from './rows.ts';
import { scrollTo, sliceAt, type Extent, type RowRange } from './scroll.ts';

/** The table: only visible rows are elements, the others are empty space. */
export interface Grid {
  /** Shows these rows, from the top. */
  show(view: Uint32Array): void;
  /** Marks the row whose details are open; undefined: none. */
  mark(row: number | undefined): void;
  /** Scrolls a row into view and focuses it. */
  focus(row: number): void;
  /** The row before or after another one in the current view. */
  beside(row: number, step: -1 | 1): number | undefined;
  /** Draws the first `most` rows at once, for paper; without a number, the visible ones. */
  print(most?: number): void;
}

interface GridOptions {
  /**
   * Called when the reader chooses a row by mouse or keyboard, or reaches it with the arrow keys.
   */
  readonly onChoose: (row: number, how: 'mouse' | 'keyboard' | 'arrows') => void;
  readonly onEscape: () => void;
}

/** Creates the table over rows. */
export function createGrid(rows: Rows, { onChoose, onEscape }: GridOptions): Grid {
  const scroller = byId('scroller', HTMLElement);
  const table = byId('table', HTMLTableElement);
  const body = byId('rows', HTMLTableSectionElement);
  const above = byId('above', HTMLTableSectionElement);
  const below = byId('below', HTMLTableSectionElement);
  const columns = fitColumns(rows);
  const drawn = new Map<number, HTMLTableRowElement>();
  let view: Uint32Array = new Uint32Array();
  /** The index that the arrow keys are at. */
  let active = 0;
  /** The row whose details are open. */
  let marked: number | undefined;
  let printed: number | undefined;
  let rowHeight = 40;

  const extent = (): Extent => {
    const viewHeight = Math.max(
      rowHeight,
      scroller.clientHeight - (table.tHead?.offsetHeight ?? 0),
    );
    return { rows: view.length, rowHeight, viewHeight };
  };
  const dress = (element: HTMLTableRowElement, index: number): void => {
    const isMarked = view[index] === marked;
    const button = element.querySelector('button');
    button?.setAttribute('tabindex', index === active ? '0' : '-1');
    button?.setAttribute('aria-expanded', String(isMarked));
    element.classList.toggle('open', isMarked);
  };
  const dressAll = (): void => drawn.forEach(dress);
  const rowAt = (index: number): HTMLTableRowElement => {
    const known = drawn.get(index);
    if (known) return known;
    const element = rowElement(rows, { row: view[index] ?? 0, index, columns });
    dress(element, index);
    drawn.set(index, element);
    return element;
  };
  /** Removes rows that are no longer visible; the table takes the focus first, so that it is not lost. */
  const drop = ({ from, to }: RowRange): void => {
    for (const [index, element] of drawn) {
      if (index >= from && index < to) continue;
      if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true });
      element.remove();
      drawn.delete(index);
    }
  };
  const place = (range: RowRange): void => {
    // This runs first, so that the table never shrinks in between: the browser would scroll back.
    setSpace(above, range.above);
    drop(range);
    let after: Element | null = null;
    for (let index = range.to - 1; index >= range.from; index--) {
      const element = rowAt(index);
      if (element.nextElementSibling !== after || !element.isConnected)
        body.insertBefore(element, after);
      after = element;
    }
    setSpace(below, range.below);
  };
  const draw = (): void => {
    if (printed !== undefined)
      return place({ from: 0, to: Math.min(printed, view.length), above: 0, below: 0 });
    place(sliceAt(scroller.scrollTop, extent()));
    const height = body.rows[0]?.getBoundingClientRect().height ?? 0;
    if (height === 0 || Math.abs(height - rowHeight) < 0.01) return;
    rowHeight = height;
    place(sliceAt(scroller.scrollTop, extent()));
  };
  const goTo = (index: number): void => {
    if (view.length === 0) return;
    active = Math.max(0, Math.min(view.length - 1, index));
    scroller.scrollTop = scrollTo(active, scroller.scrollTop, extent());
    draw();
    dressAll();
    drawn.get(active)?.querySelector('button')?.focus({ preventScroll: true });
  };

  scroller.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(draw).observe(scroller);
  scroller.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onEscape();
    const { viewHeight } = extent();
    const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
    const to = moveTarget(event.key, { active, page, last: view.length - 1 });
    // Keys move between rows only; the headings and the scroll bar keep their own keys.
    const isHere = event.target instanceof Node && body.contains(event.target);
    if (to === undefined || (event.target !== scroller && !isHere)) return;
    event.preventDefault();
    goTo(to);
    const row = view[active];
    if (row !== undefined) onChoose(row, 'arrows');
  });
  body.addEventListener('click', (event) => {
    const clicked = event.target instanceof Element ? event.target.closest('tr') : null;
    const index = Number(clicked?.dataset['at'] ?? -1);
    const row = view[index];
    if (row === undefined) return;
    active = index;
    dressAll();
    onChoose(row, event.detail === 0 ? 'keyboard' : 'mouse');
  });

  return {
    show(next) {
      view = next;
      active = 0;
      for (const element of drawn.values()) element.remove();
      drawn.clear();
      table.setAttribute('aria-rowcount', String(view.length + 1));
      scroller.scrollTop = 0;
      draw();
    },
    mark(row) {
      marked = row;
      dressAll();
    },
    focus: (row) => goTo(view.indexOf(row)),
    beside(row, step) {
      const index = view.indexOf(row);
      return index < 0 ? undefined : view[index + step];
    },
    print(most) {
      printed = most;
      draw();
    },
  };
}

/** The position in a list of rows, counted from 0. */
interface Position {
  readonly active: number;
  /** Number of rows on a page. */
  readonly page: number;
  readonly last: number;
}

/** The target of a key; undefined for any other key. It may lie outside the list. */
function moveTarget(key: string, { active, page, last }: Position): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
