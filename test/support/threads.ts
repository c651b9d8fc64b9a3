import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** As many as the machine can run at once. */
export const JOBS = String(availableParallelism());

export interface Threads<Result> {
  /** A module that exports `work`: a task in, the promise of a result out. */
  readonly module: URL;
  /** How many threads. */
  readonly jobs: number;
  /** Hears of each result as it comes, with the place of its task. */
  readonly onResult?: (result: Result, index: number) => void;
}

/**
 * Does tasks on threads, each taking the next one when it is done with one. The results are in the
 * order of the tasks, whoever did them. Rejects with the first task that threw.
 */
export async function onThreads<Task, Result>(
  tasks: readonly Task[],
  { module, jobs, onResult }: Threads<Result>,
): Promise<readonly Result[]> {
  const left = tasks.map((task, index) => ({ task, index })).toReversed();
  const results = new Map<number, Result>();
  const done = (result: Result, index: number): void => {
    results.set(index, result);
    onResult?.(result, index);
  };
  const threads = Math.max(1, Math.min(jobs, tasks.length));
  const crew = Array.from({ length: threads }, () => hire(module));
  try {
    await Promise.all(crew.map((worker) => keepBusy(worker, left, done)));
  } finally {
    await Promise.all(crew.map((worker) => worker.terminate()));
  }
  return tasks.map((_, index) => results.get(index) as Result);
}

interface Answer<Result> {
  readonly ready?: true;
  readonly result?: Result;
  readonly error?: string;
}

function hire(module: URL): Worker {
  const workerData = { module: module.href };
  return new Worker(new URL('./thread.mjs', import.meta.url), { execArgv: [], workerData });
}

function keepBusy<Task, Result>(
  worker: Worker,
  left: { readonly task: Task; readonly index: number }[],
  done: (result: Result, index: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let current = -1;
    worker.on('error', reject);
    worker.on('message', ({ ready, result, error }: Answer<Result>) => {
      if (error !== undefined) return reject(new Error(error));
      if (!ready) done(result as Result, current);
      const next = left.pop();
      if (next === undefined) return resolve();
      current = next.index;
      worker.postMessage(next.task);
    });
  });
}
