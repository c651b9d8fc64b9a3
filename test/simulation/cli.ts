import { availableParallelism } from 'node:os';
import { isCrash, liveThrough, type Lived } from './batch.ts';
import { simulate } from './simulate.ts';
import { tableOf } from './table.ts';
import { WITHOUT_LOCK } from './without-lock.ts';
import { readOptions } from '../support/options.ts';

/**
 * `--seeds N` from `--from S` on, in `--processes P`, and `--without-lock` if there is to be none; or one
 * `--seed S`, with `--trace` line by line.
 * Prints a table and returns the exit code: 1 where an invariant broke.
 */
export async function main(argv: readonly string[], say: (line: string) => void): Promise<number> {
  const values = readOptions(
    'simulate',
    {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      processes: { type: 'string', default: String(Math.min(2, availableParallelism())) },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      'without-lock': { type: 'boolean', default: false },
    },
    argv,
  );
  if (values.seed !== undefined)
    return one(Number(values.seed), values.trace ? say : undefined, say);
  const from = Number(values.from);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);
  const started = performance.now();
  const lives = await liveThrough(seeds, {
    processes: Number(values.processes),
    ...(values['without-lock'] && { patches: WITHOUT_LOCK }),
    onSeed: (lived) => {
      if (isCrash(lived) || lived.violations.length > 0) for (const line of told(lived)) say(line);
    },
  });
  for (const line of tableOf(lives)) say(line);
  say(tellPace(lives, (performance.now() - started) / 1_000));
  return lives.every((lived) => !isCrash(lived) && lived.violations.length === 0) ? 0 : 1;
}

/** How much was lived through: each seed has so many devices for so many virtual days. */
function tellPace(lives: readonly Lived[], seconds: number): string {
  const deviceDays = lives.reduce(
    (sum, each) => sum + (isCrash(each) ? 0 : each.devices * each.days),
    0,
  );
  const perSecond = (count: number): string => (count / Math.max(seconds, 0.001)).toFixed(1);
  return `${seconds.toFixed(1)} s: ${perSecond(lives.length)} seeds and ${perSecond(deviceDays)} virtual device-days per second`;
}

async function one(
  seed: number,
  trace: ((line: string) => void) | undefined,
  say: (line: string) => void,
): Promise<number> {
  const outcome = await simulate(seed, trace);
  for (const line of told(outcome)) say(line);
  const { features, violations, ...rest } = outcome;
  say(JSON.stringify(rest));
  say(features.join(' '));
  return violations.length === 0 ? 0 : 1;
}

function told(lived: Parameters<typeof isCrash>[0]): readonly string[] {
  if (isCrash(lived)) return [`seed ${lived.seed}: ${lived.error}`];
  return lived.violations.map(
    ({ rule, at, what }) => `seed ${lived.seed}: ${rule} ${new Date(at).toISOString()} ${what}`,
  );
}
