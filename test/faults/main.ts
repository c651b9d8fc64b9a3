import { parseArgs } from 'node:util';
import { cells } from './cells.ts';
import { declare, runMatrix } from './matrix.ts';
import { runCell, type CellResult } from './run-cell.ts';

/** `npm run faults [-- --every] [--only TEXT] [--update] [--impossible]`. */
const { values } = parseArgs({
  options: {
    every: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    update: { type: 'boolean', default: false },
    impossible: { type: 'boolean', default: false },
  },
});
const { possible, impossible } = cells();
const chosen = possible.filter(({ name }) => name.includes(values.only));

if (values.impossible) {
  for (const { name, why } of impossible) process.stdout.write(`${name}: ${why}\n`);
} else if (values.update) {
  const results: CellResult[] = [];
  for (const cell of possible) results.push(await runCell(cell, 1));
  declare(results);
  process.stdout.write(
    `${results.length} cells declared: read the difference before you accept it\n`,
  );
} else {
  const { run, wrong, table } = await runMatrix(chosen, values.every ? 'every' : 1);
  if (values.only !== '')
    for (const { name, outcome } of run) process.stdout.write(`${name}: ${outcome}\n`);
  for (const line of wrong) process.stdout.write(`WRONG ${line}\n`);
  process.stdout.write(table);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
