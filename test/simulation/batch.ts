import { fork } from 'node:child_process';
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
  readonly processes: number;
  /** Rules of the sources that are off. */
  readonly patches?: readonly Patch[];
  onSeed?(lived: Lived): void;
}

/**
 * Lives through seeds in so many processes, each taking the next seed when it is done with one.
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
  const processes = Math.min(options.processes, seeds.length);
  await Promise.all(Array.from({ length: processes }, () => work(left, options, take)));
  return all.toSorted((a, b) => a.seed - b.seed);
}

/**
 * Collecting beside the program takes the cores that the other processes are on; and with more room for the
 * young, the collector moves less of what a request and its answer leave behind.
 */
const ALWAYS = ['--single-threaded-gc', '--max-semi-space-size=128'];

/**
 * A few hundred lives run most of our code too seldom for an optimiser's time to pay, and too often to be
 * interpreted.
 */
const SHORT = ['--single-threaded', '--always-sparkplug'];

/** Lives of one process from which on the optimiser pays. */
const LONG = 1_000;

function work(
  left: number[],
  { patches, processes }: Options,
  take: (lived: Lived) => void,
): Promise<void> {
  const child = fork(new URL('./worker.mjs', import.meta.url), {
    execArgv: left.length / processes < LONG ? [...ALWAYS, ...SHORT] : ALWAYS,
    serialization: 'advanced',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`a process of the simulation ended with ${code ?? signal}`));
    });
    child.on('message', (lived: Lived | 'ready') => {
      if (lived !== 'ready') take(lived);
      const seed = left.pop();
      if (seed === undefined) child.disconnect();
      else child.send(seed);
    });
    child.send({ patches });
  });
}
