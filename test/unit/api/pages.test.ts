import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OVERLAP, pages, type ListPage } from '../../../src/api/pages.ts';
import { drain } from '../../support/api-service.ts';

const LIMIT = 20;
const ids = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `d-${from + index}`);

type Bent = Omit<ListPage<string>, 'keys' | 'rows'> & { readonly rows: readonly string[] };

/** A list of ids whose pages may be bent by the number of the page. */
function read(
  rowsAt: (nth: number) => readonly string[],
  bend: (page: Bent, nth: number) => Bent = (page) => page,
  limit = LIMIT,
) {
  let nth = 0;
  const offsets: number[] = [];
  const pass = pages<string>({
    limit,
    fetch: async (offset) => {
      const rows = rowsAt(nth);
      offsets.push(offset);
      const page = bend({ rows: rows.slice(offset, offset + limit), total: rows.length }, nth);
      nth += 1;
      return { ...page, keys: page.rows };
    },
  });
  return drain(pass).then((done) => ({ ...done, offsets }));
}

describe('a pass over pages', () => {
  it('reads one page of a small list, and an empty list', async () => {
    const small = await read(() => ids(7));
    expect(small.result).toEqual({ total: 7, rows: 7, pages: 1 });
    const empty = await read(() => []);
    expect(empty.result).toEqual({ total: 0, rows: 0, pages: 1 });
  });

  it('asks behind a full page, which stays one page if nothing follows', async () => {
    const { result, offsets } = await read(() => ids(LIMIT));
    expect(offsets).toEqual([0, LIMIT - OVERLAP]);
    expect(result).toEqual({ total: LIMIT, rows: LIMIT, pages: 1 });
  });

  it.each([100, 200, 1_000])(
    'is torn, with all rows, when `total` counts a page of %d',
    async (cut) => {
      const { rows, result } = await read(
        () => ids(1_250),
        (_page, nth) => {
          const from = nth * (cut - OVERLAP);
          const shown = ids(1_250).slice(from, from + cut);
          return { rows: shown, total: shown.length };
        },
        1_000,
      );
      expect(rows).toEqual(ids(1_250));
      expect(result.torn).toBe('total');
    },
  );

  it('Y1 overlaps pages by five rows and yields each row once', async () => {
    const { rows, result, offsets } = await read(() => ids(50));
    expect(offsets).toEqual([0, 15, 30]);
    expect(rows).toEqual(ids(50));
    expect(result).toEqual({ total: 50, rows: 50, pages: 3 });
  });

  it('follows a service whose pages are smaller than asked for', async () => {
    const { rows, result } = await read(
      () => ids(50),
      (page) => ({ ...page, rows: page.rows.slice(0, 12) }),
    );
    expect(rows).toEqual(ids(50));
    expect(result.torn).toBeUndefined();
  });

  it.each([
    ['overlap', (nth: number) => (nth === 0 ? ids(50) : [...ids(49, 1), 'd-x'])],
    ['total', (nth: number) => (nth === 0 ? ids(50) : ids(51))],
    ['total', (nth: number) => (nth === 0 ? ids(50) : ids(48))],
    ['duplicate', () => [...ids(30), 'd-3', ...ids(19, 30)]],
    ['duplicate', () => ['d-0', ...ids(18)]],
  ] as const)('is torn by %s when the list moves', async (flaw, rowsAt) => {
    const { rows, result } = await read(rowsAt);
    expect(result.torn).toBe(flaw);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('is torn when a page is longer than asked for', async () => {
    const { result } = await read(
      () => [],
      () => ({ rows: ids(LIMIT + 1), total: LIMIT + 1 }),
    );
    expect(result.torn).toBe('tooLong');
  });

  it('is torn when rows are missing at the end, and ends', async () => {
    const { result, offsets } = await read(
      () => ids(30),
      (page) => ({ ...page, total: 40 }),
    );
    expect(result).toMatchObject({ torn: 'short', rows: 30, total: 40 });
    expect(offsets.length).toBeLessThan(5);
  });

  it('goes on after a tear, so that a removed row costs no other', async () => {
    const { rows, result } = await read((nth) => (nth === 0 ? ids(50) : ids(49, 1)));
    expect(result.torn).toBe('total');
    expect(rows).toEqual(ids(50));
  });

  it('is torn when the service ignores the offset', async () => {
    const { result } = await read(
      () => ids(60),
      () => ({ rows: ids(LIMIT), total: 60 }),
    );
    expect(result.torn).toBe('overlap');
    expect(result.pages).toBe(2);
  });

  it('ends after ten times the pages that there should be', async () => {
    const { result } = await read(
      () => ids(1_000),
      (page, nth) => ({
        ...page,
        rows: nth === 0 ? page.rows : page.rows.slice(0, OVERLAP + 1),
      }),
    );
    expect(result.torn).toBe('short');
    expect(result.pages).toBe(10 * (Math.ceil(1_000 / (LIMIT - OVERLAP)) + 1));
  });

  it('reads any list that stands still clean, in few requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), async (count) => {
        const { rows, result } = await read(() => ids(count));
        expect(rows).toEqual(ids(count));
        expect(result.torn).toBeUndefined();
        expect(result.pages).toBeLessThanOrEqual(Math.ceil(count / (LIMIT - OVERLAP)) + 1);
      }),
      { numRuns: 60 },
    );
  });
});
