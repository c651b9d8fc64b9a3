import { Worker } from 'node:worker_threads';
import type { InProcess } from './kill.ts';
import type { Patch } from './mutant.ts';

/** A mutant by its patches (none: our sources as they are), and what may kill it, in order. */
export interface Prey {
  readonly id: string;
  readonly patches: readonly Patch[];
  readonly killers: readonly InProcess[];
}

/** What killed a mutant first, and what it showed; neither where it survives all. */
export interface Kill {
  readonly id: string;
  readonly killer?: InProcess;
  readonly told?: string;
}

/** Tries mutants on so many threads, each until one of its killers kills it. */
export async function hunt(
  prey: readonly Prey[],
  options: { readonly threads: number; onKill?(kill: Kill): void },
): Promise<readonly Kill[]> {
  const left = prey.toReversed();
  const patches = Object.fromEntries(prey.map((one) => [one.id, one.patches]));
  const kills: Kill[] = [];
  const work = (): Promise<void> => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      execArgv: [],
      workerData: { patches },
    });
    return new Promise((resolve, reject) => {
      let current = '';
      const next = (): void => {
        const one = left.pop();
        if (!one) return void worker.terminate().then(() => resolve());
        current = one.id;
        worker.postMessage({ id: current, killers: one.killers });
      };
      worker.on('error', reject);
      worker.on('message', (kill: Omit<Kill, 'id'> | 'ready') => {
        if (kill !== 'ready') {
          kills.push({ id: current, ...kill });
          options.onKill?.({ id: current, ...kill });
        }
        next();
      });
    });
  };
  await Promise.all(Array.from({ length: Math.min(options.threads, prey.length) }, work));
  return kills.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
