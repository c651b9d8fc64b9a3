import type { RowFilter } from './filter.ts';
import type { Sorting } from './order.ts';

/** The filters and the order that the reader chose. */
export interface Choice {
  readonly wanted: RowFilter;
  readonly sorting: Sorting | undefined;
}
