/**
 * The known name with the fewest edits (insert, delete, replace, swap of neighbors) from `written`,
 * for a "did you mean"; undefined if none is near enough. A difference only in case costs least,
 * and a common start breaks a tie.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written === '' || written.length > MAX_LENGTH) return undefined;
  const lower = written.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  let limit = Math.max(1, Math.floor(written.length / 3));
  for (const name of known) {
    if (Math.abs(name.length - written.length) > limit) continue;
    const start = commonStart(written, name);
    const edits = isSame(lower, name)
      ? SAME_BUT_CASE
      : countEdits(written.slice(start), name.slice(start), limit);
    const distance = (name === written ? 0 : edits) - start / 1_000;
    if (edits > limit || (best && distance >= best.distance)) continue;
    best = { name, distance };
    limit = Math.ceil(edits);
  }
  return best?.name;
}

/** The cost grows with the square of the length, so longer names are not compared. */
const MAX_LENGTH = 64;

/** Less than any edit. */
const SAME_BUT_CASE = 0.5;

function isSame(lower: string, name: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The fewest edits from one text to another; Infinity for more than the limit. */
function countEdits(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let current: number[] = [];
  let leastBefore = 0;
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const isEqual = a[row - 1] === b[column - 1];
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
      current[column] = edits;
      least = Math.min(least, edits);
    }
    // A cell follows from the two rows before it, so no later one is below both.
    if (least > limit && leastBefore > limit) return Infinity;
    leastBefore = least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? Infinity;
}
