/** One place where a text differs from what it was: lines that came, and those that were there instead. */
export interface LineEdit {
  /** Index of the first line that came, or of the line before which others were taken away. */
  readonly at: number;
  readonly added: number;
  /** Index of the first line that went, in the text as it was. */
  readonly was: number;
  readonly removed: readonly string[];
}

/** Larger than this and a text that changed is taken as one edit: comparing takes the product of both lengths. */
const MOST = 4_000_000;

/**
 * What changed from one text to another, line by line: for each place the edits that it can be parted
 * into, in order. As many lines that replace as many others are edits of their own, and so are
 * entries and items of a list that came or went.
 */
export function lineEdits(before: string, after: string): readonly (readonly LineEdit[])[] {
  const [old, now] = [linesOf(before), linesOf(after)];
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

/** The text as it was where these edits are concerned, and as it is everywhere else. */
export function withoutEdits(after: string, edits: readonly LineEdit[]): string {
  const now = linesOf(after);
  for (const { at, added, removed } of edits.toSorted((a, b) => b.at - a.at || b.was - a.was))
    now.splice(at, added, ...removed);
  return now.join('\n');
}

/** What ends in a line end ends in an empty line, which both texts have then. */
function linesOf(text: string): string[] {
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

/** A section, an entry of one, or an item of a list. */
const BEGINS = /^(?: {0,2}[^\s#]|\s*- )/;

function part({ at, was: before, removed }: LineEdit, index: number, length: number): LineEdit {
  const removedLines = removed.slice(index, index + length);
  return { at: at + index, added: length, was: before + index, removed: removedLines };
}

/** Pairs of indexes of lines that both have, as many as there can be, in order. */
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
