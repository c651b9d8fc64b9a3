import type { RowFilter } from './row-filter.ts';
import type { Sorting } from './row-order.ts';

/** The filters and the order that the reader chose. */
export interface Choice {
  readonly wanted: RowFilter;
  readonly sorting: Sorting | undefined;
}
