import { compareNumbers, compareTexts } from '../../../lib/text-order.ts';
import { computeOnce } from '../../../lib/compute-once.ts';
import type { Sorting } from '../format.ts';
import { deviceName, type Rows } from './rows.ts';

/** What the reader chose: words that rows contain, values of columns, and the order. */
export interface Choice {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
  readonly sorting: Sorting | undefined;
}

/** Everything, as it comes. */
export function noChoice({ head }: Rows): Choice {
  return { text: '', values: {}, sorting: head.sorting };
}

/** Creates the function that finds the rows of a choice, in its order; what it looks into is prepared once. */
export function createFinder(rows: Rows): (choice: Choice) => Uint32Array {
  const asTheyCome = Uint32Array.from({ length: rows.head.rows }, (_, row) => row);
  const rankOf = computeOnce((by: string) => rankRows(rows, by));
  let searched: Searched | undefined;
  let sorted: { readonly sorting?: Sorting | undefined; readonly order: Uint32Array } = {
    order: asTheyCome,
  };
  return ({ text, values, sorting }) => {
    if (sorting !== sorted.sorting)
      sorted = {
        sorting,
        order: sorting ? sort(asTheyCome, rankOf(sorting.by), sorting) : asTheyCome,
      };
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) searched ??= searchTexts(rows);
    const tests = [
      ...Object.entries(values).map(([name, value]) => valueTest(rows, name, value)),
      ...words.map((word) => wordTest(searched ?? searchTexts(rows), word)),
    ];
    const { order } = sorted;
    return tests.length === 0 ? order : order.filter((row) => tests.every((test) => test(row)));
  };
}

/** Equal rows stay as they come. */
function sort(order: Uint32Array, rank: ArrayLike<number>, { descending }: Sorting): Uint32Array {
  const sign = descending ? -1 : 1;
  return order.slice().sort((a, b) => sign * compareNumbers(rank[a] ?? 0, rank[b] ?? 0) || a - b);
}

function valueTest(rows: Rows, name: string, value: string) {
  const { texts, codes } = rows.column(name);
  const wanted = texts.indexOf(value);
  return (row: number): boolean => codes[row] === wanted;
}

/** All searchable texts in lower case: one for each row, and those of columns. */
interface Searched {
  readonly devices: readonly string[];
  readonly columns: readonly { readonly codes: Uint32Array; readonly texts: readonly string[] }[];
}

function searchTexts(rows: Rows): Searched {
  return {
    devices: rows.ids.map((id, row) => `${rows.names[row] ?? ''} ${id}`.toLowerCase()),
    columns: rows.head.searched.map((name) => {
      const { codes, texts } = rows.column(name);
      return { codes, texts: texts.map((text) => text.toLowerCase()) };
    }),
  };
}

/** Looks a word up in each column once; a row then matches by its codes, or by its own name. */
function wordTest({ devices, columns }: Searched, word: string) {
  const hits = columns
    .map(({ codes, texts }) => ({ codes, hit: texts.map((text) => text.includes(word)) }))
    .filter(({ hit }) => hit.includes(true));
  return (row: number): boolean =>
    devices[row]?.includes(word) === true ||
    hits.some(({ codes, hit }) => hit[codes[row] ?? 0] === true);
}

/** The rank of each row in a shown column. */
function rankRows(rows: Rows, by: string): ArrayLike<number> {
  if (by === 'device') return rankTexts(rows.ids.map((_, row) => deviceName(rows, row)));
  const shown = rows.head.shown.find(({ name }) => name === by);
  const instants = rows.instants(shown?.of ?? by);
  // Unknown ones come after those with a time, and before those that never continue.
  if (instants) return instants.map((value) => (Number.isNaN(value) ? Number.MAX_VALUE : value));
  const { texts, codes } = rows.column(shown?.of ?? by);
  const ranks = shown?.order ? texts.map((text) => shown.order?.indexOf(text)) : rankTexts(texts);
  return codes.map((code) => ranks[code] ?? 0);
}

/** The rank of each text, `cam-9` before `cam-10`; equal texts share one. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  // Padded, numbers are ordered by size.
  const keys = texts.map((text) =>
    text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0')),
  );
  const order = Uint32Array.from(keys, (_, index) => index).sort((a, b) =>
    compareTexts(keys[a] ?? '', keys[b] ?? ''),
  );
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  for (let n = 0; n < order.length; n++) {
    const [index, before] = [order[n] ?? 0, order[n - 1]];
    if (before !== undefined && keys[before] !== keys[index]) rank++;
    ranks[index] = rank;
  }
  return ranks;
}
