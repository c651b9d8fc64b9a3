import type { RowFilter } from './filter.ts';
import type { Sorting } from './order.ts';

/** What people want to see, and in which order. */
export interface Choice {
  readonly wanted: RowFilter;
  readonly sorting: Sorting | undefined;
}
