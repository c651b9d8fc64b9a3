import { Worker } from 'node:worker_threads';
import type { Mutant } from './mutant.ts';

/** Which of the seeds that were tried killed a mutant, and what died first. */
export interface Kill {
  readonly id: string;
  readonly seed?: number;
  readonly told?: string;
}

/** Tries mutants on so many threads, each on its own seeds until one kills it. */
export async function hunt(
  prey: readonly { readonly mutant: Mutant; readonly seeds: readonly number[] }[],
  options: { readonly threads: number; onKill?(kill: Kill): void },
): Promise<readonly Kill[]> {
  const left = prey.toReversed();
  const patches = Object.fromEntries(prey.map(({ mutant }) => [mutant.id, mutant.patches]));
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
        current = one.mutant.id;
        worker.postMessage({ id: current, seeds: one.seeds });
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
