import { addTo } from './maps.ts';

/** The items by key, keys and items in the order of their first appearance. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** The items by each of their keys: an item may belong to several groups. */
export function groupByEach<Item, Key>(
  items: Iterable<Item>,
  keysOf: (item: Item) => Iterable<Key>,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) for (const key of keysOf(item)) addTo(groups, key, item);
  return groups;
}

/** The items in their order, in parts of at most this size; a larger item is a part of its own. */
export function partsBySize<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  most: number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let size = Infinity;
  for (const item of items) {
    const own = sizeOf(item);
    size += own;
    if (size > most) {
      parts.push([]);
      size = own;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

export function sumCounts(counted: Iterable<{ readonly count: number }>): number {
  let total = 0;
  for (const { count } of counted) total += count;
  return total;
}
