/** The items by key, keys and items in the order of their first appearance. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function sumCounts(counted: Iterable<{ readonly count: number }>): number {
  let total = 0;
  for (const { count } of counted) total += count;
  return total;
}
