/** Taller elements than this are cut by some browsers; above it a pixel stands for several rows. */
const TALLEST = 6_000_000;

/** What is seen of a long table. Sizes in pixels; places of rows count from 0, fractions are parts of a row. */
export interface Extent {
  readonly rows: number;
  readonly rowHeight: number;
  /** Of the part that shows rows. */
  readonly viewHeight: number;
}

export interface RowRange {
  /** The first row to draw, and the first not to draw. */
  readonly from: number;
  readonly to: number;
  /** Empty space above and below them. */
  readonly above: number;
  readonly below: number;
}

/** Rows drawn beyond what is seen, on either side. */
const SPARE = 8;

/** The rows to draw when a table is scrolled that far. */
export function sliceAt(scrolled: number, extent: Extent): RowRange {
  const { rows, rowHeight, viewHeight } = extent;
  const height = heightOf(extent);
  const first = Math.min(scrolled * rateOf(extent), Math.max(0, rows - viewHeight / rowHeight));
  const from = Math.max(0, Math.floor(first) - SPARE);
  const to = Math.min(rows, Math.ceil(first + viewHeight / rowHeight) + SPARE);
  const above = Math.max(0, Math.min(scrolled, height) + (from - first) * rowHeight);
  return { from, to, above, below: Math.max(0, height - above - (to - from) * rowHeight) };
}

/** How far to scroll so that a row is seen whole; as far as now where it is. */
export function scrollTo(row: number, scrolled: number, extent: Extent): number {
  const rate = rateOf(extent);
  const seen = extent.viewHeight / extent.rowHeight;
  const first = scrolled * rate;
  if (row < first) return row / rate;
  return row + 1 > first + seen ? (row + 1 - seen) / rate : scrolled;
}

function heightOf({ rows, rowHeight }: Extent): number {
  return Math.min(TALLEST, rows * rowHeight);
}

/** Rows that go by for each pixel. */
function rateOf(extent: Extent): number {
  const { rows, rowHeight, viewHeight } = extent;
  const hidden = heightOf(extent) - viewHeight;
  return hidden <= 0 ? 1 / rowHeight : (rows - viewHeight / rowHeight) / hidden;
}
