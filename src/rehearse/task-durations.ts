import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { addTo } from '../lib/maps.ts';
import type { Milliseconds } from '../lib/time.ts';
import type { TaskDuration } from '../model/report/output.gen.ts';

export interface TaskDurations {
  /** One of the durations on record for the task and the model, else for the task; undefined where there is none. */
  draw(task: string, model: string, random: { next(): number }): Milliseconds | undefined;
  /** What is known of each of these tasks. */
  describe(tasks: Iterable<TaskType>): readonly TaskDuration[];
}

/**
 * The durations of ended tasks in a ledger, by task type and model. A model without any takes those of
 * its task type; a task type without any has none, and the simulator's own hold.
 */
export function durationsIn({ intents }: Pick<Memory, 'intents'>): TaskDurations {
  const byModel = new Map<string, number[]>();
  const byTask = new Map<string, number[]>();
  for (const intent of intents.values())
    for (const seconds of listSeconds(intent)) {
      addTo(byTask, intent.task, seconds);
      if (intent.model !== undefined) addTo(byModel, `${intent.task} ${intent.model}`, seconds);
    }
  return {
    draw(task, model, random) {
      const known = byModel.get(`${task} ${model}`) ?? byTask.get(task);
      const seconds = known?.[Math.floor(random.next() * known.length)];
      return seconds === undefined ? undefined : seconds * 1_000;
    },
    describe: (tasks) =>
      [...tasks].map((task) => {
        const known = byTask.get(task)?.toSorted((a, b) => a - b);
        if (!known) return { task, from: 'simulator' };
        const medianSeconds = known[Math.floor(known.length / 2)] ?? 0;
        return { task, from: 'ledger', samples: known.length, medianSeconds };
      }),
  };
}

function listSeconds({ seconds, earlier = [], verdict }: IntentState): readonly number[] {
  const last = verdict === 'done' ? [seconds] : [];
  const before = earlier.map((past) => (past.verdict === 'done' ? past.seconds : undefined));
  return [...before, ...last].filter((each) => each !== undefined && each > 0) as number[];
}
