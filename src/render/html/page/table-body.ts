import { rowElement, type PlanPage } from './cells.ts';
import { byId, setSpace } from './dom.ts';
import type { ReportRows } from './report-rows.ts';
import { sliceAt, type Extent, type RowRange } from './scroll.ts';

/** The rows with a different style. */
interface RowMarks {
  /** The index that the arrow keys are at. */
  readonly active: number;
  /** The row whose details are open. */
  readonly marked: number | undefined;
}

/** The visible rows of the table as elements, and a few around them. */
export interface TableBody {
  readonly element: HTMLTableSectionElement;
  /** Shows these rows instead. */
  fill(view: Uint32Array): void;
  /** Draws the visible rows; with a number, the first `most` rows, for paper. */
  draw(most?: number): void;
  /** Updates the style of every drawn row. */
  dress(marks: RowMarks): void;
  at(index: number): HTMLTableRowElement | undefined;
  extent(): Extent;
}

/** Creates the body of the table inside its scroll area. */
export function createTableBody(
  { rows, page }: { readonly rows: ReportRows; readonly page: PlanPage },
  scroller: HTMLElement,
): TableBody {
  const table = byId('table', HTMLTableElement);
  const body = byId('rows', HTMLTableSectionElement);
  const above = byId('above', HTMLTableSectionElement);
  const below = byId('below', HTMLTableSectionElement);
  const drawn = new Map<number, HTMLTableRowElement>();
  let view: Uint32Array = new Uint32Array();
  let marks: RowMarks = { active: 0, marked: undefined };
  let rowHeight = 40;

  const extent = (): Extent => {
    const head = table.tHead?.offsetHeight ?? 0;
    const viewHeight = Math.max(rowHeight, scroller.clientHeight - head);
    return { rows: view.length, rowHeight, viewHeight };
  };
  const rowAt = (index: number): HTMLTableRowElement => {
    const row = view[index] ?? 0;
    const element = drawn.get(index) ?? rowElement(rows, row, { page, index });
    if (!drawn.has(index))
      dressRow(element, { isActive: index === marks.active, isMarked: row === marks.marked });
    drawn.set(index, element);
    return element;
  };
  const measure = (): boolean => {
    const height = body.rows[0]?.getBoundingClientRect().height ?? 0;
    const differs = height > 0 && Math.abs(height - rowHeight) > 0.01;
    if (differs) rowHeight = height;
    return differs;
  };
  const place = (slice: RowRange): void => {
    // This runs first, so that the table never shrinks in between: the browser would scroll back.
    setSpace(above, slice.above);
    drop(drawn, slice, scroller);
    let after: Element | null = null;
    for (let index = slice.to - 1; index >= slice.from; index--) {
      const element = rowAt(index);
      if (element.nextElementSibling !== after || !element.isConnected)
        body.insertBefore(element, after);
      after = element;
    }
    setSpace(below, slice.below);
  };
  return {
    element: body,
    fill(next) {
      view = next;
      for (const element of drawn.values()) element.remove();
      drawn.clear();
      table.setAttribute('aria-rowcount', String(view.length + 1));
    },
    draw(most) {
      if (most !== undefined)
        return place({ from: 0, to: Math.min(most, view.length), above: 0, below: 0 });
      place(sliceAt(scroller.scrollTop, extent()));
      if (measure()) place(sliceAt(scroller.scrollTop, extent()));
    },
    dress(next) {
      marks = next;
      for (const [index, element] of drawn)
        dressRow(element, {
          isActive: index === marks.active,
          isMarked: view[index] === marks.marked,
        });
    },
    at: (index) => drawn.get(index),
    extent,
  };
}

function dressRow(
  element: HTMLTableRowElement,
  { isActive, isMarked }: { readonly isActive: boolean; readonly isMarked: boolean },
): void {
  const button = element.querySelector('button');
  button?.setAttribute('tabindex', isActive ? '0' : '-1');
  button?.setAttribute('aria-expanded', String(isMarked));
  element.classList.toggle('open', isMarked);
}

/**
 * Removes rows that are no longer visible; the table takes the focus first, so that it is not lost.
 */
function drop(
  drawn: Map<number, HTMLTableRowElement>,
  { from, to }: RowRange,
  scroller: HTMLElement,
): void {
  for (const [index, element] of drawn) {
    if (index >= from && index < to) continue;
    if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true });
    element.remove();
    drawn.delete(index);
  }
}
