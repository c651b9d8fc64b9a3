/** Most plans and fleets of tests are small; 1,024 cells a column cost more than all the rest of a small plan. */
const FIRST_SIZE = 16;

/** A typed array that grows in place, so that a million rows cost only their bytes. */
export interface Growing<A> {
  readonly length: number;
  push(value: number): void;
  /** Adds several values; with `mapped`, each as `mapped[value]`. */
  pushAll(values: A, mapped?: A): void;
  /** The value of a row; 0 for a row that does not exist. */
  at(row: number): number;
  set(row: number, value: number): void;
  /** The values in the given order of rows, as an array of exactly that length. */
  inOrder(order: Uint32Array): A;
}

/** Codes of interned values, four bytes each. */
export function growingCodes(): Growing<Uint32Array> {
  return growing((size) => new Uint32Array(size));
}

/** Instants, eight bytes each; NaN means absent. */
export function growingInstants(): Growing<Float64Array> {
  return growing((size) => new Float64Array(size));
}

function growing<A extends Uint32Array | Float64Array>(allocate: (size: number) => A): Growing<A> {
  let held = allocate(FIRST_SIZE);
  let length = 0;
  const grow = (needed: number): void => {
    let capacity = held.length;
    while (capacity < needed) capacity *= 2;
    const larger = allocate(capacity);
    larger.set(held);
    held = larger;
  };
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === held.length) grow(length + 1);
      held[length++] = value;
    },
    pushAll(values, mapped) {
      if (length + values.length > held.length) grow(length + values.length);
      if (mapped) for (const value of values) held[length++] = mapped[value] ?? 0;
      else {
        held.set(values, length);
        length += values.length;
      }
    },
    at: (row) => held[row] ?? 0,
    set: (row, value) => void (held[row] = value),
    inOrder(order) {
      const sorted = allocate(order.length);
      for (let row = 0; row < order.length; row++) sorted[row] = held[order[row] ?? 0] ?? 0;
      return sorted;
    },
  };
}
