import { findColumn, isDecided } from '../model/plan/actor.ts';
import { type Change, type Changes, isWanted } from '../model/plan/change.ts';
import { rowsIn } from '../model/plan/change-rows.ts';
import type { PlanWave } from '../model/plan/plan.ts';
import { formatDuration, formatInstant, type Instant } from '../lib/time.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { WaveState } from '../rollout/progress/gates.ts';

/**
 * The waves of each rollout in their order, with the number of due changes in each and when it
 * may open; without waves that have none. In a plan of a part, all changes decide when a wave opens,
 * and those of the part are counted.
 */
export function listPlanWaves(
  { changes, own = changes }: { readonly changes: Changes; readonly own?: Changes },
  followed: ReadonlyMap<string, Followed>,
  now: Instant,
): readonly PlanWave[] {
  const counted = own === changes ? undefined : countByWave(own);
  const waves = listAllWaves(changes, followed, now);
  if (!counted) return waves;
  return waves.flatMap((wave) => {
    const number = counted.get(JSON.stringify([wave.policy, wave.name]));
    return number === undefined ? [] : [{ ...wave, changes: number }];
  });
}

function countByWave(changes: Changes): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const keys: (string | undefined)[] = [];
  for (const row of rowsIn(changes)) {
    if (!(row.kind in keys)) {
      const place = placeInWaves(row.change());
      keys[row.kind] = place && JSON.stringify([place.policy, place.wave]);
    }
    const key = keys[row.kind];
    if (key !== undefined) numbers.set(key, (numbers.get(key) ?? 0) + 1);
  }
  return numbers;
}

/** The policy and wave of a due change; undefined where it is in none. */
function placeInWaves({ action, policy, wave }: Change) {
  return isWanted({ action }) && wave !== undefined ? { policy, wave } : undefined;
}

function listAllWaves(
  changes: Changes,
  followed: ReadonlyMap<string, Followed>,
  now: Instant,
): readonly PlanWave[] {
  const wanted = new Map<string, Map<string, Wanted>>();
  const byKind: { readonly wave: Wanted | undefined; readonly isStuck: boolean }[] = [];
  const waveFor = (change: Change): Wanted | undefined => {
    const place = placeInWaves(change);
    if (!place) return undefined;
    const waves = wanted.get(place.policy) ?? new Map<string, Wanted>();
    wanted.set(place.policy, waves);
    const wave = waves.get(place.wave) ?? { devices: [], dates: [] };
    waves.set(place.wave, wave);
    return wave;
  };
  for (const row of rowsIn(changes)) {
    const change = row.kind in byKind ? undefined : row.change();
    if (change) byKind[row.kind] = { wave: waveFor(change), isStuck: isStuck(change) };
    const { wave, isStuck: never } = byKind[row.kind] ?? {};
    const from = typeof row.next === 'number' ? row.next : now;
    wave?.devices.push(row.deviceId);
    wave?.dates.push(never ? Infinity : from);
  }
  return [...wanted].flatMap(([policy, waves]) => {
    const rollout = followed.get(policy);
    return (rollout?.input.spec.waves ?? []).flatMap(({ name, soak }, index, all) => {
      const mine = waves.get(name);
      if (mine === undefined || !rollout) return [];
      const isLast = index === all.length - 1;
      const soaks = isLast ? {} : { soak: formatDuration(soak) };
      const approval = neededApproval(index, rollout, mine);
      const opening = describeOpening(index, rollout, { now, waves });
      return [{ policy, name, changes: mine.devices.length, ...soaks, ...approval, ...opening }];
    });
  });
}

/** Whether no time starts a change; what somebody has yet to decide may start as soon as that is done. */
function isStuck(change: Change): boolean {
  return findColumn(change) === 'person' && !isDecided(change.reason);
}

/** The due changes of a wave, and when each may start at the earliest; of one that is stuck `Infinity`. */
interface Wanted {
  readonly devices: string[];
  readonly dates: number[];
}

/**
 * The exception that would open it, where its gate needs an approval and a device of it has none
 * yet.
 */
function neededApproval(
  wave: number,
  { input, states }: Followed,
  { devices }: Wanted,
): Pick<PlanWave, 'approval'> {
  const { spec, name, approvedBy = () => undefined } = input;
  const own = spec.waves[wave]?.name ?? '';
  if (spec.gate.approval === 'none' || wave === 0 || states[wave]?.is === 'passed') return {};
  return devices.every((id) => approvedBy(own, id) !== undefined)
    ? {}
    : { approval: `${name}/${own}` };
}

/**
 * The condition for a wave to open: the first earlier wave that has not passed, its soak, and the
 * soaks of the waves between. Each is a minimum. The time of a gate that needs more than time is
 * unknown, and a rollout that is stopped without an end opens no wave.
 */
function describeOpening(
  wave: number,
  rollout: Followed,
  { now, waves }: { readonly now: Instant; readonly waves: ReadonlyMap<string, Wanted> },
): Partial<PlanWave> {
  const { states, progress, input } = rollout;
  const first = states.findIndex(({ is: state }) => state !== 'passed');
  const state = states[first];
  const stopped = findStop(rollout, state);
  if (stopped) return { stopped };
  if (!state || first >= wave) return {};
  const soakOf = (index: number): number => input.spec.waves[index]?.soak ?? 0;
  const reachedAt = (index: number): Instant => {
    const { eligible = 0, attempted = 0 } = progress.waves[index] ?? {};
    const enough = Math.ceil((eligible * input.spec.gate.minReached) / 100) - attempted;
    return reached(waves.get(input.spec.waves[index]?.name ?? ''), enough, now);
  };
  let opens = state.is === 'soaking' ? state.until : reachedAt(first) + soakOf(first);
  let last = first;
  for (let between = first + 1; between < wave; between += 1) {
    if ((progress.waves[between]?.eligible ?? 0) === 0) continue;
    opens = Math.max(opens, reachedAt(between)) + soakOf(between);
    last = between;
  }
  const after = input.spec.waves[last]?.name;
  const isKnown = state.is !== 'gated' && opens < Infinity;
  return { ...(after !== undefined && { after }), ...(isKnown && { opens: formatInstant(opens) }) };
}

/** The stop of a rollout; a pause that ends by time is none, since its changes have that instant. */
function findStop(
  { halts }: Pick<Followed, 'halts'>,
  state: WaveState | undefined,
): PlanWave['stopped'] {
  if (state?.is === 'aborted') return state.is;
  const isTimed = halts.whole?.pause?.until !== undefined;
  return state?.is === 'paused' && !isTimed ? state.is : undefined;
}

/** When enough changes of a wave for its gate may have started, by their own dates. */
function reached(wanted: Wanted | undefined, enough: number, now: Instant): Instant {
  const dates = (wanted?.dates ?? []).toSorted((a, b) => a - b);
  return Math.max(now, dates[Math.min(enough, dates.length) - 1] ?? now);
}
