import { FILTER_LABELS, PAGE_WORDS, type TableColumn, type FilterName } from '../words.ts';
import { grouped } from '../../words/phrase.ts';
import type { Choice } from './choice.ts';
import { byId, make } from './dom.ts';
import type { FacetName, FilterFacets } from './filter-facets.ts';
import type { Sorting } from './row-order.ts';
import { rankTexts } from './row-order.ts';

const FILTERS = Object.keys(FILTER_LABELS) as FilterName[];

export interface Controls {
  /** Shows a choice in the controls, as if the reader had made it there. */
  set(choice: Choice): void;
}

/** The search field, the lists, the chips and the sortable headings. */
export function createControls(facets: FilterFacets, onChoice: (choice: Choice) => void): Controls {
  let choice: Choice = { wanted: { text: '', facets: {} }, sorting: undefined };
  const search = byId('search', HTMLInputElement);
  const chips = [...document.querySelectorAll<HTMLButtonElement>('button[data-group]')];
  const heads = [...document.querySelectorAll<HTMLElement>('#table th[data-column]')];
  const lists = new Map(FILTERS.map((name) => [name, byId(`f-${name}`, HTMLSelectElement)]));
  for (const [name, list] of lists) fillList(list, facets, name);

  const set = (next: Choice): void => {
    choice = next;
    const { wanted, sorting } = choice;
    if (search.value !== wanted.text) search.value = wanted.text;
    for (const [name, list] of lists) list.value = optionValue(wanted.facets[name]);
    for (const chip of chips)
      chip.setAttribute('aria-pressed', String(wanted.facets.group === chip.dataset['group']));
    for (const head of heads) head.setAttribute('aria-sort', sortWord(head, sorting));
    onChoice(choice);
  };
  const want = (facetName: FacetName, label: string | undefined): void => {
    const { [facetName]: _old, ...others } = choice.wanted.facets;
    const facets = label === undefined ? others : { ...others, [facetName]: label };
    set({ ...choice, wanted: { ...choice.wanted, facets } });
  };

  search.addEventListener('input', () =>
    set({ ...choice, wanted: { ...choice.wanted, text: search.value } }),
  );
  for (const [name, list] of lists)
    list.addEventListener('change', () =>
      want(name, list.value === '' ? undefined : list.value.slice(1)),
    );
  for (const chip of chips)
    chip.addEventListener('click', () => {
      const { group } = chip.dataset;
      want('group', choice.wanted.facets.group === group ? undefined : group);
    });
  for (const head of heads)
    head.querySelector('button')?.addEventListener('click', () => {
      const column = head.dataset['column'] as TableColumn;
      set({ ...choice, sorting: nextSorting(column, choice.sorting) });
    });
  byId('clear', HTMLButtonElement).addEventListener('click', () => {
    set({ wanted: { text: '', facets: {} }, sorting: undefined });
    search.focus();
  });
  return { set };
}

/** Ascending first, then descending, then the order of the plan. */
function nextSorting(column: TableColumn, sorting: Sorting | undefined): Sorting | undefined {
  if (sorting?.by !== column) return { by: column, descending: false };
  return sorting.descending ? undefined : { by: column, descending: true };
}

function sortWord(head: HTMLElement, sorting: Sorting | undefined): string {
  if (sorting?.by !== head.dataset['column']) return 'none';
  return sorting?.descending ? 'descending' : 'ascending';
}

/** List values have a prefix, because the empty label is a value too. */
function optionValue(label: string | undefined): string {
  return label === undefined ? '' : `=${label}`;
}

/** Fills a list with each value and its number of rows; a list without a choice is hidden. */
function fillList(list: HTMLSelectElement, facets: FilterFacets, name: FilterName): void {
  const { labels, counts } = facets[name];
  const ranks = rankTexts(labels);
  const order = labels.map((_, place) => place).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const options = order.map((place) => {
    const label = labels[place] ?? '';
    const count = grouped(counts[place] ?? 0);
    return make('option', { value: optionValue(label) }, `${label || PAGE_WORDS.none} · ${count}`);
  });
  list.replaceChildren(make('option', { value: '' }, PAGE_WORDS.all), ...options);
  const field = list.closest<HTMLElement>('.field');
  if (field) field.hidden = labels.length < 2;
}
