import { grouped, fill } from '../../../words/phrase.ts';
import { DEVICE_COLUMNS, DEVICE_WORDS } from '../../fleet/part-format.ts';
import { byId, isolated, make, setSpace } from '../dom.ts';
import { rankTexts } from '../row-order.ts';
import { sliceAt } from '../scroll.ts';
import { findDevices, readDevices, sortDevices, type DeviceRows } from './device-index.ts';

/** How many rows are printed. */
const ON_PAPER = 2_000;

start();

/** Reads the devices out of the page, then brings their table to life. */
function start(): void {
  const root = byId('devices', HTMLElement);
  const rows = readDevices(Number(root.dataset['rows']));
  byId('reading', HTMLElement).hidden = true;
  const isEmpty = rows.length === 0;
  for (const part of root.querySelectorAll<HTMLElement>('[data-live]')) part.hidden = isEmpty;
  const body = createBody(rows);
  connectControls(rows, (view) => {
    body.show(view);
    const params = { shown: grouped(view.length), all: grouped(rows.length) };
    byId('count', HTMLElement).textContent = fill(DEVICE_WORDS.counted, params, (text) => text);
    byId('empty', HTMLElement).hidden = view.length > 0;
  });
  document.documentElement.dataset['ready'] = 'true';
}

interface Body {
  show(view: Uint32Array): void;
}

/** The visible rows and a few around them. */
function createBody(rows: DeviceRows): Body {
  const scroller = byId('scroller', HTMLElement);
  const body = byId('rows', HTMLTableSectionElement);
  let view: Uint32Array = new Uint32Array();
  let rowHeight = 38;
  const draw = (most?: number): void => {
    const viewHeight = Math.max(rowHeight, scroller.clientHeight);
    const extent = { rows: view.length, rowHeight, viewHeight };
    const slice =
      most === undefined
        ? sliceAt(scroller.scrollTop, extent)
        : { from: 0, to: Math.min(most, view.length), above: 0, below: 0 };
    setSpace(byId('above', HTMLTableSectionElement), slice.above);
    body.replaceChildren(
      ...Array.from({ length: slice.to - slice.from }, (_, index) =>
        rowElement(rows, view[slice.from + index] ?? 0, slice.from + index),
      ),
    );
    setSpace(byId('below', HTMLTableSectionElement), slice.below);
  };
  const settle = (): void => {
    draw();
    const height = body.rows[0]?.getBoundingClientRect().height ?? rowHeight;
    if (Math.abs(height - rowHeight) < 0.01) return;
    rowHeight = height;
    draw();
  };
  scroller.addEventListener('scroll', () => draw(), { passive: true });
  addEventListener('resize', settle);
  addEventListener('beforeprint', () => draw(ON_PAPER));
  addEventListener('afterprint', () => draw());
  return {
    show(next) {
      view = next;
      scroller.scrollTop = 0;
      byId('table', HTMLTableElement).setAttribute('aria-rowcount', String(view.length + 1));
      settle();
    },
  };
}

function rowElement({ labels, columns }: DeviceRows, row: number, index: number): HTMLElement {
  const cells = columns.map(({ codes, texts }, column) => {
    const text = texts[codes[row] ?? 0] ?? '';
    const name = DEVICE_COLUMNS[column]?.[0] ?? '';
    return make('td', { class: `c-${name}`, title: text }, isolated(text));
  });
  const head = make('th', { scope: 'row', title: labels[row] ?? '' }, isolated(labels[row] ?? ''));
  return make('tr', { 'aria-rowindex': String(index + 2) }, head, ...cells);
}

/** The search, the lists and the headings; each change gives the rows to show. */
function connectControls(rows: DeviceRows, show: (view: Uint32Array) => void): void {
  const search = byId('search', HTMLInputElement);
  const lists = DEVICE_COLUMNS.map(([name]) => byId(`f-${name}`, HTMLSelectElement));
  let order = sortDevices(rows, -1, false);
  const update = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = new Map(
      lists.flatMap((list, index) =>
        list.value === '' ? [] : [[index, list.value.slice(1)] as const],
      ),
    );
    show(findDevices(rows, { words, chosen }, order));
  };
  lists.forEach((list, index) => {
    fillList(list, rows, index);
    list.addEventListener('change', update);
  });
  search.addEventListener('input', update);
  byId('clear', HTMLButtonElement).addEventListener('click', () => {
    search.value = '';
    for (const list of lists) list.value = '';
    update();
  });
  for (const head of document.querySelectorAll<HTMLElement>('#table th[data-column]'))
    head.querySelector('button')?.addEventListener('click', () => {
      const isDown = head.getAttribute('aria-sort') === 'ascending';
      for (const other of document.querySelectorAll('#table th[data-column]'))
        other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      order = sortDevices(rows, Number(head.dataset['column']), isDown);
      update();
    });
  followLinks(lists, update);
  update();
}

/** A number of a table links to the devices that it counts. */
function followLinks(lists: readonly HTMLSelectElement[], update: () => void): void {
  for (const link of document.querySelectorAll<HTMLElement>('a[data-show]'))
    link.addEventListener('click', () => {
      const wanted = JSON.parse(link.dataset['show'] ?? '{}') as Readonly<Record<string, string>>;
      DEVICE_COLUMNS.forEach(([name], index) => {
        const list = lists[index];
        if (list) list.value = wanted[name] === undefined ? '' : `=${wanted[name]}`;
      });
      update();
    });
}

/** The values of a column with their numbers of devices; a list of one value is hidden. */
function fillList(list: HTMLSelectElement, rows: DeviceRows, index: number): void {
  const { codes, texts } = rows.columns[index] ?? { codes: new Uint32Array(), texts: [] };
  const counts = new Uint32Array(texts.length);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const ranks = rankTexts(texts);
  const order = texts.map((_, code) => code).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const options = order.map((code) => {
    const text = texts[code] ?? '';
    const label = `${text || DEVICE_WORDS.none} · ${grouped(counts[code] ?? 0)}`;
    return make('option', { value: `=${text}` }, label);
  });
  list.replaceChildren(make('option', { value: '' }, DEVICE_WORDS.all), ...options);
  const field = list.closest<HTMLElement>('.field');
  if (field) field.hidden = texts.length < 2;
}
