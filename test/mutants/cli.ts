import { parseArgs } from 'node:util';
import { hunt } from './hunt.ts';
import { MISSING, MUTANTS } from './rules.ts';

/**
 * Hunts every mutant from scratch, on up to `--seeds N` seeds: prints which seed killed it, and how
 * many were needed. `--only 06,28` hunts these alone. Returns the exit code: 1 where one survives
 * that simulation should see.
 */
export async function main(argv: readonly string[], say: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      threads: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
  });
  const from = Number(values.from);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);
  const only = values.only?.split(',');
  const wanted = MUTANTS.filter(({ id, test }) =>
    only ? only.some((one) => id.startsWith(one)) : test === undefined,
  );
  const kills = await hunt(
    wanted.map((mutant) => ({ mutant, seeds })),
    {
      threads: Number(values.threads),
      onKill: ({ id, seed, told = 'SURVIVES' }) => say(`${id.padEnd(50)} ${seed ?? '-'}  ${told}`),
    },
  );
  const tried = kills.flatMap(({ seed }) => (seed === undefined ? [] : [seed - from + 1]));
  const median = tried.toSorted((a, b) => a - b)[Math.floor(tried.length / 2)];
  for (const { id, test } of MUTANTS) if (test !== undefined) say(`${id.padEnd(50)} by ${test}`);
  for (const { id, why } of MISSING) say(`${id.padEnd(50)} no mutant: ${why}`);
  say(`${tried.length} of ${wanted.length} killed by simulation, median ${median} seeds`);
  return tried.length === wanted.length ? 0 : 1;
}
