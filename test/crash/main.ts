import { rehearsals } from '../support/rehearsal-world.ts';
import { JOBS, onThreads } from '../support/threads.ts';
import { joined, type Row } from './enumerate.ts';
import type { Heir } from './life.ts';
import { tableOf } from './table.ts';
import type { Task } from './work.ts';
import { readOptions } from '../support/options.ts';

/** `npm run crash [-- --only TEXT] [--every N] [--seed N] [--jobs N] [--errors] [--git] [--real-git]`. */
const values = readOptions('crash', {
  only: { type: 'string', default: '' },
  every: { type: 'string', default: '1' },
  seed: { type: 'string', default: '0' },
  jobs: { type: 'string', default: JOBS },
  errors: { type: 'boolean', default: false },
  git: { type: 'boolean', default: false },
  'real-git': { type: 'boolean', default: false },
});
const heirs: readonly Heir[] = values.git
  ? ['git lease']
  : values.errors
    ? ['same host']
    : ['same host', 'other host'];

/** Small enough for all threads to end at about the same time, whatever their number. */
const PARTS = 8;

/** The smallest: with the real git a life takes seconds. */
const WITH_GIT = [
  'Q2-restart-seen-as-a-dip',
  'lost-request-in-doubt',
  'X1-killed-before-the-post-left',
];

const isRealGit = values['real-git'];
const names = rehearsals().filter((one) =>
  isRealGit && values.only === '' ? WITH_GIT.includes(one) : one.includes(values.only),
);
const tasks = names.flatMap((rehearsal) =>
  Array.from({ length: PARTS }, (_, nth): Task => ({
    rehearsal,
    part: { nth, of: PARTS },
    heirs,
    ledger: isRealGit ? 'git' : 'memory',
    errors: values.errors,
    every: Number(values.every),
    seed: Number(values.seed),
  })),
);
const started = performance.now();
const partsOf = new Map<string, Row[]>();
const parts = await onThreads<Task, Row>(tasks, {
  module: new URL('./work.ts', import.meta.url),
  jobs: Number(values.jobs),
  onResult: (row) => {
    const known = [...(partsOf.get(row.rehearsal) ?? []), row];
    partsOf.set(row.rehearsal, known);
    if (known.length === PARTS) tell(joined(known));
  },
});
const rows = names.map((name) => joined(parts.filter(({ rehearsal }) => rehearsal === name)));
for (const line of rows.flatMap(({ wrong }) => wrong)) process.stdout.write(`WRONG ${line}\n`);
process.stdout.write(tableOf(rows));
process.exitCode = rows.every(({ wrong }) => wrong.length === 0) ? 0 : 1;

/** Talk, not data: how far it is. What is wrong is told at once as well, since the end is far. */
function tell({ rehearsal, lives, wrong }: Row): void {
  const lived = Object.values(lives).reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stderr.write(`${seconds} s: ${rehearsal}: ${lived} lives, ${wrong.length} wrong\n`);
  for (const line of wrong.slice(0, 3)) process.stderr.write(`  ${line}\n`);
}
