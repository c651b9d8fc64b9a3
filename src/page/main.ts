import type { ReportPart } from '../render/html/format.ts';
import { PAGE_WORDS } from '../render/html/words.ts';
import { fill, grouped } from '../render/phrase.ts';
import { createControls, type Choice, type Controls } from './controls.ts';
import { byId } from './dom.ts';
import { facetsOf } from './facets.ts';
import { createFinder, type Wanted } from './filter.ts';
import { createGrid } from './grid.ts';
import { createSorter } from './order.ts';
import { createPanel } from './panel.ts';
import { createReader, type Rows } from './rows.ts';

/** Rows that are printed: what more there is belongs on no paper. */
const PRINTED = 400;

/** The browser may draw and answer this often while rows are read. */
const PATIENCE_MS = 50;

void start();

/** Reads the changes out of the report, then brings the table to life. */
async function start(): Promise<void> {
  const root = byId('changes', HTMLElement);
  const length = Number(root.dataset['rows']);
  const now = Number(root.dataset['now']);
  const rows = await readRows(length);
  run(rows, now);
  byId('reading', HTMLElement).hidden = true;
  for (const part of root.querySelectorAll<HTMLElement>('[data-live]')) part.hidden = false;
  document.documentElement.dataset['ready'] = 'true';
}

async function readRows(length: number): Promise<Rows> {
  const reader = createReader(length);
  let drawnAt = performance.now();
  for (const part of document.querySelectorAll('script.part')) {
    reader.take(JSON.parse(part.textContent ?? '') as ReportPart);
    part.remove();
    if (performance.now() - drawnAt < PATIENCE_MS) continue;
    tell('reading', PAGE_WORDS.reading, reader.rows.ids.length, length);
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

function run(rows: Rows, now: number): void {
  const facets = facetsOf(rows);
  const finder = createFinder(rows, facets);
  const sorter = createSorter(rows, facets);
  let view: Uint32Array = new Uint32Array();
  const close = (): void => {
    const { row } = panel;
    panel.close();
    grid.mark(undefined);
    if (row !== undefined) grid.focus(row);
  };
  const open = (row: number): void => {
    panel.open(row);
    grid.mark(row);
  };
  const panel = createPanel({
    rows,
    now,
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
    now,
    onEscape: close,
    onChoose(row, how) {
      if (how === 'arrows' && panel.row === undefined) return;
      open(row);
      if (how === 'keyboard') panel.enter();
    },
  });
  const choose = ({ wanted, sorting }: Choice): void => {
    view = finder.find(wanted, sorter.order(sorting));
    grid.show(view);
    tell('count', PAGE_WORDS.counted, view.length, rows.length);
    byId('empty', HTMLElement).hidden = view.length > 0;
  };
  const controls = createControls(facets, choose);
  controls.set({ wanted: { text: '', facets: {} }, sorting: undefined });
  followLinks(controls);
  addEventListener('beforeprint', () => {
    grid.print(PRINTED);
    tell('printed', PAGE_WORDS.printed, Math.min(PRINTED, view.length), rows.length);
  });
  addEventListener('afterprint', () => grid.print());
}

/** Numbers and bars outside of the table lead to the rows that they count. */
function followLinks(controls: Controls): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-show]'))
    link.addEventListener('click', () => {
      const facets = JSON.parse(link.dataset['show'] ?? '{}') as Wanted['facets'];
      controls.set({ wanted: { text: '', facets }, sorting: undefined });
    });
}

function tell(id: string, phrase: string, shown: number, all: number): void {
  const params = { shown: grouped(shown), all: grouped(all) };
  byId(id, HTMLElement).textContent = fill(phrase, params, (text) => text);
}
