/** Compares by code units, never by locale. Returns a number below, equal to or above 0. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
