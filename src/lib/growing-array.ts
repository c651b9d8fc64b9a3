const FIRST_SIZE = 1024;

/** Numbers of one width in a row, growing in place: what a million rows cost is their bytes. */
export interface Growing<A> {
  readonly length: number;
  push(value: number): void;
  /** The value of a row; 0 where there is no such row. */
  at(row: number): number;
  set(row: number, value: number): void;
  /** The values in another order, as an array of exactly that many. */
  inOrder(order: Uint32Array): A;
}

/** Codes of interned values: four bytes a row. */
export function growingCodes(): Growing<Uint32Array> {
  return growing((size) => new Uint32Array(size));
}

/** Instants: eight bytes a row; a missing one is NaN. */
export function growingInstants(): Growing<Float64Array> {
  return growing((size) => new Float64Array(size));
}

function growing<A extends Uint32Array | Float64Array>(allocate: (size: number) => A): Growing<A> {
  let held = allocate(FIRST_SIZE);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === held.length) {
        const larger = allocate(length * 2);
        larger.set(held);
        held = larger;
      }
      held[length++] = value;
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
