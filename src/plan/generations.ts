import type { Diagnostic } from '../model/diagnostic.ts';
import type { Policy } from '../model/policy.ts';
import { placeOf, type Sourced } from '../model/source.ts';
import type { Desired } from '../model/wish.ts';
import type { PlannerInput } from './input.ts';

/**
 * Rotation policies whose `generation` is lower than what was done on a device they select. It does
 * nothing (semantics, rotations); the author may have meant something by it, so it is said.
 */
export function loweredGenerations(
  { snapshot, memory }: PlannerInput,
  desired: Desired,
): readonly Diagnostic[] {
  const recorded = new Map<Sourced<Policy>, number>();
  for (const { task, row, policy } of desired.wishes) {
    if (policy.value.section !== 'rotations') continue;
    const done = memory.generationOf(snapshot.devices.at(row).id, task);
    const known = recorded.get(policy) ?? policy.value.generation;
    if (done > known) recorded.set(policy, done);
  }
  return [...recorded].map(([policy, done]) => lowered(policy, done));
}

function lowered(policy: Sourced<Policy>, recorded: number): Diagnostic {
  const { value } = policy;
  const generation = value.section === 'rotations' ? value.generation : 1;
  return {
    code: 'generationLowered',
    severity: 'warning',
    at: placeOf(policy, '/generation'),
    params: { policy: value.address, generation, recorded },
  };
}
