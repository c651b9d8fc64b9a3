import { byId } from './dom.ts';
import { rowElement } from './cells.ts';
import type { Rows } from './rows.ts';
import { scrollTo, sliceAt, type Extent } from './scroll.ts';

/** The table of changes: as many rows as are seen are elements, the others are empty space. */
export interface Grid {
  /** Shows these rows, from the top. */
  show(view: Uint32Array): void;
  /** Marks the row whose details are open; undefined: none is. */
  mark(row: number | undefined): void;
  /** Brings a row into sight and puts the focus on it. */
  focus(row: number): void;
  /** The row before or after another one in what is shown. */
  beside(row: number, step: -1 | 1): number | undefined;
  /** Draws the first rows all at once, for paper; without a number as before. */
  print(most?: number): void;
}

interface GridOptions {
  readonly rows: Rows;
  readonly now: number;
  /** A row was chosen, by mouse or keyboard; or reached by the arrow keys. */
  readonly onChoose: (row: number, how: 'mouse' | 'keyboard' | 'arrows') => void;
  readonly onEscape: () => void;
}

/** The table over rows. */
export function createGrid({ rows, now, onChoose, onEscape }: GridOptions): Grid {
  const scroller = byId('scroller', HTMLElement);
  const table = byId('table', HTMLTableElement);
  const body = byId('rows', HTMLTableSectionElement);
  const [above, below] = ['above', 'below'].map((id) => byId(id, HTMLTableSectionElement));
  const drawn = new Map<number, HTMLTableRowElement>();
  let view: Uint32Array = new Uint32Array();
  let rowHeight = 40;
  let active = 0;
  let marked: number | undefined;
  let printed: number | undefined;

  const extent = (): Extent => {
    const head = table.tHead?.offsetHeight ?? 0;
    return {
      rows: view.length,
      rowHeight,
      room: Math.max(rowHeight, scroller.clientHeight - head),
    };
  };
  const draw = (): void => {
    const slice =
      printed === undefined
        ? sliceAt(scroller.scrollTop, extent())
        : { from: 0, to: Math.min(printed, view.length), above: 0, below: 0 };
    // First, so that the table is never shorter in between: a browser would scroll back.
    space(above, slice.above);
    for (const [index, element] of drawn)
      if (index < slice.from || index >= slice.to) {
        if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true });
        element.remove();
        drawn.delete(index);
      }
    let after: Element | null = null;
    for (let index = slice.to - 1; index >= slice.from; index--) {
      const element = drawn.get(index) ?? draft(index);
      if (element.nextElementSibling !== after || !element.isConnected)
        body.insertBefore(element, after);
      after = element;
    }
    space(below, slice.below);
  };
  const draft = (index: number): HTMLTableRowElement => {
    const element = rowElement(rows, view[index] ?? 0, { now, index });
    drawn.set(index, element);
    dress(index, element);
    return element;
  };
  const dress = (index: number, element: HTMLTableRowElement): void => {
    const isMarked = view[index] === marked;
    const button = element.querySelector('button');
    button?.setAttribute('tabindex', index === active ? '0' : '-1');
    button?.setAttribute('aria-expanded', String(isMarked));
    element.classList.toggle('open', isMarked);
  };
  const dressAll = (): void => {
    for (const [index, element] of drawn) dress(index, element);
  };
  const measure = (): void => {
    const height = body.rows[0]?.getBoundingClientRect().height ?? 0;
    if (height > 0 && printed === undefined && Math.abs(height - rowHeight) > 0.01) {
      rowHeight = height;
      draw();
    }
  };
  const goTo = (index: number): void => {
    if (view.length === 0) return;
    active = Math.max(0, Math.min(view.length - 1, index));
    scroller.scrollTop = scrollTo(active, scroller.scrollTop, extent());
    draw();
    dressAll();
    drawn.get(active)?.querySelector('button')?.focus({ preventScroll: true });
  };
  const page = (): number => Math.max(1, Math.floor(extent().room / rowHeight) - 1);

  scroller.addEventListener('scroll', () => void draw(), { passive: true });
  new ResizeObserver(() => {
    draw();
    measure();
  }).observe(scroller);
  scroller.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onEscape();
    const to = targetOf(event.key, { active, page: page(), last: view.length - 1 });
    if (to === undefined || (event.target !== scroller && !inRows(event.target, body))) return;
    event.preventDefault();
    goTo(to);
    const row = view[active];
    if (row !== undefined) onChoose(row, 'arrows');
  });
  body.addEventListener('click', (event) => {
    const index = indexOf(event.target);
    const row = index === undefined ? undefined : view[index];
    if (index === undefined || row === undefined) return;
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
      measure();
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
      measure();
    },
  };
}

function space(section: HTMLTableSectionElement | undefined, height: number): void {
  if (!section) return;
  section.hidden = height === 0;
  const cell = section.rows[0]?.cells[0];
  if (cell) cell.style.height = `${height}px`;
}

function targetOf(
  key: string,
  { active, page, last }: { readonly active: number; readonly page: number; readonly last: number },
): number | undefined {
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

function inRows(target: EventTarget | null, body: HTMLElement): boolean {
  return target instanceof Node && body.contains(target);
}

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest('tr') : null;
  const at = row?.dataset['at'];
  return at === undefined ? undefined : Number(at);
}
