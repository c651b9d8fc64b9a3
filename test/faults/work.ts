import { cells, type Cell } from './cells.ts';
import { runPair } from './pairs.ts';
import { runCell, type CellResult, type Variant } from './run-cell.ts';

/** What one thread is given to do: a cell, or two whose faults meet. */
export interface Task {
  readonly names: readonly string[];
  readonly variant: Variant;
}

/** Runs a cell or a pair, by name. */
export async function work({ names, variant }: Task): Promise<CellResult> {
  const [one, other] = names.map(cellOf);
  if (!one) throw new Error('a task names a cell at least');
  return other ? runPair([one, other]) : runCell(one, variant);
}

const CELLS = new Map(cells().possible.map((cell) => [cell.name, cell]));

function cellOf(name: string): Cell {
  const cell = CELLS.get(name);
  if (!cell) throw new Error(`no cell is called ${name}`);
  return cell;
}
