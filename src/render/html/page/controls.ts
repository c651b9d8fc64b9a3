import { grouped } from '../../words/phrase.ts';
import { PAGE_WORDS } from '../words.ts';
import type { Sorting } from '../format.ts';
import { byId, make } from './dom.ts';
import { noChoice, rankTexts, type Choice } from './find.ts';
import type { Rows } from './rows.ts';

export interface Controls {
  /** Shows a choice in the controls, as if the reader had made it there. */
  set(choice: Choice): void;
}

/** The search field, the lists, the chips, the sortable headings, and the links to rows. */
export function createControls(rows: Rows, onChoice: (choice: Choice) => void): Controls {
  let choice = noChoice(rows);
  const search = byId('search', HTMLInputElement);
  const chips = [...document.querySelectorAll<HTMLButtonElement>('button.chip')];
  const heads = [...document.querySelectorAll<HTMLElement>('#table th[data-column]')];
  const lists = rows.head.filters.map(([name]) => [name, fillList(rows, name)] as const);

  const set = (next: Choice): void => {
    choice = next;
    const { text, values, sorting } = choice;
    if (search.value !== text) search.value = text;
    for (const [name, list] of lists) list.value = optionValue(values[name]);
    for (const chip of chips)
      chip.setAttribute('aria-pressed', String(isChosen(rows, chip, choice)));
    for (const head of heads) head.setAttribute('aria-sort', sortWord(head, sorting));
    onChoice(choice);
  };
  const want = (name: string, value: string | undefined): void => {
    const { [name]: _old, ...others } = choice.values;
    set({ ...choice, values: value === undefined ? others : { ...others, [name]: value } });
  };

  search.addEventListener('input', () => set({ ...choice, text: search.value }));
  for (const [name, list] of lists)
    list.addEventListener('change', () =>
      want(name, list.value === '' ? undefined : list.value.slice(1)),
    );
  for (const chip of chips)
    chip.addEventListener('click', () =>
      want(
        rows.head.chips ?? '',
        isChosen(rows, chip, choice) ? undefined : (chip.textContent ?? ''),
      ),
    );
  for (const head of heads)
    head.querySelector('button')?.addEventListener('click', () => {
      const sorting = nextSorting(head.dataset['column'] ?? '', choice.sorting);
      set({ ...choice, sorting: sorting ?? rows.head.sorting });
    });
  byId('clear', HTMLButtonElement).addEventListener('click', () => {
    set(noChoice(rows));
    search.focus();
  });
  followLinks((values) => set({ ...noChoice(rows), values }));
  return { set };
}

function isChosen({ head }: Rows, chip: HTMLElement, { values }: Choice): boolean {
  return values[head.chips ?? ''] === chip.textContent;
}

/** Ascending first, then descending, then as the page has it. */
function nextSorting(by: string, sorting: Sorting | undefined): Sorting | undefined {
  if (sorting?.by !== by) return { by, descending: false };
  return sorting.descending ? undefined : { by, descending: true };
}

function sortWord(head: HTMLElement, sorting: Sorting | undefined): string {
  if (sorting?.by !== head.dataset['column']) return 'none';
  return sorting?.descending ? 'descending' : 'ascending';
}

/** List values have a prefix, because the empty text is a value too. */
function optionValue(text: string | undefined): string {
  return text === undefined ? '' : `=${text}`;
}

/** Fills a list with each value and its number of rows; a list without a choice is hidden. */
function fillList(rows: Rows, name: string): HTMLSelectElement {
  const list = byId(`f-${name}`, HTMLSelectElement);
  const { texts, codes } = rows.column(name);
  const counts = new Uint32Array(texts.length);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const ranks = rankTexts(texts);
  const order = texts.map((_, code) => code).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const options = order.map((code) => {
    const text = texts[code] ?? '';
    const label = `${text || PAGE_WORDS.none} · ${grouped(counts[code] ?? 0)}`;
    return make('option', { value: optionValue(text) }, label);
  });
  list.replaceChildren(make('option', { value: '' }, PAGE_WORDS.all), ...options);
  const field = list.closest<HTMLElement>('.field');
  if (field) field.hidden = texts.length < 2;
  return list;
}

/** Numbers and bars outside the table link to the rows that they count. */
function followLinks(show: (values: Choice['values']) => void): void {
  const section = byId('all', HTMLElement);
  for (const link of document.querySelectorAll<HTMLElement>('a[href="#all"]'))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const { show: values } = link.dataset;
      if (values !== undefined) show(JSON.parse(values) as Choice['values']);
      section.focus();
    });
}
