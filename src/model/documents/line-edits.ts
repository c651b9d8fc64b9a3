/**
 * One place where two versions of a text differ: lines that were added, and the lines that they
 * replace.
 */
export interface LineEdit {
  /** Index of the first added line; without one, of the line before which lines were removed. */
  readonly at: number;
  readonly added: number;
  /** Index of the first removed line, in the old text. */
  readonly was: number;
  readonly removed: readonly string[];
}

/** A larger change is one edit, because comparing costs the product of both lengths. */
const MOST = 4_000_000;

/**
 * The differences between two texts by line: for each place its smallest edits, in order. Where as
 * many lines replace as many others, each line is an edit of its own. So is each entry and each
 * item of a list that was added or removed.
 */
export function lineEdits(before: string, after: string): readonly (readonly LineEdit[])[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const common = commonLines(old.slice(start, oldEnd), now.slice(start, nowEnd));
  const edits: (readonly LineEdit[])[] = [];
  let [from, at] = [start, start];
  for (const [left, right] of [...common, [oldEnd - start, nowEnd - start] as const]) {
    const [oldNext, nowNext] = [start + left, start + right];
    if (oldNext > from || nowNext > at)
      edits.push(
        parted({ at, added: nowNext - at, was: from, removed: old.slice(from, oldNext) }, now),
      );
    [from, at] = [oldNext + 1, nowNext + 1];
  }
  return edits;
}

/** The new text with these edits reverted. */
export function withoutEdits(after: string, edits: readonly LineEdit[]): string {
  const now = splitLines(after);
  for (const { at, added, removed } of edits.toSorted((a, b) => b.at - a.at || b.was - a.was))
    now.splice(at, added, ...removed);
  return now.join('\n');
}

/** A text that ends in a line end has an empty last line; both texts have it then. */
function splitLines(text: string): string[] {
  return text.split('\n');
}

function parted(edit: LineEdit, now: readonly string[]): readonly LineEdit[] {
  const { at, added, was: before, removed } = edit;
  if (added === removed.length) return removed.map((_, index) => part(edit, index, 1));
  if (added > 0 && removed.length > 0) return [edit];
  const lines = added > 0 ? now.slice(at, at + added) : removed;
  const starts = lines.flatMap((line, index) => (index === 0 || BEGINS.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const length = (starts[index + 1] ?? lines.length) - start;
    return added > 0
      ? { at: at + start, added: length, was: before, removed: [] }
      : { at, added: 0, was: before + start, removed: removed.slice(start, start + length) };
  });
}

/** The first line of a section, an entry or an item of a list. */
const BEGINS = /^(?: {0,2}[^\s#]|\s*- )/;

function part({ at, was: before, removed }: LineEdit, index: number, length: number): LineEdit {
  const removedLines = removed.slice(index, index + length);
  return { at: at + index, added: length, was: before + index, removed: removedLines };
}

/** Index pairs of the longest common subsequence of lines, in order. */
function commonLines(
  old: readonly string[],
  now: readonly string[],
): readonly (readonly [number, number])[] {
  if (old.length * now.length > MOST) return [];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (left: number, right: number): number => longest[left * width + right] ?? 0;
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = now.length - 1; right >= 0; right -= 1)
      longest[left * width + right] =
        old[left] === now[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1));
  const pairs: (readonly [number, number])[] = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < now.length)
    if (old[left] === now[right]) pairs.push([left++, right++]);
    else if (at(left + 1, right) >= at(left, right + 1)) left += 1;
    else right += 1;
  return pairs;
}
