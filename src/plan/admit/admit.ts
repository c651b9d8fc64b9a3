import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Tracked } from '../decide/decision-input.ts';
import type { Drafts } from '../draft-table.ts';
import type { PlannerInput } from '../input.ts';
import { planLimits, toBudgetRequest, type PlanPhase } from './admission-limits.ts';
import { trackRaised } from './raised.ts';

/** The changes of a part in order, those outside of it, and the jobs of both. */
interface Admitted extends Pick<PlanPhase, 'jobs'> {
  readonly order: Uint32Array;
  readonly outside: Uint32Array;
}

/**
 * Assigns limited capacity (semantics K21) in the order of the plan. A change without a share
 * waits, with the reason (semantics K8, K10, K13, K17, K18). What is outside the part of a plan takes
 * no share from it.
 * @returns how many changes outside the part may start beside it
 */
export function admit(
  { columns }: Pick<Drafts, 'columns'>,
  { order, outside, jobs }: Admitted,
  input: Tracked,
): number {
  const phase: PlanPhase = {
    ...input,
    jobs,
    changes: columns.view(order),
    policies: policiesByAddress(input.documents),
    sitesOf: sitesIn(input),
    tracker: input.openTracker(),
    isOfUnknownAge: ({ reason }) => reason.why === 'ageUnknown',
  };
  const limits = planLimits(phase);
  const raisedFor = trackRaised(input);
  for (const index of order) {
    if (!columns.isRun(index)) continue;
    const change = columns.at(index);
    const reason = limits.refuses(change, index);
    if (reason) {
      columns.decide(index, { action: 'wait', reason });
      continue;
    }
    limits.count?.(change);
    const raised = raisedFor?.(change, toBudgetRequest(change, phase)) ?? [];
    if (raised.length > 0) columns.decide(index, { passes: [...(change.passes ?? []), ...raised] });
  }
  let free = 0;
  for (const index of outside) {
    if (!columns.isRun(index)) continue;
    const change = columns.at(index);
    if (limits.refuses(change, index)) continue;
    limits.count?.(change);
    free += 1;
  }
  return free;
}

/** Finds the IDs of the sites of a managed device; none for any other. */
export function sitesIn({
  snapshot: { devices },
}: PlannerInput): (deviceId: string) => readonly string[] {
  return (deviceId) => {
    const row = devices.rowOf(deviceId);
    return row === undefined ? [] : devices.at(row).sites.map(({ id }) => id);
  };
}
