import { PAGE_WORDS } from '../words.ts';
import { byId, isolated, isolatedProse, make } from './dom.ts';
import { deviceName, fullText, rowText, type Rows } from './rows.ts';

/** The details of one row, next to the table. */
export interface Details {
  /** The row whose details are open. */
  readonly row: number | undefined;
  /** Opens the details of a row; undefined: closes them. */
  show(row: number | undefined): void;
  /** Focuses the heading of the details. */
  enter(): void;
}

interface DetailsOptions {
  /** Called when the reader asks for the previous or next row. */
  readonly onStep: (step: -1 | 1) => void;
  readonly onClose: () => void;
}

/** Creates the details, closed. */
export function createDetails(rows: Rows, { onStep, onClose }: DetailsOptions): Details {
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
    show(next) {
      row = next;
      panel.hidden = next === undefined;
      if (next === undefined) return;
      title.textContent = titleText(rows, next);
      body.replaceChildren(factList(rows, next), ...editTable(rows, next), ...stepList(rows, next));
      body.scrollTop = 0;
    },
    enter: () => title.focus({ preventScroll: true }),
  };
}

function titleText(rows: Rows, row: number): string {
  const { title } = rows.head.details;
  const before = title === undefined ? '' : `${rowText(rows, title, row)}: `;
  return `${before}${deviceName(rows, row)}`;
}

function factList(rows: Rows, row: number): HTMLElement {
  const list = make('dl');
  for (const { label, of, isProse } of rows.head.details.facts) {
    const text = of
      .map((name) => fullText(rows, name, row))
      .filter(Boolean)
      .join(', ');
    if (text === '') continue;
    const told = isProse ? isolatedProse(text) : isolated(text);
    list.append(make('dt', {}, label), make('dd', {}, told));
  }
  return list;
}

/** What it was and what it becomes, field by field. */
function editTable(rows: Rows, row: number): readonly HTMLElement[] {
  const edits = rows.edits(row);
  if (edits.length === 0) return [];
  const { field, before, after, nothingWanted } = PAGE_WORDS;
  const head = [field, before, after].map((label) => make('th', { scope: 'col' }, label));
  const body = edits.map(([name, old, current]) => {
    const changes = current !== null && current !== old;
    const was = isolated(old ?? '');
    return make(
      'tr',
      changes ? { class: 'changes' } : {},
      make('th', { scope: 'row' }, isolated(name)),
      make('td', {}, changes && old !== null ? make('del', {}, was) : was),
      make('td', {}, changes ? make('ins', {}, isolated(current)) : nothingWanted),
    );
  });
  const [top, rest] = [make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body)];
  return [make('table', { class: 'edit' }, top, rest)];
}

/** The checks in their order: those that passed, the one that decided, and those that were not evaluated. */
function stepList(rows: Rows, row: number): readonly HTMLElement[] {
  const { steps } = rows.head.details;
  const decided = steps ? Number(rowText(rows, 'step', row)) : -1;
  if (!steps || decided < 0) return [];
  const items = steps.map((text, step) => {
    const state = step < decided ? 'passed' : step === decided ? 'decided' : 'unasked';
    const told = state === 'decided' ? isolatedProse(rowText(rows, 'says', row)) : text;
    return make(
      'li',
      { class: state },
      make('span', { class: 'sr' }, `${PAGE_WORDS[state]}: `),
      told,
    );
  });
  return [make('h4', {}, PAGE_WORDS.steps), make('ol', { class: 'steps' }, ...items)];
}
