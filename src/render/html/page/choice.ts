import type { Wanted } from './filter.ts';
import type { Sorting } from './order.ts';

/** What people want to see, and in which order. */
export interface Choice {
  readonly wanted: Wanted;
  readonly sorting: Sorting | undefined;
}
