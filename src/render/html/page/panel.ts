import type { PlanPage } from './cells.ts';
import { changeDetails, changeTitle } from './details.ts';
import { byId } from './dom.ts';
import type { ReportRows } from './report-rows.ts';

/** The details of one change, next to the table. */
export interface Panel {
  /** The row whose details are open. */
  readonly row: number | undefined;
  open(row: number): void;
  /** Focuses the heading of the details. */
  enter(): void;
  close(): void;
}

interface PanelOptions {
  readonly rows: ReportRows;
  readonly page: PlanPage;
  /** Called when the reader asks for the previous or next change. */
  readonly onStep: (step: -1 | 1) => void;
  readonly onClose: () => void;
}

/** Creates the panel, closed. */
export function createPanel({ rows, page, onStep, onClose }: PanelOptions): Panel {
  const panel = byId('details', HTMLElement);
  const title = byId('details-title', HTMLElement);
  const body = byId('details-body', HTMLElement);
  let row: number | undefined;
  byId('previous', HTMLButtonElement).addEventListener('click', () => onStep(-1));
  byId('next', HTMLButtonElement).addEventListener('click', () => onStep(1));
  byId('close', HTMLButtonElement).addEventListener('click', onClose);
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onClose();
  });
  return {
    get row() {
      return row;
    },
    open(next) {
      row = next;
      title.textContent = changeTitle(rows, next);
      body.replaceChildren(...changeDetails(rows, next, page));
      body.scrollTop = 0;
      panel.hidden = false;
    },
    enter: () => title.focus({ preventScroll: true }),
    close() {
      row = undefined;
      panel.hidden = true;
    },
  };
}
