/** How many entries the recent layer holds before it is merged into the base. */
const RECENT_MAX = 512;

/**
 * An immutable map: adding entries returns a new map that shares the old one. A ledger of a million
 * intents takes one more record at the cost of the recent layer, without a copy of the whole map.
 */
export class Layered<V extends object> implements ReadonlyMap<string, V> {
  readonly size: number;
  readonly #base: ReadonlyMap<string, V>;
  readonly #recent: ReadonlyMap<string, V>;

  constructor(
    base: ReadonlyMap<string, V> = new Map(),
    recent: ReadonlyMap<string, V> = new Map(),
  ) {
    this.#base = base;
    this.#recent = recent;
    let added = 0;
    for (const key of recent.keys()) if (!base.has(key)) added += 1;
    this.size = base.size + added;
  }

  /** This map with entries added or replaced; the same map if there are none. */
  with(changes: ReadonlyMap<string, V>): Layered<V> {
    if (changes.size === 0) return this;
    const recent = new Map([...this.#recent, ...changes]);
    if (recent.size <= RECENT_MAX) return new Layered(this.#base, recent);
    return new Layered(new Map([...this.#base, ...recent]));
  }

  /**
   * The entries that differ from an earlier map of the same line, with their value in the later map
   * that has one. Undefined where the two share no base, and only a comparison of everything tells.
   */
  changedSince(before: Layered<V>): readonly (readonly [string, V])[] | undefined {
    if (this.#base !== before.#base) return undefined;
    const removed = [...before.#recent].filter(([key]) => !this.has(key));
    return [...[...this.#recent].filter(([key, value]) => before.get(key) !== value), ...removed];
  }

  get(key: string): V | undefined {
    return this.#recent.get(key) ?? this.#base.get(key);
  }

  has(key: string): boolean {
    return this.#recent.has(key) || this.#base.has(key);
  }

  *entries(): MapIterator<[string, V]> {
    for (const [key, value] of this.#base) yield [key, this.#recent.get(key) ?? value];
    for (const entry of this.#recent) if (!this.#base.has(entry[0])) yield entry;
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}

/**
 * The entries of two maps that differ, with the later value; the earlier one of a key that is gone.
 * Maps that share their past are compared at the cost of what came since.
 */
export function changedEntries<V extends object>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
): readonly (readonly [string, V])[] {
  if (before === after) return [];
  const since =
    before instanceof Layered && after instanceof Layered
      ? (after as Layered<V>).changedSince(before as Layered<V>)
      : undefined;
  if (since) return since;
  const removed = [...before].filter(([key]) => !after.has(key));
  return [...[...after].filter(([key, value]) => before.get(key) !== value), ...removed];
}
