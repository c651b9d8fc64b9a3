/** Figures as lines of a table: names to the left, numbers to the right. */
export function tableOf(figures: readonly (readonly [string, number | string])[]): string {
  const names = Math.max(...figures.map(([name]) => name.length));
  const values = Math.max(...figures.map(([, value]) => String(value).length));
  return figures
    .map(([name, value]) => `${name.padEnd(names)}  ${String(value).padStart(values)}\n`)
    .join('');
}

/** None wrong in n bounds the share of what is wrong by 3/n, with 95 % confidence. */
export function boundOf(wrong: number, of: number): string {
  if (wrong > 0) return `${wrong} of ${of}`;
  return of === 0 ? 'nothing tried' : `< ${((3 / of) * 100).toPrecision(2)} %`;
}
