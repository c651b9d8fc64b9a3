import { boundOf, tableOf as figureTable } from '../support/figures.ts';
import { LAWS } from './laws.ts';
import type { Row } from './enumerate.ts';

const TITLES = ['rehearsal', 'runs', 'effects', 'points', 'same host', 'other host', 'git lease'];
const LAST = ['duplicates', 'lost', 'open', 'unlawful', 'reported'];

/** One line for each rehearsal, one for all of them, and how far they can be trusted. */
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
  return `${[titles, ...lines].map(text).join('\n')}\n\n${figuresOf(rows)}`;
}

function figuresOf(rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const lives = sum((row) => Object.values(row.lives).reduce((all, one) => all + one, 0));
  const wrong = sum((row) => row.wrong.length);
  return figureTable([
    ['points', sum((row) => row.points)],
    ['lives', lives],
    ['violations', wrong],
    ['lives with one at 95 %', boundOf(wrong, lives)],
  ]);
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
