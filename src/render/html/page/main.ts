import type { ReportPart } from '../format.ts';
import { PAGE_WORDS } from '../words.ts';
import { fill, grouped } from '../../words/phrase.ts';
import { sharedIn, type Shared } from './view-address.ts';
import { zoneClock } from '../../words/local.ts';
import { fitColumns, type PlanPage } from './cells.ts';
import type { Choice } from './choice.ts';
import { createControls, type Controls } from './controls.ts';
import { byId } from './dom.ts';
import { countFacets } from './filter-facets.ts';
import { createRowFinder, type RowFilter } from './row-filter.ts';
import { createGrid } from './grid.ts';
import { createSorter } from './row-order.ts';
import { createPanel } from './panel.ts';
import { printOnPaper } from './paper.ts';
import { rowChangeId, createReader, rowOfChange, type ReportRows } from './report-rows.ts';
import { createVisits } from './visits.ts';

/** The browser may draw and answer this often while rows are read. */
const PATIENCE_MS = 50;

void start();

/** Reads the changes out of the report, then brings the table to life. */
async function start(): Promise<void> {
  const root = byId('changes', HTMLElement);
  const length = Number(root.dataset['rows']);
  const clock = zoneClock(root.dataset['zone'] ?? '');
  const page = { now: Number(root.dataset['now']), clock };
  const rows = await readRows(length);
  fitColumns(rows, page);
  run(rows, page);
  showTimesOnPhone();
  byId('reading', HTMLElement).hidden = true;
  for (const part of root.querySelectorAll<HTMLElement>('[data-live]')) part.hidden = length === 0;
  document.documentElement.dataset['ready'] = 'true';
}

async function readRows(length: number): Promise<ReportRows> {
  const reader = createReader(length);
  let drawnAt = performance.now();
  for (const part of document.querySelectorAll('script.part')) {
    reader.take(JSON.parse(part.textContent ?? '') as ReportPart);
    part.remove();
    if (performance.now() - drawnAt < PATIENCE_MS) continue;
    showCount('reading', PAGE_WORDS.reading, reader.rows.ids.length, length);
    await breath();
    drawnAt = performance.now();
  }
  return reader.rows;
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

function run(rows: ReportRows, page: PlanPage): void {
  const facets = countFacets(rows);
  const finder = createRowFinder(rows, facets);
  const sorter = createSorter(rows, facets);
  let view: Uint32Array = new Uint32Array();
  let choice: Choice = EVERYTHING;
  const visits = createVisits((fragment) => visit(sharedIn(fragment, facets)));
  const update = (): void => {
    const { row } = panel;
    visits.show({ ...choice, ...(row !== undefined && { change: rowChangeId(rows, row) }) });
  };
  const close = (): void => {
    const { row } = panel;
    panel.close();
    grid.mark(undefined);
    update();
    if (row !== undefined) grid.focus(row);
  };
  const open = (row: number): void => {
    panel.open(row);
    grid.mark(row);
    update();
  };
  const panel = createPanel({
    rows,
    page,
    onClose: close,
    onStep(step) {
      const next = panel.row === undefined ? undefined : grid.beside(panel.row, step);
      if (next === undefined) return;
      grid.focus(next);
      open(next);
      panel.enter();
    },
  });
  const grid = createGrid({
    rows,
    page,
    onEscape: close,
    onChoose(row, how) {
      if (how === 'arrows' && panel.row === undefined) return;
      open(row);
      if (how === 'keyboard') panel.enter();
    },
  });
  const controls = createControls(facets, (next) => {
    choice = next;
    view = finder.find(choice.wanted, sorter.order(choice.sorting));
    grid.show(view);
    showCount('count', PAGE_WORDS.counted, view.length, rows.length);
    byId('empty', HTMLElement).hidden = view.length > 0;
    update();
  });
  const visit = ({ change, ...shared }: Shared): void => {
    const row = change === undefined ? -1 : rowOfChange(rows, change);
    panel.close();
    grid.mark(undefined);
    controls.set(shared);
    if (row >= 0) open(row);
    if (view.includes(row)) grid.focus(row);
  };
  visit(sharedIn(location.hash, facets));
  followLinks(controls);
  printOnPaper(rows, grid, () => view);
}

const EVERYTHING: Choice = { wanted: { text: '', facets: {} }, sorting: undefined };

/**
 * Numbers and bars outside the table link to the rows that they count, by the fragment in their
 * URL.
 */
function followLinks(controls: Controls): void {
  const section = byId('changes', HTMLElement);
  for (const link of document.querySelectorAll<HTMLElement>('a[href="#changes"]'))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const { show } = link.dataset;
      if (show !== undefined)
        controls.set({
          wanted: { text: '', facets: JSON.parse(show) as RowFilter['facets'] },
          sorting: undefined,
        });
      section.focus();
    });
}

/** A drawing of weeks is wider than a phone: there its table is open. */
function showTimesOnPhone(): void {
  const times = document.querySelector<HTMLDetailsElement>('.wide:has(.timeline) + details');
  if (times && matchMedia('(max-width: 40rem)').matches) times.open = true;
}

function showCount(id: string, phrase: string, shown: number, all: number): void {
  const params = { shown: grouped(shown), all: grouped(all) };
  byId(id, HTMLElement).textContent = fill(phrase, params, (text) => text);
}
