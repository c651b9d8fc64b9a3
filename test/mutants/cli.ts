import { hunt, type Kill } from './hunt.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './rules.ts';
import { controlsOf, linesOf, tryAll, type Row } from './table.ts';
import { readOptions } from '../support/options.ts';

/**
 * Switches every rule off once and runs its recorded killer: prints the kill table. Then runs the
 * killers on the sources as they are, where none may find anything. With `--seeds N [--from S]` it
 * hunts from scratch instead, on simulated fleets alone, and prints the first seed that kills.
 * `--only 06,28` does so for these rules. Returns the exit code: 0 where each is killed.
 */
export async function main(argv: readonly string[], say: (line: string) => void): Promise<number> {
  const values = readOptions(
    'mutants',
    {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      threads: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
    argv,
  );
  const only = values.only?.split(',');
  const wanted = MUTANTS.filter(({ id }) => !only || only.some((one) => id.startsWith(one)));
  const unknown = only?.filter((one) => !MUTANTS.some(({ id }) => id.startsWith(one))) ?? [];
  if (unknown.length > 0) {
    say(`--only: no rule is ${unknown.join(', ')}; write numbers such as 06,28`);
    return 1;
  }
  const threads = Number(values.threads);
  if (values.seeds === undefined) return tryRecorded(wanted, { threads, say });
  const first = Number(values.from);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);
  return huntOn(seeds, wanted, { threads, say });
}

interface Told {
  readonly threads: number;
  readonly say: (line: string) => void;
}

async function tryRecorded(wanted: readonly Mutant[], { threads, say }: Told): Promise<number> {
  const started = performance.now();
  const rows = await tryAll(wanted, { threads });
  for (const line of linesOf(rows)) say(line);
  const wrong = await countWrong(wanted, { threads, say });
  say(`${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return wrong === 0 && rows.every(isKilled) ? 0 : 1;
}

/** What finds something in the sources as they are has killed nothing. */
async function countWrong(
  tried: readonly Pick<Mutant, 'killer'>[],
  { threads, say }: Told,
): Promise<number> {
  const controls = await tryAll(controlsOf(tried), { threads });
  const wrong = controls.filter(({ told, unfit }) => told !== undefined || unfit !== undefined);
  for (const line of wrong.length > 0 ? linesOf(wrong) : []) say(`WRONG ${line}`);
  say(`${controls.length} killers on the sources as they are: ${wrong.length} find something`);
  return wrong.length;
}

function isKilled({ told }: Row): boolean {
  return told !== undefined;
}

async function huntOn(
  seeds: readonly number[],
  wanted: readonly Mutant[],
  { threads, say }: Told,
): Promise<number> {
  const killers = seeds.map((seed) => ({ seed }));
  const onKill = ({ id, killer, told = 'SURVIVES' }: Kill): void =>
    say(`${id.padEnd(48)} ${JSON.stringify(killer ?? {})} ${told.split('\n', 1)[0]}`);
  const prey = wanted.map(({ id, patches }) => ({ id, patches, killers }));
  const kills = await hunt(prey, { threads, onKill });
  const tried = kills.flatMap(({ killer }) =>
    killer && 'seed' in killer ? [seeds.indexOf(killer.seed) + 1] : [],
  );
  const median = tried.toSorted((a, b) => a - b)[Math.floor(tried.length / 2)];
  say(`${tried.length} of ${wanted.length} killed by simulated fleets, median ${median} seeds`);
  const found = kills.flatMap(({ killer }) => (killer ? [{ killer }] : []));
  const wrong = await countWrong(found, { threads, say });
  return wrong === 0 && tried.length === wanted.length ? 0 : 1;
}
