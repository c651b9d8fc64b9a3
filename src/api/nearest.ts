/**
 * The candidate that was probably meant: the one with the fewest letters to change, if a third
 * of them is enough. Case does not count.
 */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.floor(text.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = distanceBetween(text.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Letters to insert, remove or replace; not counted beyond the limit. */
function distanceBetween(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + Number(left[row - 1] !== right[column - 1]);
      const removed = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous[right.length] ?? limit;
}
