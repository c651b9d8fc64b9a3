import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import type { Desired } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports rotation policies whose `generation` is lower than the last one on a device that they
 * select. The lower number does nothing (semantics R7), but its author may expect an effect.
 */
export function loweredGenerations(
  { snapshot, memory }: PlannerInput,
  desired: Desired,
): readonly Diagnostic[] {
  const recorded = new Map<Sourced<Policy>, number>();
  for (const {
    row,
    wanted: { task, policy },
  } of desired.wants) {
    if (policy.value.section !== 'rotations') continue;
    const done = memory.generationOf(snapshot.devices.at(row).id, task);
    const known = recorded.get(policy) ?? policy.value.generation;
    if (done > known) recorded.set(policy, done);
  }
  return [...recorded].map(([policy, done]) =>
    warning('generationLowered', policy, { recorded: done }),
  );
}

function warning(
  code: 'generationLowered' | 'generationAtFirst',
  policy: Sourced<Policy>,
  params: Readonly<Record<string, number>>,
): Diagnostic {
  const { value } = policy;
  const generation = value.section === 'rotations' ? value.generation : 1;
  return {
    code,
    severity: 'warning',
    at: locateValue(policy, '/generation'),
    params: { policy: value.address, generation, ...params },
  };
}

/**
 * Reports rotation policies whose first `generation` is already raised. Without an earlier
 * rotation, every selected device rotates at once, whatever its age and without a spread. The
 * number may be copied from another policy.
 */
export function raisedAtFirst(
  { snapshot, memory }: PlannerInput,
  desired: Desired,
): readonly Diagnostic[] {
  const known = new Set([...memory.intents.values()].map(({ policy }) => policy));
  const begun = new Map<Sourced<Policy>, number>();
  for (const {
    row,
    wanted: { task, policy },
  } of desired.wants) {
    const { value } = policy;
    if (value.section !== 'rotations' || value.generation <= 1 || known.has(value.address))
      continue;
    if (memory.generationOf(snapshot.devices.at(row).id, task) >= value.generation) continue;
    begun.set(policy, (begun.get(policy) ?? 0) + 1);
  }
  return [...begun].map(([policy, count]) => warning('generationAtFirst', policy, { count }));
}
