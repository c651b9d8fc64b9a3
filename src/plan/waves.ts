import { type Changes, isWanted } from '../model/plan/change.ts';
import { rowsIn } from '../model/plan/change-rows.ts';
import type { PlanWave } from '../model/plan/plan.ts';
import { formatDuration, formatInstant, type Instant } from '../lib/time.ts';
import { addTo, getOrAdd } from '../lib/maps.ts';
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
  const all = divideDue(changes);
  const counted = own === changes ? all : divideDue(own);
  return [...all].flatMap(([policy, waves]) => {
    const rollout = followed.get(policy);
    return (rollout?.input.spec.waves ?? []).flatMap(({ name, soak }, index, { length }) => {
      const mine = waves.get(name);
      const count = counted.get(policy)?.get(name)?.length;
      if (mine === undefined || count === undefined || !rollout) return [];
      const soaks = index === length - 1 ? {} : { soak: formatDuration(soak) };
      const approval = neededApproval(index, rollout, mine);
      const opening = describeOpening(index, rollout, opensAt(policy, name));
      return [{ policy, name, changes: count, ...soaks, ...approval, ...opening }];
    });
  });
}

/** The devices of due changes by policy and wave, in their order. */
function divideDue(changes: Changes): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Map<string, string[]>>();
  for (const { like, deviceId } of rowsIn(changes)) {
    const { policy, wave } = like;
    if (isWanted(like) && wave !== undefined)
      addTo(
        getOrAdd(found, policy, () => new Map<string, string[]>()),
        wave,
        deviceId,
      );
  }
  return found;
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
