/** Where somebody is in a list of rows, in places that count from 0. */
export interface Position {
  readonly active: number;
  /** Rows that a page has. */
  readonly page: number;
  readonly last: number;
}

/** Where a key leads to; undefined for a key that leads nowhere. It may lie outside of the list. */
export function targetOf(key: string, { active, page, last }: Position): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
