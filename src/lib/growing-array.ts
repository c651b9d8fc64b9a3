/** Most plans and fleets of tests are small; 1,024 cells a column cost more than all the rest of a small plan. */
const FIRST_SIZE = 16;

/** Codes of values, in as few bytes each as the largest needs. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/** A typed array that grows in place, so that a million rows cost only their bytes. */
export interface Growing<A> {
  readonly length: number;
  push(value: number): void;
  /** The value of a row; 0 for a row that does not exist. */
  at(row: number): number;
  set(row: number, value: number): void;
  /** The values so far, in their order or in that of the given rows. */
  values(order?: Uint32Array): A;
}

/** Codes of interned values: one byte each, and two or four once a code needs them. */
export function growingCodes(): Growing<Codes> {
  return new GrowingArray<Codes>([Uint8Array, Uint16Array, Uint32Array]);
}

/** Instants, eight bytes each; NaN means absent. */
export function growingInstants(): Growing<Float64Array> {
  return new GrowingArray<Float64Array>([Float64Array]);
}

type Allocate<A> = new (size: number) => A;

class GrowingArray<A extends Codes | Float64Array> implements Growing<A> {
  length = 0;
  /** The array types that are left, the present one first. */
  #types: readonly Allocate<A>[];
  #held: A;
  #most: number;

  constructor(types: readonly Allocate<A>[]) {
    this.#types = types;
    this.#held = this.#allocate(FIRST_SIZE);
    this.#most = this.#mostOf();
  }

  push(value: number): void {
    if (value > this.#most) this.#widen(value);
    if (this.length === this.#held.length) this.#replace(this.length * 2);
    this.#held[this.length] = value;
    this.length += 1;
  }

  at(row: number): number {
    return this.#held[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (value > this.#most) this.#widen(value);
    this.#held[row] = value;
  }

  values(order?: Uint32Array): A {
    if (!order) return this.#held.subarray(0, this.length) as A;
    const sorted = this.#allocate(order.length);
    for (let row = 0; row < order.length; row += 1) sorted[row] = this.#held[order[row] ?? 0] ?? 0;
    return sorted;
  }

  #allocate(size: number): A {
    const [Type] = this.#types;
    if (!Type) throw new RangeError('a code needs more than four bytes');
    return new Type(size);
  }

  #mostOf(): number {
    return this.#types.length === 1 ? Infinity : 2 ** (8 * this.#held.BYTES_PER_ELEMENT) - 1;
  }

  #widen(value: number): void {
    while (value > this.#most) {
      this.#types = this.#types.slice(1);
      this.#replace(this.#held.length);
      this.#most = this.#mostOf();
    }
  }

  #replace(size: number): void {
    const larger = this.#allocate(size);
    larger.set(this.#held);
    this.#held = larger;
  }
}
