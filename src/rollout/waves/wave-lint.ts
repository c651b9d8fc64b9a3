import { CANARY } from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec, StopRule } from '../../model/documents/rollout.ts';
import type { Assignment } from './assignment.ts';

/** A rollout over more devices than this needs a canary, or an exception. */
export const CANARY_ABOVE = 10;

/** A first wave with more than this percentage of a model is too large to be its canary. */
const CANARY_SHARE = 20;

/**
 * Whether a rollout over this many devices lacks a canary (semantics L-noCanary). `isSkipped`: an
 * exception of type `allow` declares for every device that none is needed.
 */
export function noCanary(
  spec: Pick<RolloutSpec, 'canary' | 'waves'>,
  devices: number,
  isSkipped = false,
): boolean {
  const [first] = spec.waves;
  return (
    devices > CANARY_ABOVE && spec.canary === 'required' && first?.name !== CANARY && !isSkipped
  );
}

/** A model of which the first wave contains too many devices. */
export interface LargeCanary {
  readonly model: string;
  readonly inCanary: number;
  readonly devices: number;
}

/**
 * The models of which a first wave called `canary` contains more than 20%: lint `canaryTooLarge`. One device of a model
 * is the least that tests it.
 */
export function canaryTooLarge(
  spec: Pick<RolloutSpec, 'waves'>,
  { waves, memberOf }: Pick<Assignment, 'waves' | 'memberOf'>,
): readonly LargeCanary[] {
  if (spec.waves[0]?.name !== CANARY) return [];
  const count = (ids: readonly string[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const id of ids) {
      const model = memberOf(id)?.model;
      if (model !== undefined) counts.set(model, (counts.get(model) ?? 0) + 1);
    }
    return counts;
  };
  const all = count(waves.flat());
  return [...count(waves[0] ?? [])]
    .map(([model, inCanary]) => ({ model, inCanary, devices: all.get(model) ?? 0 }))
    .filter(({ inCanary, devices }) => inCanary > 1 && inCanary * 100 > devices * CANARY_SHARE)
    .sort((a, b) => (a.model < b.model ? -1 : 1));
}

/**
 * Names of the waves with devices in which no rule that counts in a wave can trip: lint
 * `stopNeverTrips`. Rules of other scopes do not protect a single wave.
 */
export function stopNeverTrips(
  { waves, stopOn }: Pick<RolloutSpec, 'waves' | 'stopOn'>,
  sizes: readonly number[],
): readonly string[] {
  return waves
    .filter(({ name }, index) => {
      const size = sizes[index] ?? 0;
      const counting = stopOn.filter(
        ({ scope }) => scope === 'wave' || (scope === 'canary' && name === CANARY),
      );
      return size > 0 && !counting.some((rule) => canTrip(rule, size));
    })
    .map(({ name }) => name);
}

function canTrip({ max, percent, minAttempts }: StopRule, size: number): boolean {
  if (max !== undefined && max < size) return true;
  return percent !== undefined && percent < 100 && minAttempts <= size;
}
