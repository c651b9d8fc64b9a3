import { describe, expect, it } from 'vitest';
import { scrollTo, sliceAt } from '../../../../../src/render/html/page/scroll.ts';

const SIZES = [5, 1_000, 100_000, 1_000_000].map((rows) => ({
  rows,
  rowHeight: 38,
  viewHeight: 700,
}));

describe.each(SIZES)('a table of $rows rows', (extent) => {
  const height = (scrolled: number): number => {
    const { from, to, above, below } = sliceAt(scrolled, extent);
    return above + (to - from) * extent.rowHeight + below;
  };
  const whole = Math.max(height(0), extent.viewHeight);

  it('begins with its first row and ends with its last', () => {
    expect(sliceAt(0, extent)).toMatchObject({ from: 0, above: 0 });
    const last = sliceAt(whole - extent.viewHeight, extent);
    expect(last.to).toBe(extent.rows);
    expect(last.below).toBeLessThan(1);
  });

  it('stays as high wherever it is scrolled to, and no browser cuts it', () => {
    for (const share of [0, 0.1, 0.5, 0.9, 1])
      expect(Math.abs(height((whole - extent.viewHeight) * share) - height(0))).toBeLessThan(400);
    expect(whole).toBeLessThan(8_000_000);
  });

  it('brings any row into sight, and leaves alone what is in sight', () => {
    for (const row of [0, 3, Math.floor(extent.rows / 2), extent.rows - 1]) {
      const scrolled = scrollTo(row, 0, extent);
      const { from, above } = sliceAt(scrolled, extent);
      const top = above + (row - from) * extent.rowHeight - scrolled;
      expect(top).toBeGreaterThanOrEqual(-0.5);
      expect(top + extent.rowHeight).toBeLessThanOrEqual(extent.viewHeight + 0.5);
      expect(scrollTo(row, scrolled, extent)).toBeCloseTo(scrolled, 3);
    }
  });
});
