/** Some browsers cut taller elements; above this height one pixel represents several rows. */
const TALLEST = 6_000_000;

/**
 * The visible part of a long table. Sizes in pixels; row positions count from 0, fractions are
 * parts of a row.
 */
export interface Extent {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of the area that shows rows. */
  readonly viewHeight: number;
}

export interface RowRange {
  /** The first row to draw, and the first not to draw. */
  readonly from: number;
  readonly to: number;
  /** Empty space above and below the drawn rows, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** Rows drawn outside the visible area, on either side. */
const SPARE = 8;

/** The rows to draw at a scroll position in pixels. */
export function sliceAt(scrolled: number, extent: Extent): RowRange {
  const { rows, rowHeight, viewHeight } = extent;
  const height = scrollHeight(extent);
  const first = Math.min(
    scrolled * rowsPerPixel(extent),
    Math.max(0, rows - viewHeight / rowHeight),
  );
  const from = Math.max(0, Math.floor(first) - SPARE);
  const to = Math.min(rows, Math.ceil(first + viewHeight / rowHeight) + SPARE);
  const above = Math.max(0, Math.min(scrolled, height) + (from - first) * rowHeight);
  return { from, to, above, below: Math.max(0, height - above - (to - from) * rowHeight) };
}

/** The scroll position at which a whole row is visible; unchanged if it already is. */
export function scrollTo(row: number, scrolled: number, extent: Extent): number {
  const rate = rowsPerPixel(extent);
  const seen = extent.viewHeight / extent.rowHeight;
  const first = scrolled * rate;
  if (row < first) return row / rate;
  return row + 1 > first + seen ? (row + 1 - seen) / rate : scrolled;
}

function scrollHeight({ rows, rowHeight }: Extent): number {
  return Math.min(TALLEST, rows * rowHeight);
}

function rowsPerPixel(extent: Extent): number {
  const { rows, rowHeight, viewHeight } = extent;
  const hidden = scrollHeight(extent) - viewHeight;
  return hidden <= 0 ? 1 / rowHeight : (rows - viewHeight / rowHeight) / hidden;
}
