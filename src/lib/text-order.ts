/** Compares by code units, never by locale. Returns a number below, equal to or above 0. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The same of numbers: Infinity minus itself is NaN. */
export function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The first few texts, and whether there are more: `a, b, …`. */
export function listFirst(texts: readonly string[], most: number): string {
  return [...texts.slice(0, most), ...(texts.length > most ? ['…'] : [])].join(', ');
}

/** The first few texts, and how many more there are: `a, b, 12 more`. */
export function listAndCount(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
