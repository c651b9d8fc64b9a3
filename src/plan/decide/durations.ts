import type { Memory } from '../../model/ledger/memory.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';

/**
 * How long a task takes on a model; undefined where the ledger knows nothing. Absent model: on
 * devices that show none.
 */
export type Durations = (task: TaskType, model: string | undefined) => Milliseconds | undefined;

/** What was attempted, and the devices as they are read now. */
export interface Past {
  readonly memory: Pick<Memory, 'intents'>;
  readonly snapshot: Pick<Snapshot, 'devices' | 'discovered'>;
}

/**
 * The time in which 95 of 100 settled attempts of that task on that model were over (semantics
 * W27). An attempt whose model is not recorded counts for what its device is read to be now, if it
 * is still there. Worked out when it is first asked for.
 */
export function learnDurations(past: Past): Durations {
  let known: ReadonlyMap<string, readonly number[]> | undefined;
  return (task, model) => {
    known ??= timesIn(past);
    const times = known.get(keyOf(task, model));
    return times && nearest(times) * 1_000;
  };
}

/** In seconds, sorted, by task and model. */
function timesIn({ memory, snapshot }: Past): ReadonlyMap<string, readonly number[]> {
  const modelOf = modelsIn(snapshot);
  const known = new Map<string, number[]>();
  for (const intent of memory.intents.values()) {
    const { task, device, earlier = [] } = intent;
    const taken = [...earlier, intent].flatMap(({ seconds }) => seconds ?? []);
    if (taken.length === 0) continue;
    const found = intent.model === undefined ? modelOf(device) : intent;
    if (!found) continue;
    const key = keyOf(task, found.model);
    const times = known.get(key) ?? [];
    known.set(key, times);
    times.push(...taken);
  }
  for (const times of known.values()) times.sort((a, b) => a - b);
  return known;
}

/** Managed or only discovered; undefined where it is not there. */
function modelsIn({
  devices,
  discovered,
}: Past['snapshot']): (deviceId: string) => { readonly model?: string | undefined } | undefined {
  const { values, codes } = devices.text.model;
  const found = new Map(discovered.map(({ id, model }) => [id, { model }]));
  return (deviceId) => {
    const row = devices.rowOf(deviceId);
    if (row === undefined) return found.get(deviceId);
    const code = codes[row] ?? 0;
    return { model: code === 0 ? undefined : values[code] };
  };
}

const SHARE = 0.95;

/** The nearest rank: a time that was really seen. */
function nearest(times: readonly number[]): number {
  return times[Math.ceil(times.length * SHARE) - 1] ?? 0;
}

function keyOf(task: TaskType, model: string | undefined): string {
  return model === undefined ? task : `${task} ${model}`;
}
