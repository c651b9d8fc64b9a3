import { LAWS } from './laws.ts';
import type { Row } from './enumerate.ts';

const TITLES = ['rehearsal', 'runs', 'effects', 'points', 'same host', 'other host', 'git lease'];
const LAST = ['duplicates', 'lost', 'open', 'unlawful', 'reported'];

/** One line for each rehearsal, and one for all of them. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [...rows.map(cellsOf), totalOf(rows)];
  const titles = [...TITLES, ...LAST];
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...lines.map((line) => (line[at] ?? '').length)),
  );
  const text = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ');
  return `${[titles, ...lines].map(text).join('\n')}\n`;
}

function cellsOf(row: Row): readonly string[] {
  return [row.rehearsal, ...numbersOf(row).map(String)];
}

function totalOf(rows: readonly Row[]): readonly string[] {
  const columns = rows.map(numbersOf);
  const sums = (columns[0] ?? []).map((_, at) =>
    columns.reduce((sum, numbers) => sum + (numbers[at] ?? 0), 0),
  );
  return [`${rows.length} rehearsals`, ...sums.map(String)];
}

function numbersOf({ runs, effects, points, lives, broken, reported }: Row): readonly number[] {
  const { 'same host': same, 'other host': other, 'git lease': git } = lives;
  return [runs, effects, points, same, other, git, ...LAWS.map((law) => broken[law]), reported];
}
