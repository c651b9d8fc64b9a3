import { COLUMN_LABELS, FILTER_LABELS, type TableColumn } from '../words.ts';
import type { Choice } from './choice.ts';
import type { FacetName, FilterFacets } from './filter-facets.ts';

/** The state of the page in the fragment of its URL, so that a view can be shared. */
export interface Shared extends Choice {
  /** The change whose details are open: `upgradeFirmware/dev-7`. */
  readonly change?: string;
}

const NAMES = [...Object.keys(FILTER_LABELS), 'group'] as FacetName[];

/** The prefix of a view's fragment; any other fragment is an anchor in the page. */
const START = '#view?';

/** A longer search text is ignored. */
const LONGEST = 300;

/** A view as a fragment; the empty text for the view without filters. */
export function toFragment({ wanted, sorting, change }: Shared): string {
  const said = new URLSearchParams();
  if (wanted.text !== '') said.set('search', wanted.text);
  for (const name of NAMES) {
    const label = wanted.facets[name];
    if (label !== undefined) said.set(name, label);
  }
  if (sorting) said.set('sort', `${sorting.descending ? '-' : ''}${sorting.by}`);
  if (change !== undefined) said.set('change', change);
  const text = said.toString();
  return text === '' ? '' : `${START}${text}`;
}

/** The view of a fragment; unknown parts are ignored. */
export function sharedIn(fragment: string, facets: FilterFacets): Shared {
  const said = new URLSearchParams(fragment.startsWith(START) ? fragment.slice(START.length) : '');
  const labels: Partial<Record<FacetName, string>> = {};
  for (const name of NAMES) {
    const label = said.get(name);
    if (label !== null && facets[name].labels.includes(label)) labels[name] = label;
  }
  const change = said.get('change');
  return {
    wanted: { text: (said.get('search') ?? '').slice(0, LONGEST), facets: labels },
    sorting: parseSorting(said.get('sort') ?? ''),
    ...(change !== null && { change }),
  };
}

function parseSorting(text: string): Choice['sorting'] {
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return Object.hasOwn(COLUMN_LABELS, column)
    ? { by: column as TableColumn, descending }
    : undefined;
}
