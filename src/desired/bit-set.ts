/** A bit set of small numbers. */
export type Bits = Uint32Array<ArrayBuffer>;

/** An empty set for numbers below `size`. */
export function noBits(size: number): Bits {
  return new Uint32Array(Math.ceil(size / 32));
}

export function addBit(bits: Bits, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
}

export function hasBit(bits: Bits, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

export function keepBits(bits: Bits, mask: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & (mask[word] ?? 0);
}

export function dropBits(bits: Bits, dropped: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) & ~(dropped[word] ?? 0);
}

/** The numbers in a set, ascending. */
export function bitsIn(bits: Bits): readonly number[] {
  const found: number[] = [];
  for (let word = 0; word < bits.length; word++) {
    let left = bits[word] ?? 0;
    while (left !== 0) {
      const lowest = left & -left;
      found.push((word << 5) + 31 - Math.clz32(lowest));
      left ^= lowest;
    }
  }
  return found;
}

/** A number that equal sets share. */
export function hashBits(bits: Bits): number {
  let hash = 0;
  for (let at = 0; at < bits.length; at++) {
    const word = bits[at] ?? 0;
    if (word !== 0) hash = Math.imul(hash ^ (word + at), 0x9e37_79b1) ^ (hash >>> 15);
  }
  return hash;
}

/** Whether a set holds exactly these numbers, each of them listed once. */
export function holdsExactly(bits: Bits, numbers: readonly number[]): boolean {
  let left = numbers.length;
  for (const number of numbers) if (!hasBit(bits, number)) return false;
  for (let word = 0; word < bits.length; word++) {
    for (let more = bits[word] ?? 0; more !== 0; more &= more - 1) left -= 1;
    if (left < 0) return false;
  }
  return true;
}
