/** Values of a column, each sent once; code 0 is "none", and never sent. */
export interface Dictionary<Raw, Entry> {
  /** The code of a value; equal values have one. */
  codeOf(raw: Raw | undefined): number;
  /** The entries that were added since the last time, in the order of their codes. */
  fresh(): readonly Entry[];
}

/** Starts without an entry. `keyOf` says which values are equal. */
export function dictionary<Raw, Entry>(
  entryOf: (raw: Raw) => Entry,
  keyOf: (raw: Raw) => string = JSON.stringify,
): Dictionary<Raw, Entry> {
  const codes = new Map<string, number>();
  let added: Entry[] = [];
  return {
    codeOf(raw) {
      if (raw === undefined) return 0;
      const key = keyOf(raw);
      const known = codes.get(key);
      if (known !== undefined) return known;
      added.push(entryOf(raw));
      codes.set(key, codes.size + 1);
      return codes.size;
    },
    fresh() {
      const entries = added;
      added = [];
      return entries;
    },
  };
}

/** Plans hold equal places and windows as one object: its code is looked up by the object itself. */
export function byIdentity<Raw extends object, Entry>({
  codeOf,
}: Dictionary<Raw, Entry>): (raw: Raw | undefined) => number {
  const known = new WeakMap<Raw, number>();
  return (raw) => {
    if (raw === undefined) return 0;
    const code = known.get(raw) ?? codeOf(raw);
    known.set(raw, code);
    return code;
  };
}
