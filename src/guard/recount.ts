import { TASK_OF } from '../model/fleet/task.ts';
import { isWanted } from '../model/plan/change.ts';
import { kindsIn, rowsIn } from '../model/plan/change-rows.ts';
import { isOfIncident } from '../model/documents/policies.ts';
import { countAtPercent } from '../model/documents/guardrail.ts';
import type { Plan, GuardrailVerdict } from '../model/plan/plan.ts';
import type { CountedChange } from './counted.ts';

/** A saved plan, as the check of its verdicts counts it anew (protocol X18). */
export interface Recount {
  /** How many devices the service returned. */
  readonly shown: number;
  /** The wanted changes that guardrails count today: of no running rollout, and of no incident. */
  readonly counted: Iterable<Recounted>;
  /** The number of wanted changes of a policy, by its address. */
  of(policy: string): number;
}

/** A change as a limit counts it; `sites` has the names of its sites. */
export type Recounted = Pick<CountedChange, 'task' | 'deviceId' | 'sites' | 'change'>;

/** Separates the names of several sites of one device. */
const BETWEEN_SITES = ', ';

/** The changes of a saved plan, as often as a limit walks over them. */
export function recountOf({ changes, inputs }: Pick<Plan, 'changes' | 'inputs'>): Recount {
  let policies: ReadonlyMap<string, number> | undefined;
  return {
    shown: inputs.snapshot.devices,
    counted: { [Symbol.iterator]: () => walkCounted(changes) },
    of: (policy) => (policies ??= countPolicies(changes)).get(policy) ?? 0,
  };
}

function* walkCounted(changes: Plan['changes']): Generator<Recounted> {
  for (const row of rowsIn(changes)) {
    const change = row.like;
    if (!isWanted(change) || change.covered || row.countedFrom !== undefined) continue;
    if (isOfIncident(change.policy)) continue;
    const { deviceId, site } = row;
    const sites = site === '' ? [] : site.split(BETWEEN_SITES);
    yield { task: change.task, deviceId, sites, change };
  }
}

function countPolicies(changes: Plan['changes']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { change, count } of kindsIn(changes))
    if (isWanted(change)) counts.set(change.policy, (counts.get(change.policy) ?? 0) + count);
  return counts;
}

/** The managed devices among counted changes: a device to onboard is not managed yet. */
export function managedDevices(counted: Iterable<Recounted>): ReadonlySet<string> {
  const devices = new Set<string>();
  for (const { task, deviceId } of counted) if (task !== TASK_OF.onboarding) devices.add(deviceId);
  return devices;
}

/** Whether what is allowed is the share that the limit says. */
export function isShare({ of: total = 0, value, allowed }: GuardrailVerdict): boolean {
  return allowed === countAtPercent(total, value);
}

/**
 * If the number is over the limit, it counts only changes that no exception raises the limit for.
 * Within the limit, it counts all changes. What counts without a change has only a bound, because no
 * change of the plan shows it.
 */
export function countsBetween(
  { number, allowed, passed, unlisted = 0 }: GuardrailVerdict,
  least: number,
  most: number,
): boolean {
  const listed = number - unlisted;
  if (passed !== number <= allowed || listed < 0 || listed > most) return false;
  return !passed || listed >= least;
}
