import type { PlanPage } from './cells.ts';
import { byId } from './dom.ts';
import type { ReportRows } from './report-rows.ts';
import { scrollTo } from './scroll.ts';
import { type TableBody, createTableBody } from './table-body.ts';

/** The table of changes: only visible rows are elements, the others are empty space. */
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
  readonly rows: ReportRows;
  readonly page: PlanPage;
  /**
   * Called when the reader chooses a row by mouse or keyboard, or reaches it with the arrow keys.
   */
  readonly onChoose: (row: number, how: 'mouse' | 'keyboard' | 'arrows') => void;
  readonly onEscape: () => void;
}

/** Creates the table over rows. */
export function createGrid(options: GridOptions): Grid {
  const scroller = byId('scroller', HTMLElement);
  const body = createTableBody(options, scroller);
  let view: Uint32Array = new Uint32Array();
  let active = 0;
  let marked: number | undefined;
  let printed: number | undefined;

  const draw = (): void => body.draw(printed);
  const dress = (): void => body.dress({ active, marked });
  const goTo = (index: number): void => {
    if (view.length === 0) return;
    active = Math.max(0, Math.min(view.length - 1, index));
    scroller.scrollTop = scrollTo(active, scroller.scrollTop, body.extent());
    draw();
    dress();
    body.at(active)?.querySelector('button')?.focus({ preventScroll: true });
  };

  scroller.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(draw).observe(scroller);
  onKeys(scroller, body, {
    target: (key) => moveTarget(key, { active, page: pageSize(body), last: view.length - 1 }),
    go(index) {
      goTo(index);
      const row = view[active];
      if (row !== undefined) options.onChoose(row, 'arrows');
    },
    escape: options.onEscape,
  });
  body.element.addEventListener('click', (event) => {
    const index = clickedIndex(event.target);
    const row = index === undefined ? undefined : view[index];
    if (index === undefined || row === undefined) return;
    active = index;
    dress();
    options.onChoose(row, event.detail === 0 ? 'keyboard' : 'mouse');
  });

  return {
    show(next) {
      view = next;
      active = 0;
      body.fill(view);
      scroller.scrollTop = 0;
      draw();
      dress();
    },
    mark(row) {
      marked = row;
      dress();
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

interface Keys {
  readonly target: (key: string) => number | undefined;
  readonly go: (index: number) => void;
  readonly escape: () => void;
}

/** Keys move between rows only; the headings and the scroll bar keep their own keys. */
function onKeys(scroller: HTMLElement, { element }: TableBody, { target, go, escape }: Keys): void {
  scroller.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') escape();
    const to = target(event.key);
    const isHere = event.target instanceof Node && element.contains(event.target);
    if (to === undefined || (event.target !== scroller && !isHere)) return;
    event.preventDefault();
    go(to);
  });
}

function pageSize(body: TableBody): number {
  const { viewHeight, rowHeight } = body.extent();
  return Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
}

function clickedIndex(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest('tr') : null;
  const at = row?.dataset['at'];
  return at === undefined ? undefined : Number(at);
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
