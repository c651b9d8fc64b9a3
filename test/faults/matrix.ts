import { readFileSync, writeFileSync } from 'node:fs';
import { cells, type Cell } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { runCell, type CellResult } from './run-cell.ts';

/** What each possible cell comes to, one line each: reviewed like code, written by `npm run faults -- --update`. */
const EXPECTED = new URL('./expected.txt', import.meta.url);

export interface Matrix {
  readonly run: readonly CellResult[];
  /** Cells that broke a law or came to something else than what is declared. */
  readonly wrong: readonly string[];
  readonly table: string;
}

/** The declared outcome of every cell, by name. */
export function declared(): ReadonlyMap<string, string> {
  const lines = readFileSync(EXPECTED, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
}

export function declare(results: readonly CellResult[]): void {
  writeFileSync(EXPECTED, results.map(({ name, outcome }) => `${name}: ${outcome}\n`).join(''));
}

/** Cells evenly over the matrix, the same every time; all of them where there are no more than that. */
export function sampleOf(count: number): readonly Cell[] {
  const { possible } = cells();
  const stride = Math.max(1, possible.length / count);
  return Array.from(
    { length: Math.min(count, possible.length) },
    (_, nth) => possible[Math.floor(nth * stride)],
  ).filter((cell) => cell !== undefined);
}

/** Runs cells; with the fault at the first call only, each must come to what is declared. */
export async function runMatrix(chosen: readonly Cell[], nth: 1 | 'every'): Promise<Matrix> {
  const expected = nth === 1 ? declared() : undefined;
  const run: CellResult[] = [];
  const wrong: string[] = [];
  for (const cell of chosen) {
    const result = await runCell(cell, nth);
    run.push(result);
    wrong.push(...result.broken.map((law) => `${cell.name}: ${law}`));
    const wanted = expected?.get(cell.name);
    if (expected && wanted !== result.outcome)
      wrong.push(`${cell.name}: ${result.outcome}, not ${wanted}`);
    if (nth === 1) wrong.push(...otherRow(cell, result));
  }
  return { run, wrong, table: tableOf(chosen, wrong) };
}

/** A POST of three comes to the row that its class declares (apply protocol 3.7.1). */
function otherRow(
  { fault, endpoint, phase }: Cell,
  { name, outcome }: CellResult,
): readonly string[] {
  if (endpoint !== 'create task' || phase !== 'apply' || fault.row === undefined) return [];
  const rows = /rows ([^;]*)/.exec(outcome)?.[1]?.split(' ') ?? [];
  return rows.includes(fault.row) ? [] : [`${name}: rows ${rows.join(' ')}, not ${fault.row}`];
}

function tableOf(chosen: readonly Cell[], wrong: readonly string[]): string {
  const { possible, impossible } = cells();
  const rows: readonly (readonly [string, number])[] = [
    ['fault classes', FAULT_CLASSES.length],
    ['cells', possible.length + impossible.length],
    ['impossible, by name', impossible.length],
    ['meaningful', possible.length],
    ['run', chosen.length],
    ['wrong', wrong.length],
  ];
  return rows.map(([name, count]) => `${name.padEnd(20)} ${String(count).padStart(6)}\n`).join('');
}
