import { parseArgs } from 'node:util';
import { readRehearsal, rehearsals } from '../support/rehearsal-world.ts';
import { enumerate, type Choice, type Row } from './enumerate.ts';
import type { Heir } from './life.ts';
import { deathsOf, failuresOf, shareOf } from './points.ts';
import { tableOf } from './table.ts';

/** `npm run crash [-- --only TEXT] [--every N] [--seed N] [--errors] [--git]`. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '0' },
    errors: { type: 'boolean', default: false },
    git: { type: 'boolean', default: false },
  },
});
const heirs: readonly Heir[] = values.git
  ? ['git lease']
  : values.errors
    ? ['same host']
    : ['same host', 'other host'];
const choose: Choice = (counts) =>
  shareOf(
    values.errors ? failuresOf(counts) : deathsOf(counts),
    Number(values.every),
    Number(values.seed),
  );
const rows: Row[] = [];
for (const name of rehearsals().filter((one) => one.includes(values.only))) {
  const row = await enumerate(readRehearsal(name), heirs, choose);
  for (const line of row.wrong) process.stdout.write(`WRONG ${line}\n`);
  rows.push(row);
}
process.stdout.write(tableOf(rows));
process.exitCode = rows.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
