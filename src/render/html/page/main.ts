import { fill, grouped } from '../../words/phrase.ts';
import type { TableHead, TablePart } from '../format.ts';
import { PAGE_WORDS } from '../words.ts';
import { readFragment, type Shared } from './address.ts';
import { createControls } from './controls.ts';
import { createDetails } from './details.ts';
import { byId } from './dom.ts';
import { createFinder, noChoice, type Choice } from './find.ts';
import { createGrid } from './grid.ts';
import { printOnPaper } from './paper.ts';
import { createReader, findRow, rowId, type Rows } from './rows.ts';
import { createVisits } from './visits.ts';

/** The browser may draw and answer this often while rows are read. */
const PATIENCE_MS = 50;

void start();

/** Reads the rows out of the page, then brings their table to life. */
async function start(): Promise<void> {
  const rows = await readRows();
  run(rows);
  showTimesOnPhone();
  byId('reading', HTMLElement).hidden = true;
  byId('live', HTMLElement).hidden = rows.head.rows === 0;
  document.documentElement.dataset['ready'] = 'true';
}

async function readRows(): Promise<Rows> {
  const [first, ...parts] = document.querySelectorAll('script.part');
  const reader = createReader(readPart<TableHead>(first));
  let drawnAt = performance.now();
  for (const part of parts) {
    reader.take(readPart<TablePart>(part));
    if (performance.now() - drawnAt < PATIENCE_MS) continue;
    const { ids, head } = reader.rows;
    showCount('reading', PAGE_WORDS.reading, ids.length, head.rows);
    await breath();
    drawnAt = performance.now();
  }
  return reader.rows;
}

/** Takes the data of a script element out of the page. */
function readPart<Data>(script: Element | undefined): Data {
  const data = JSON.parse(script?.textContent ?? '') as Data;
  script?.remove();
  return data;
}

/** Lets the browser do what waits. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve());
    port1.start();
    port2.postMessage(undefined);
  });
}

function run(rows: Rows): void {
  const find = createFinder(rows);
  let view: Uint32Array = new Uint32Array();
  let choice: Choice = noChoice(rows);
  const visits = createVisits(rows, (shared) => visit(shared));
  const update = (): void => {
    const { row } = details;
    visits.show({ ...choice, ...(row !== undefined && { open: rowId(rows, row) }) });
  };
  const select = (row: number | undefined): void => {
    details.show(row);
    grid.mark(row);
  };
  const open = (row: number): void => {
    select(row);
    update();
  };
  const close = (): void => {
    const { row } = details;
    select(undefined);
    update();
    if (row !== undefined) grid.focus(row);
  };
  const details = createDetails(rows, {
    onClose: close,
    onStep(step) {
      const next = details.row === undefined ? undefined : grid.beside(details.row, step);
      if (next === undefined) return;
      grid.focus(next);
      open(next);
      details.enter();
    },
  });
  const grid = createGrid(rows, {
    onEscape: close,
    onChoose(row, how) {
      if (how === 'arrows' && details.row === undefined) return;
      open(row);
      if (how === 'keyboard') details.enter();
    },
  });
  const controls = createControls(rows, (next) => {
    choice = next;
    view = find(choice);
    grid.show(view);
    showCount('count', rows.head.counted, view.length, rows.head.rows);
    byId('empty', HTMLElement).hidden = view.length > 0;
    update();
  });
  const visit = ({ open: name, ...shared }: Shared): void => {
    const row = name === undefined ? -1 : findRow(rows, name);
    select(undefined);
    controls.set(shared);
    if (row >= 0) open(row);
    if (view.includes(row)) grid.focus(row);
  };
  visit(readFragment(rows, location.hash));
  printOnPaper(rows, grid, () => view);
}

/** A drawing of weeks is wider than a phone: there its table is open. */
function showTimesOnPhone(): void {
  const times = document.querySelector<HTMLDetailsElement>('.wide:has(.plot) + details');
  if (times && matchMedia('(max-width: 40rem)').matches) times.open = true;
}

function showCount(id: string, phrase: string, shown: number, all: number): void {
  const params = { shown: grouped(shown), all: grouped(all) };
  byId(id, HTMLElement).textContent = fill(phrase, params, String);
}
