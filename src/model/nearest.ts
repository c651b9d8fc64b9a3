/** Longer texts are not compared: the cost grows with the square. */
const MAX_LENGTH = 64;

/**
 * The known name that was probably meant: the one with the fewest edits (insert, delete, replace,
 * swap of neighbours; a difference in case alone counts least), if a third of the letters or less
 * explains it.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written === '' || written.length > MAX_LENGTH) return undefined;
  const limit = Math.max(1, Math.floor(written.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - written.length) > limit) continue;
    const distance = distanceBetween(written, name);
    if (distance <= limit && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

function distanceBetween(a: string, b: string): number {
  if (a.toLowerCase() === b.toLowerCase()) return a === b ? 0 : 0.5;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shifted = Math.min(last[column] ?? 0, current[column - 1] ?? 0) + 1;
      const swapped = isSwap && row > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, shifted, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? Infinity;
}
