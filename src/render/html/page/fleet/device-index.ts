import { DEVICE_COLUMNS, type DevicePart } from '../../fleet/part-format.ts';
import { rankTexts } from '../row-order.ts';

/** Every device of the page, in columns. */
export interface DeviceRows {
  readonly length: number;
  readonly labels: readonly string[];
  /** For each column of `DEVICE_COLUMNS`. */
  readonly columns: readonly { readonly codes: Uint32Array; readonly texts: readonly string[] }[];
}

/** Reads the parts of the page, and takes them out of it. */
export function readDevices(length: number): DeviceRows {
  const labels: string[] = [];
  const columns = DEVICE_COLUMNS.map(() => ({
    codes: new Uint32Array(length),
    texts: [] as string[],
  }));
  for (const script of document.querySelectorAll('script.part')) {
    const part = JSON.parse(script.textContent ?? '') as DevicePart;
    const start = labels.length;
    part.ids.forEach((id, row) => labels.push(part.names[row] ? `${part.names[row]} ${id}` : id));
    columns.forEach(({ codes, texts }, index) => {
      codes.set(part.codes[index] ?? [], start);
      texts.push(...(part.fresh[index] ?? []));
    });
    script.remove();
  }
  return { length, labels, columns };
}

/** What the reader asks for: words that a row contains, and texts of columns. */
interface DeviceFilter {
  readonly words: readonly string[];
  readonly chosen: ReadonlyMap<number, string>;
}

/** The rows of an order that match. */
export function findDevices(
  { labels, columns }: DeviceRows,
  { words, chosen }: DeviceFilter,
  order: Uint32Array,
): Uint32Array {
  const tests = [...chosen].map(([index, text]) => {
    const column = columns[index];
    const code = column?.texts.indexOf(text) ?? -1;
    return (row: number): boolean => column?.codes[row] === code;
  });
  for (const word of words) {
    const hits = columns.map(({ texts }) => texts.map((text) => text.toLowerCase().includes(word)));
    tests.push(
      (row) =>
        (labels[row] ?? '').toLowerCase().includes(word) ||
        columns.some(({ codes }, index) => hits[index]?.[codes[row] ?? 0] === true),
    );
  }
  return tests.length === 0 ? order : order.filter((row) => tests.every((test) => test(row)));
}

/** All rows by a column; -1 is the device itself. Equal rows stay in the order of the page. */
export function sortDevices(
  { length, labels, columns }: DeviceRows,
  column: number,
  isDown: boolean,
): Uint32Array {
  const found = columns[column];
  const ranks = rankTexts(found?.texts ?? labels);
  const rank = (row: number): number => ranks[found ? (found.codes[row] ?? 0) : row] ?? 0;
  const sign = isDown ? -1 : 1;
  const order = Uint32Array.from({ length }, (_, row) => row);
  return order.sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
}
