import { TASKS } from '../../model/fleet/task.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatDuration, type Milliseconds } from '../../lib/time.ts';
import type { Desired } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

/** The certificates of one policy whose lifetime is too short for it, with an example. */
interface Short {
  readonly count: number;
  readonly device: string;
  readonly life: Milliseconds;
}

/**
 * Reports policies that renew a certificate at half of its lifetime or earlier, so that each new
 * certificate is due again at once (semantics L-renewalLoop). Only certificates that were read are
 * checked, and those are the ones that are due.
 */
export function renewalLoops({ snapshot }: PlannerInput, desired: Desired): readonly Diagnostic[] {
  const found = new Map<Sourced<Policy>, Short>();
  for (const { row, policy } of desired.wants) {
    const before = renewedBefore(policy.value);
    if (before === undefined) continue;
    const device = snapshot.devices.at(row).id;
    const { certificates } = snapshot.facts(device);
    if (typeof certificates !== 'object') continue;
    const { notBefore, notAfter } = certificates;
    if (notBefore === undefined || notAfter === undefined) continue;
    const life = notAfter - notBefore;
    if (before < life / 2) continue;
    const known = found.get(policy) ?? { count: 0, device, life };
    found.set(policy, { ...known, count: known.count + 1 });
  }
  return [...found].map(([policy, short]) => loop(policy, short));
}

function renewedBefore(policy: Policy): Milliseconds | undefined {
  if (policy.section !== 'rotations' || TASKS[policy.task].credential !== 'certificate')
    return undefined;
  return policy.due.is === 'renewBefore' ? policy.due.before : undefined;
}

function loop(policy: Sourced<Policy>, { count, device, life }: Short): Diagnostic {
  const before = renewedBefore(policy.value) ?? 0;
  return {
    code: 'renewalLoop',
    severity: 'error',
    at: locateValue(policy, '/renewBefore'),
    params: {
      policy: policy.value.address,
      renewBefore: formatDuration(before),
      life: formatDuration(life),
      device,
      count,
    },
  };
}
