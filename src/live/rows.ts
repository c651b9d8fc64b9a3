import { compareTexts } from '../lib/text-order.ts';

/** The order that sorts texts by code unit, which every machine agrees on. */
export function sortedOrder(texts: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: texts.length }, (_, row) => row).sort((a, b) =>
    compareTexts(texts[a] ?? '', texts[b] ?? ''),
  );
}

/**
 * Finds a row by its id among sorted rows, without a map that would cost more than the ids
 * themselves.
 */
export function rowFinder(
  length: number,
  idOf: (row: number) => string,
): (id: string) => number | undefined {
  return (id) => {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idOf(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low < length && idOf(low) === id ? low : undefined;
  };
}
