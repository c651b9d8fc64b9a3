import { once } from '../../lib/compute-once.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import type { Desired } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports rotation policies whose `generation` is lower than the last one on a device that they select: the lower number
 * does nothing (semantics R7), but its author may expect an effect. And those whose first `generation` is already raised:
 * without an earlier rotation, every selected device rotates at once, whatever its age and without a spread. The number
 * may be copied from another policy.
 */
export function* doubtfulGenerations(
  { snapshot, memory }: PlannerInput,
  { wants }: Desired,
): Generator<Diagnostic> {
  const known = once(() => new Set(Array.from(memory.intents.values(), ({ policy }) => policy)));
  const lowered = new Map<Sourced<Policy>, number>();
  const begun = new Map<Sourced<Policy>, number>();
  for (const { row, wanted } of wants.where(({ policy }) => policy.value.section === 'rotations')) {
    const { task, policy } = wanted;
    const { value } = policy;
    if (value.section !== 'rotations' || value.incident) continue;
    const done = memory.generationOf(snapshot.devices.idAt(row), task);
    if (done > (lowered.get(policy) ?? value.generation)) lowered.set(policy, done);
    if (value.generation > 1 && done < value.generation && !known().has(value.address))
      begun.set(policy, (begun.get(policy) ?? 0) + 1);
  }
  for (const [policy, recorded] of lowered)
    yield finding('generationLowered', policy, { recorded });
  for (const [policy, count] of begun) yield finding('generationAtFirst', policy, { count });
}

function finding(
  code: 'generationLowered' | 'generationAtFirst',
  policy: Sourced<Policy>,
  params: Readonly<Record<string, number>>,
): Diagnostic {
  const { value } = policy;
  const generation = value.section === 'rotations' ? value.generation : 1;
  const about = { policy: value.address, generation, ...params };
  return warning(code, locateValue(policy, '/generation'), about);
}
