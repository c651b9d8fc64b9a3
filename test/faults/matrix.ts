import { readFileSync, writeFileSync } from 'node:fs';
import { boundOf, tableOf } from '../support/figures.ts';
import { cells, type Cell } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { LONGEST_MINUTES, runCell, type CellResult, type Variant } from './run-cell.ts';

export interface Matrix {
  readonly run: readonly CellResult[];
  /** Cells that broke a law or came to something else than what is declared. */
  readonly wrong: readonly string[];
  readonly table: string;
}

/** Runs cells one after the other; each must come to what is declared. */
export async function runMatrix(chosen: readonly Cell[], variant: Variant): Promise<Matrix> {
  const results: CellResult[] = [];
  for (const cell of chosen) results.push(await runCell(cell, variant));
  return judgeMatrix(chosen, results, variant);
}

/** Compares what cells came to with what is declared of them, and counts. */
export function judgeMatrix(
  chosen: readonly Cell[],
  run: readonly CellResult[],
  variant: Variant,
): Matrix {
  const expected = declared(variant);
  const wrong = run.flatMap(({ name, broken, outcome }, nth) => {
    const cell = chosen[nth];
    const wanted = expected.get(name);
    return [
      ...broken.map((law) => `${name}: ${law}`),
      ...(wanted === outcome ? [] : [`${name}: ${outcome}, not ${wanted}`]),
      ...(cell && variant === 'first' ? otherRow(cell, outcome) : []),
    ];
  });
  return { run, wrong, table: tableOf(figuresOf(run, wrong)) };
}

/**
 * What each possible cell comes to, one line each: reviewed like code, written by `npm run faults --
 * --update`.
 */
function placeOf(variant: Variant): URL {
  const suffix = variant === 'first' ? '' : `-${variant}`;
  return new URL(`./expected${suffix}.txt`, import.meta.url);
}

/** The declared outcome of every cell, by name. */
export function declared(variant: Variant): ReadonlyMap<string, string> {
  const lines = readFileSync(placeOf(variant), 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
}

export function declare(results: readonly CellResult[], variant: Variant): void {
  const lines = results.map(({ name, outcome }) => `${name}: ${outcome}\n`);
  writeFileSync(placeOf(variant), lines.join(''));
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

/** A POST of three comes to the row that its class declares (protocol P01 to P12). */
function otherRow({ fault, endpoint, phase, name }: Cell, outcome: string): readonly string[] {
  if (endpoint !== 'create task' || phase !== 'apply' || fault.row === undefined) return [];
  const rows = /rows ([^;]*)/.exec(outcome)?.[1]?.split(' ') ?? [];
  return rows.includes(fault.row) ? [] : [`${name}: rows ${rows.join(' ')}, not ${fault.row}`];
}

function figuresOf(
  run: readonly CellResult[],
  wrong: readonly string[],
): readonly (readonly [string, number | string])[] {
  const { possible, impossible } = cells();
  return [
    ['fault classes', FAULT_CLASSES.length],
    ['cells', possible.length + impossible.length],
    ['impossible, by name', impossible.length],
    ['meaningful', possible.length],
    ['run', run.length],
    ['wrong', wrong.length],
    ['longest run', longestOf(run)],
    ['wrong cells at 95 %', boundOf(wrong.length, run.length)],
  ];
}

/** The longest run with a fault, in virtual minutes, beside what it may take. */
export function longestOf(run: readonly CellResult[]): string {
  const most = run.reduce((longest, { minutes }) => Math.max(longest, minutes), 0);
  return `${Math.round(most)} of ${Math.round(LONGEST_MINUTES)} min`;
}
