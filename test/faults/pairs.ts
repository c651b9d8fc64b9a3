import { randomFrom } from '../../src/twin/world/random.ts';
import { boundOf, tableOf } from '../support/figures.ts';
import { firstCall } from './aim.ts';
import { cells, type Cell } from './cells.ts';
import type { Endpoint } from './classes.ts';
import { longestOf } from './matrix.ts';
import { runFaults, type CellResult } from './run-cell.ts';

/** Endpoints whose faults meet in one run. */
const PAIRS: readonly (readonly [Endpoint, Endpoint])[] = [
  ['create task', 'read task'],
  ['create task', 'ledger store'],
  ['read task', 'ledger store'],
];

export type Pair = readonly [Cell, Cell];

/** Every two faults of `apply` that can meet, in the order of their cells. */
export function allPairs(): readonly Pair[] {
  const at = (endpoint: Endpoint): readonly Cell[] =>
    cells().possible.filter((cell) => cell.endpoint === endpoint && cell.phase === 'apply');
  return PAIRS.flatMap(([one, other]) =>
    at(one).flatMap((first) => at(other).map((second): Pair => [first, second])),
  );
}

/** So many pairs, each once, that the seed chooses; all of them where there are no more. */
export function somePairs(count: number, seed: number): readonly Pair[] {
  const left = [...allPairs()];
  const random = randomFrom(seed);
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.between(0, left.length - 1), 1)[0],
  ).filter((pair) => pair !== undefined);
}

/** Runs a pair: each fault meets its first call. */
export function runPair(pair: Pair): Promise<CellResult> {
  return runFaults(pair.map((cell) => ({ cell, nth: firstCall(cell) })));
}

/** The figures of a sample. */
export function pairTable(results: readonly CellResult[], seed: number): string {
  const wrong = results.filter(({ broken }) => broken.length > 0).length;
  return tableOf([
    ['seed', seed],
    ['pairs', allPairs().length],
    ['run', results.length],
    ['both met', results.filter(({ met }) => met === 2).length],
    ['wrong', wrong],
    ['longest run', longestOf(results)],
    ['wrong pairs at 95 %', boundOf(wrong, results.length)],
  ]);
}
