/**
 * The known name with the fewest edits (insert, delete, replace, swap of neighbors) from `written`,
 * for a "did you mean"; undefined if none is near enough. A difference only in case costs least,
 * and a common start breaks a tie.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written === '') return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  const limit = Math.max(1, Math.floor(Math.min(written.length, MAX_LENGTH) / 3));
  for (const name of known) {
    if (Math.abs(name.length - written.length) > limit || written.length > MAX_LENGTH) continue;
    const start = commonStart(written, name);
    const distance = distanceBetween(written, name, { start, limit }) - start / 1_000;
    if (distance <= limit && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** The cost grows with the square of the length, so longer names are not compared. */
const MAX_LENGTH = 64;

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * Infinity for more edits than the limit.
 * @param start how much both begin with: no edit of that is ever the cheapest
 */
function distanceBetween(
  written: string,
  name: string,
  { start, limit }: { readonly start: number; readonly limit: number },
): number {
  if (written.toLowerCase() === name.toLowerCase()) return written === name ? 0 : 0.5;
  const [a, b] = [written.slice(start), name.slice(start)];
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  let leastBefore = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(edits);
      least = Math.min(least, edits);
    }
    // A cell follows from the two rows before it, so no later one is below both.
    if (least > limit && leastBefore > limit) return Infinity;
    leastBefore = least;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? Infinity;
}
