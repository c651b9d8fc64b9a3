import { Worker } from 'node:worker_threads';
import type { Patch } from '../mutants/mutant.ts';
import type { Outcome } from './simulate.ts';

/** A seed that could not be lived through at all. */
export interface Crash {
  readonly seed: number;
  readonly error: string;
}

export type Lived = Outcome | Crash;

export function isCrash(lived: Lived): lived is Crash {
  return 'error' in lived;
}

interface Options {
  readonly threads: number;
  /** Rules of the sources that are off. */
  readonly patches?: readonly Patch[];
  onSeed?(lived: Lived): void;
}

/**
 * Lives through seeds on so many threads, each taking the next seed when it is done with one.
 * Returns what they came to, by seed; `onSeed` hears of each as it ends.
 */
export async function liveThrough(
  seeds: readonly number[],
  options: Options,
): Promise<readonly Lived[]> {
  const left = seeds.toReversed();
  const all: Lived[] = [];
  const take = (lived: Lived): void => {
    all.push(lived);
    options.onSeed?.(lived);
  };
  const threads = Math.min(options.threads, seeds.length);
  await Promise.all(Array.from({ length: threads }, () => work(left, options, take)));
  return all.toSorted((a, b) => a.seed - b.seed);
}

/** Room for what a request and its answer leave behind: with less the collector moves it about. */
const YOUNG_MB = 128;

function work(left: number[], { patches }: Options, take: (lived: Lived) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
    execArgv: [],
    workerData: { patches },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const seed = left.pop();
      if (seed === undefined) void worker.terminate().then(() => resolve());
      else worker.postMessage(seed);
    };
    worker.on('error', reject);
    worker.on('message', (lived: Lived | 'ready') => {
      if (lived !== 'ready') take(lived);
      next();
    });
  });
}
