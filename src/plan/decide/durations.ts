import type { Memory } from '../../model/ledger/memory.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { once } from '../../lib/compute-once.ts';
import { addTo, getOrAdd } from '../../lib/maps.ts';

/** The duration of a task on a model; undefined where the ledger has none. Absent model: on devices without one. */
export type Durations = (task: TaskType, model: string | undefined) => Milliseconds | undefined;

/** The attempts, and the current devices. */
export interface Past {
  readonly memory: Pick<Memory, 'intents'>;
  readonly snapshot: Pick<Snapshot, 'devices' | 'discovered'>;
}

/**
 * The time within which 95 of 100 closed attempts of that task on that model ended (semantics W27).
 * An attempt without a recorded model counts for the device's current model, if it still exists.
 * Computed on first use.
 * @param share another share of the attempts than 95 of 100
 */
export function learnDurations(past: Past, share = SHARE): Durations {
  const known = once(() => timesIn(past));
  return (task, model) => {
    const times = known().get(task)?.get(model);
    return times && nearest(times, share) * 1_000;
  };
}

type ByModel = Map<string | undefined, number[]>;

/** In seconds, sorted, by task and model. */
function timesIn({ memory, snapshot }: Past): ReadonlyMap<TaskType, ByModel> {
  const modelOf = modelsIn(snapshot);
  const known = new Map<TaskType, ByModel>();
  for (const intent of memory.intents.values()) {
    const { task, device, earlier = [] } = intent;
    const found = intent.model === undefined ? modelOf(device) : intent;
    if (!found) continue;
    const ofTask = getOrAdd(known, task, (): ByModel => new Map());
    for (const { seconds } of earlier)
      if (seconds !== undefined) addTo(ofTask, found.model, seconds);
    if (intent.seconds !== undefined) addTo(ofTask, found.model, intent.seconds);
  }
  for (const ofTask of known.values())
    for (const times of ofTask.values()) times.sort((a, b) => a - b);
  return known;
}

/** Managed or only discovered; undefined where the service does not return it. */
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

/** The nearest rank, which is always a measured time. */
function nearest(times: readonly number[], share: number): number {
  return times[Math.ceil(times.length * share) - 1] ?? 0;
}
