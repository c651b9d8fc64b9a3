import { type Change, type Changes, isWanted } from '../model/plan/change.ts';
import { kindsIn, rowsIn } from '../model/plan/change-rows.ts';
import type { PlanWave } from '../model/plan/plan.ts';
import { formatDuration, formatInstant, type Instant } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { WaveState } from '../rollout/progress/gates.ts';

/** When a wave of a policy opens by the forecast; undefined where no time opens it, or it is open. */
type OpensAt = (policy: string, wave: string) => Instant | undefined;

/**
 * The waves of each rollout in their order, with the number of due changes in each and when it
 * opens; without waves that have none. In a plan of a part, all changes decide when a wave opens,
 * and those of the part are counted.
 */
export function listPlanWaves(
  { changes, own = changes }: { readonly changes: Changes; readonly own?: Changes },
  followed: ReadonlyMap<string, Followed>,
  opensAt: OpensAt = () => undefined,
): readonly PlanWave[] {
  const counted = own === changes ? undefined : countByWave(own);
  const waves = listAllWaves(changes, followed, opensAt);
  if (!counted) return waves;
  return waves.flatMap((wave) => {
    const number = counted.get(JSON.stringify([wave.policy, wave.name]));
    return number === undefined ? [] : [{ ...wave, changes: number }];
  });
}

function countByWave(changes: Changes): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { change, count } of kindsIn(changes)) {
    const place = placeInWaves(change);
    const key = place && JSON.stringify([place.policy, place.wave]);
    if (key !== undefined) numbers.set(key, (numbers.get(key) ?? 0) + count);
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
  opensAt: OpensAt,
): readonly PlanWave[] {
  const wanted = new Map<string, Map<string, string[]>>();
  const byKind: (string[] | undefined)[] = [];
  const waveFor = (change: Change): string[] | undefined => {
    const place = placeInWaves(change);
    if (!place) return undefined;
    const waves = getOrAdd(wanted, place.policy, () => new Map<string, string[]>());
    return getOrAdd(waves, place.wave, () => []);
  };
  for (const row of rowsIn(changes)) {
    if (!(row.kind in byKind)) byKind[row.kind] = waveFor(row.like);
    byKind[row.kind]?.push(row.deviceId);
  }
  return [...wanted].flatMap(([policy, waves]) => {
    const rollout = followed.get(policy);
    return (rollout?.input.spec.waves ?? []).flatMap(({ name, soak }, index, all) => {
      const mine = waves.get(name);
      if (mine === undefined || !rollout) return [];
      const isLast = index === all.length - 1;
      const soaks = isLast ? {} : { soak: formatDuration(soak) };
      const approval = neededApproval(index, rollout, mine);
      const opening = describeOpening(index, rollout, opensAt(policy, name));
      return [{ policy, name, changes: mine.length, ...soaks, ...approval, ...opening }];
    });
  });
}

/**
 * The exception that would open it, where its gate needs an approval and a device of it has none
 * yet.
 */
function neededApproval(
  wave: number,
  { input, states }: Followed,
  devices: readonly string[],
): Pick<PlanWave, 'approval'> {
  const { spec, name, approvedBy = () => undefined } = input;
  const own = spec.waves[wave]?.name ?? '';
  if (spec.gate.approval === 'none' || wave === 0 || states[wave]?.is === 'passed') return {};
  return devices.every((id) => approvedBy(own, id) !== undefined)
    ? {}
    : { approval: `${name}/${own}` };
}

/**
 * The condition for a wave to open: the last earlier wave with devices that has not passed, and when the forecast lets it
 * open. A rollout that is stopped without an end opens no wave.
 */
function describeOpening(
  wave: number,
  rollout: Followed,
  opens: Instant | undefined,
): Partial<PlanWave> {
  const { states, progress, input } = rollout;
  const first = states.findIndex(({ is: state }) => state !== 'passed');
  const state = states[first];
  const stopped = findStop(rollout, state);
  if (stopped) return { stopped };
  if (!state || first >= wave) return {};
  let last = first;
  for (let between = first + 1; between < wave; between += 1)
    if ((progress.waves[between]?.eligible ?? 0) > 0) last = between;
  const after = input.spec.waves[last]?.name;
  return {
    ...(after !== undefined && { after }),
    ...(opens !== undefined && { opens: formatInstant(opens) }),
  };
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
