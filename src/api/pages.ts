import type { Pass } from '../model/ports.ts';

export interface ListPage<T> {
  readonly rows: readonly T[];
  /** The unique key of each row: its ID. */
  readonly keys: readonly string[];
  readonly total: number;
}

/** A list that is read page by page, by offset. */
interface Paged<T> {
  fetch(offset: number, limit: number): Promise<ListPage<T>>;
  readonly limit: number;
  /** The number of rows is known otherwise, so a full page is not followed by a request of its own. */
  readonly isCounted?: boolean;
}

type Flaw = NonNullable<Pass['torn']>;

interface PassState {
  readonly seen: Set<string>;
  tail: readonly string[];
  total: number | undefined;
  pages: number;
  /** Rows of the longest page: a service may return fewer than requested. */
  longest: number;
  torn: Flaw | undefined;
}

/**
 * Rows that a page repeats from the one before, to show that nothing moved in between (protocol
 * Y1).
 */
export const OVERLAP = 5;

/**
 * One pass over a list; yields each row once. Each page is checked: its first rows are the last of
 * the page before, `total` is constant, it is no longer than requested, and no ID repeats. The
 * first failed check marks the pass as inconsistent; the pass continues to see as many rows as
 * possible. Smaller pages than requested are accepted.
 */
export async function* pages<T>(list: Paged<T>): AsyncGenerator<readonly T[], Pass> {
  const memory: PassState = {
    seen: new Set(),
    tail: [],
    total: undefined,
    pages: 0,
    longest: 0,
    torn: undefined,
  };
  for (let offset = 0; ;) {
    const page = await list.fetch(offset, list.limit);
    const moved = findMove(page, { memory, limit: list.limit });
    const { fresh, isFresh, repeats } = remember(page, memory);
    memory.torn ??= moved ?? (repeats ? 'duplicate' : undefined);
    if (!isFresh) return verdict(page, memory, { confirms: true });
    yield fresh;
    if (isOver(page, { memory, limit: list.isCounted ? Infinity : list.limit }))
      return verdict(page, memory);
    offset += page.rows.length - OVERLAP;
  }
}

function findMove(
  { keys, total }: ListPage<unknown>,
  { memory, limit }: { readonly memory: PassState; readonly limit: number },
): Flaw | undefined {
  if (keys.length > limit) return 'tooLong';
  if (memory.total !== undefined && total !== memory.total) return 'total';
  return memory.tail.some((key, index) => keys[index] !== key) ? 'overlap' : undefined;
}

/** The rows of a page that no page before showed, and whether one of them repeats behind the overlap. */
function remember<T>(
  { rows, keys, total }: ListPage<T>,
  memory: PassState,
): { readonly fresh: readonly T[]; readonly isFresh: boolean; readonly repeats: boolean } {
  const { seen, tail } = memory;
  const again = new Set<number>();
  for (const [index, key] of keys.entries()) {
    const before = seen.size;
    if (seen.add(key).size === before) again.add(index);
  }
  const repeats = [...again].some((index) => index >= tail.length);
  memory.tail = keys.slice(-OVERLAP);
  memory.total = total;
  memory.pages += 1;
  memory.longest = Math.max(memory.longest, rows.length);
  const fresh = rows.filter((_, index) => !again.has(index));
  return { fresh, isFresh: fresh.length > 0, repeats };
}

/**
 * Whether the pass ends: all rows are read, the page has only overlap, or there are ten times the
 * expected pages. A page that may be cut does not end it: a service may report the rows of the page as `total`.
 */
function isOver(
  page: ListPage<unknown>,
  { memory, limit }: { readonly memory: PassState; readonly limit: number },
): boolean {
  const expected = Math.ceil(page.total / Math.max(1, memory.longest - OVERLAP)) + 1;
  const isStuck = page.rows.length <= OVERLAP || memory.pages >= 10 * expected;
  return isStuck || (memory.seen.size >= page.total && !mayBeCut(page, limit));
}

/** The page lengths at which services cut are multiples of this. */
const USUAL_CUT = 100;

/** Whether `total` may count this page alone: a page as long as requested, or as long as a service may cut it. */
function mayBeCut({ rows: { length }, total }: ListPage<unknown>, limit: number): boolean {
  return (
    Number.isFinite(limit) && total <= length && (length === limit || length % USUAL_CUT === 0)
  );
}

/** A last page without a new row (`confirms`) only confirms the page before, if no check failed. */
function verdict(
  page: ListPage<unknown>,
  { seen, pages: read, torn }: PassState,
  { confirms = false } = {},
): Pass {
  const rows = seen.size;
  const missed: Flaw | undefined = rows < page.total ? 'short' : undefined;
  const flaw = torn ?? (rows > page.total ? 'total' : missed);
  const pages = confirms && !flaw ? Math.max(1, read - 1) : read;
  return { total: page.total, rows, pages, ...(flaw && { torn: flaw }) };
}
