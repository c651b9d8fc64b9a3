import type { FacetName, FilterFacets } from './filter-facets.ts';
import { editText, type ReportRows } from './report-rows.ts';

/**
 * The conditions for rows: they contain every word of the text, and have this value of each facet.
 */
export interface RowFilter {
  readonly text: string;
  readonly facets: Readonly<Partial<Record<FacetName, string>>>;
}

export const EVERYTHING: RowFilter = { text: '', facets: {} };

/** Finds rows; the data for the text search is built at the first search. */
interface Finder {
  /** The rows of an order that match, in that order. */
  find(wanted: RowFilter, order: Uint32Array): Uint32Array;
}

/** Creates a finder over rows. */
export function createRowFinder(rows: ReportRows, facets: FilterFacets): Finder {
  let texts: Texts | undefined;
  return {
    find({ text, facets: values }, order) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length > 0) texts ??= searchTexts(rows);
      const tests = [
        ...Object.entries(values).map(([name, label]) => {
          const { labels, of: values } = facets[name as FacetName];
          const place = labels.indexOf(label);
          return (row: number): boolean => values(row) === place;
        }),
        ...words.map((word) => wordTest(texts ?? searchTexts(rows), word)),
      ];
      if (tests.length === 0) return order;
      return order.filter((row) => tests.every((test) => test(row)));
    },
  };
}

/** All searchable texts in lower case: one for each row, or for each dictionary entry. */
interface Texts {
  readonly devices: readonly string[];
  readonly columns: readonly { readonly codes: Uint32Array; readonly texts: readonly string[] }[];
}

function searchTexts({ ids, names, codes, entries }: ReportRows): Texts {
  const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());
  return {
    devices: ids.map((id, row) => `${names[row] ?? ''} ${id}`.toLowerCase()),
    columns: [
      { codes: codes.site, texts: lower(entries.site) },
      { codes: codes.make, texts: lower(entries.make) },
      { codes: codes.wave, texts: lower(entries.wave) },
      { codes: codes.place, texts: lower(entries.place.map(placeText)) },
      { codes: codes.reason, texts: lower(entries.reason.map(({ says }) => says)) },
      { codes: codes.edit, texts: lower(entries.edit.map((edit) => editText(edit))) },
    ],
  };
}

function placeText({ policy, at, by: author }: ReportRows['entries']['place'][number]): string {
  const who =
    typeof author === 'object' ? `${author.commit} ${author.author} ${author.subject}` : '';
  return `${policy} ${at} ${who}`;
}

/** Looks a word up in each dictionary once; a row then matches by its codes, or by its own name. */
function wordTest({ devices, columns }: Texts, word: string) {
  const hits = columns
    .map(({ codes, texts }) => ({ codes, hit: texts.map((text) => text.includes(word)) }))
    .filter(({ hit }) => hit.includes(true));
  return (row: number): boolean =>
    devices[row]?.includes(word) === true ||
    hits.some(({ codes, hit }) => hit[codes[row] ?? 0] === true);
}
