import { JOBS, onThreads } from '../support/threads.ts';
import { cells } from './cells.ts';
import { declare, judgeMatrix } from './matrix.ts';
import { pairTable, somePairs } from './pairs.ts';
import type { CellResult, Variant } from './run-cell.ts';
import type { Task } from './work.ts';
import { readOptions } from '../support/options.ts';

/**
 * `npm run faults [-- --every | --last] [--only TEXT] [--jobs N] [--update]`: which call of its run
 * meets the fault; the first without. `--pairs N --seed S`: two faults in one run. `--impossible`:
 * the cells that cannot be, with their reasons.
 */
const values = readOptions('faults', {
  every: { type: 'boolean', default: false },
  last: { type: 'boolean', default: false },
  pairs: { type: 'string' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  jobs: { type: 'string', default: JOBS },
  update: { type: 'boolean', default: false },
  impossible: { type: 'boolean', default: false },
});
const variant: Variant = values.every ? 'every' : values.last ? 'last' : 'first';
const { possible, impossible } = cells();

if (values.impossible) {
  for (const { name, why } of impossible) process.stdout.write(`${name}: ${why}\n`);
} else if (values.pairs !== undefined) await pairs(Number(values.pairs), Number(values.seed));
else await matrix();

async function matrix(): Promise<void> {
  const only = values.update ? '' : values.only;
  const chosen = possible.filter(({ name }) => name.includes(only));
  const results = await run(chosen.map(({ name }) => ({ names: [name], variant })));
  if (values.update) {
    declare(results, variant);
    process.stderr.write(`${results.length} cells declared: read the difference\n`);
  }
  const { wrong, table } = judgeMatrix(chosen, results, variant);
  if (values.only !== '') tell(results);
  end(wrong, table);
}

async function pairs(count: number, seed: number): Promise<void> {
  const chosen = somePairs(count, seed).filter((both) =>
    both.some(({ name }) => name.includes(values.only)),
  );
  const results = await run(
    chosen.map((both) => ({ names: both.map(({ name }) => name), variant })),
  );
  if (values.only !== '') tell(results);
  const wrong = results.flatMap(({ name, broken }) => broken.map((law) => `${name}: ${law}`));
  end(wrong, pairTable(results, seed));
}

function run(tasks: readonly Task[]): Promise<readonly CellResult[]> {
  const module = new URL('./work.ts', import.meta.url);
  return onThreads<Task, CellResult>(tasks, { module, jobs: Number(values.jobs) });
}

function tell(results: readonly CellResult[]): void {
  for (const { name, outcome } of results) process.stdout.write(`${name}: ${outcome}\n`);
}

function end(wrong: readonly string[], table: string): void {
  for (const line of wrong) process.stdout.write(`WRONG ${line}\n`);
  process.stdout.write(table);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
