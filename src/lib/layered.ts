/** How many entries the recent layer of a small map holds before it is merged into the base. */
const RECENT_MAX = 512;

/** A larger base is copied less often: this many times the square root of its size. */
const RECENT_PER_ROOT = 8;

/** A base that was made by merging a recent layer, and the base before, which it does not keep. */
interface Merged<V> {
  readonly into: object;
  readonly from: object;
  readonly recent: ReadonlyMap<string, V>;
}

/**
 * An immutable map: adding entries returns a new map that shares the old one. A ledger of a million
 * intents takes one more record at the cost of the recent layer, without a copy of the whole map.
 */
export class Layered<V extends object> implements ReadonlyMap<string, V> {
  readonly size: number;
  readonly #base: ReadonlyMap<string, V>;
  readonly #recent: ReadonlyMap<string, V>;
  /** Identifies the base, and the one that it was merged from. */
  readonly #line: Pick<Merged<V>, 'into'> & Partial<Merged<V>>;

  constructor(
    base: ReadonlyMap<string, V> = new Map(),
    recent: ReadonlyMap<string, V> = new Map(),
    line: Pick<Merged<V>, 'into'> & Partial<Merged<V>> = { into: base },
  ) {
    this.#base = base;
    this.#recent = recent;
    this.#line = line;
    let added = 0;
    for (const key of recent.keys()) if (!base.has(key)) added += 1;
    this.size = base.size + added;
  }

  /** This map with entries added or replaced; the same map if there are none. */
  with(changes: ReadonlyMap<string, V>): Layered<V> {
    if (changes.size === 0) return this;
    const recent = new Map(this.#recent);
    for (const [key, value] of changes) recent.set(key, value);
    const most = Math.max(RECENT_MAX, RECENT_PER_ROOT * Math.sqrt(this.#base.size));
    if (recent.size <= most) return new Layered(this.#base, recent, this.#line);
    const base = new Map(this.#base);
    for (const [key, value] of recent) base.set(key, value);
    return new Layered(base, new Map(), { into: {}, from: this.#line.into, recent });
  }

  /**
   * The entries that differ from an earlier map of the same line, with their value in the later map
   * that has one. Undefined where more than one merge lies between the two, and only a comparison of
   * everything tells.
   */
  changedSince(before: Layered<V>): readonly (readonly [string, V])[] | undefined {
    const { into, from, recent } = this.#line;
    if (into !== before.#line.into && from !== before.#line.into) return undefined;
    const merged = into === before.#line.into ? undefined : recent;
    const changed: (readonly [string, V])[] = [];
    for (const layer of merged ? [merged, this.#recent] : [this.#recent])
      for (const [key, value] of layer) {
        if (layer === merged && this.#recent.has(key)) continue;
        if (before.get(key) !== value) changed.push([key, value]);
      }
    for (const entry of before.#recent) if (!this.has(entry[0])) changed.push(entry);
    return changed;
  }

  get(key: string): V | undefined {
    return this.#recent.get(key) ?? this.#base.get(key);
  }

  has(key: string): boolean {
    return this.#recent.has(key) || this.#base.has(key);
  }

  entries(): MapIterator<[string, V]> {
    return this.#recent.size === 0 ? this.#base.entries() : this.#merged();
  }

  *#merged(): MapIterator<[string, V]> {
    for (const [key, value] of this.#base) yield [key, this.#recent.get(key) ?? value];
    for (const entry of this.#recent) if (!this.#base.has(entry[0])) yield entry;
  }

  keys(): MapIterator<string> {
    return this.#recent.size === 0 ? this.#base.keys() : this.#each(([key]) => key);
  }

  values(): MapIterator<V> {
    return this.#recent.size === 0 ? this.#base.values() : this.#each(([, value]) => value);
  }

  *#each<T>(pick: (entry: [string, V]) => T): MapIterator<T> {
    for (const entry of this.#merged()) yield pick(entry);
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
