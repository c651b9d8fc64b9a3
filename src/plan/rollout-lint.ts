import type { Diagnostic } from '../model/diagnostic.ts';
import type { Documents } from '../model/policy.ts';
import { placeOf } from '../model/source.ts';
import type { Followed } from '../rollout/followed.ts';
import { CANARY_ABOVE, canaryTooLarge, noCanary, stopNeverTrips } from '../rollout/lint.ts';
import type { PlannerInput } from './input.ts';
import { policiesOf } from '../model/policies.ts';

/**
 * What only shows with the devices that a rollout is for (semantics 4.13): no canary above ten of
 * them, which is an error; a canary of most of a model, a wave in which no stop rule can trip.
 */
export function* doubtfulRollouts(
  { documents }: Pick<PlannerInput, 'documents'>,
  followed: ReadonlyMap<string, Followed>,
): Generator<Diagnostic> {
  for (const { value, at: here } of policiesOf(documents)) {
    const one = followed.get(value.address);
    if (!one) continue;
    const { input, assignment } = one;
    const at = placeIn(documents, input.name, '/waves') ?? here;
    const devices = assignment.waves.flat();
    const isSkipped = devices.every((id) => input.passes?.(id).canary === true);
    if (noCanary(input.spec, devices.length, isSkipped))
      yield {
        code: 'noCanary',
        severity: 'error',
        at,
        params: {
          rollout: input.name,
          policy: value.address,
          devices: devices.length,
          limit: CANARY_ABOVE,
        },
      };
    for (const { model, inCanary, devices: all } of canaryTooLarge(input.spec, assignment))
      yield {
        code: 'canaryTooLarge',
        severity: 'warning',
        at,
        params: { rollout: input.name, policy: value.address, model, inCanary, devices: all },
      };
    const idle = idleWaves(one, documents);
    if (idle.length > 0)
      yield {
        code: 'stopNeverTrips',
        severity: 'warning',
        at: placeIn(documents, input.name, '/stopOn') ?? here,
        params: { rollout: input.name, policy: value.address, waves: idle.join(', ') },
      };
  }
}

/** A single wave without a word about stops is one that nobody expects to stop. */
function idleWaves({ input, assignment }: Followed, documents: Documents): readonly string[] {
  const isWritten = documents.rollouts.get(input.name)?.places.has('/stopOn') === true;
  if (!isWritten && input.spec.waves.length === 1) return [];
  return stopNeverTrips(
    input.spec,
    assignment.waves.map(({ length }) => length),
  );
}

/** Where a rollout says it; undefined for the one that is built in. */
function placeIn({ rollouts }: Documents, name: string, pointer: string): Diagnostic['at'] {
  const entry = rollouts.get(name);
  return entry && placeOf(entry, pointer);
}
