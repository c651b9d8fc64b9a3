import { KINDS } from '../kinds/index.ts';
import type { Memory } from '../model/memory.ts';
import type { TaskType } from '../model/task.ts';
import type { Milliseconds } from '../model/time.ts';

/** How long a task takes on a model: what `cutoff: auto` comes to. */
export type Durations = (task: TaskType, model: string | undefined) => Milliseconds;

/**
 * The time in which 95 of 100 settled attempts of that task on that model were over; of attempts
 * whose model is not recorded where there is none; and the task's own time limit where the ledger
 * knows nothing (semantics 4.3, `cutoff`).
 */
export function learnDurations({ intents }: Pick<Memory, 'intents'>): Durations {
  const known = new Map<string, number[]>();
  for (const { task, model, seconds } of intents.values()) {
    if (seconds === undefined) continue;
    const key = keyOf(task, model);
    const times = known.get(key) ?? [];
    known.set(key, times);
    times.push(seconds);
  }
  for (const times of known.values()) times.sort((a, b) => a - b);
  return (task, model) => {
    const times = known.get(keyOf(task, model)) ?? known.get(keyOf(task, undefined));
    return times ? nearest(times) * 1_000 : KINDS[task].runningLimit;
  };
}

const SHARE = 0.95;

/** The nearest rank: a time that was really seen. */
function nearest(times: readonly number[]): number {
  return times[Math.ceil(times.length * SHARE) - 1] ?? 0;
}

function keyOf(task: TaskType, model: string | undefined): string {
  return `${task} ${model ?? ''}`;
}
