/** Hashes lie in `[0, HASH_SPAN)`. */
export const HASH_SPAN = 2 ** 53;

/**
 * A number in `[0, 2^53)` that depends only on the texts and is the same on every machine and in
 * every version: it orders devices in waves and spreads them over time. Uniform, not cryptographic.
 */
export function stableHash(...texts: readonly string[]): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      low = Math.imul(low ^ unit, 2_654_435_761);
      high = Math.imul(high ^ unit, 1_597_334_677);
    }
    // No code unit exceeds 0xffff, so this separator makes `ab`, `c` differ from `a`, `bc`.
    low = Math.imul(low ^ 0x1_0000, 2_654_435_761);
    high = Math.imul(high ^ 0x1_0000, 1_597_334_677);
  }
  return 4_294_967_296 * (2_097_151 & mix(high, low)) + (mix(low, high) >>> 0);
}

function mix(one: number, other: number): number {
  return (
    Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  );
}
