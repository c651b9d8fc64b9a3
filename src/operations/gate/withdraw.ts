import type { Memory } from '../../model/ledger/memory.ts';
import type { Leaseless } from '../../model/ledger/record.ts';
import type { Journal } from '../../model/ports.ts';
import { UNWANTED, withdrawalRecords } from '../../ledger/approval-records.ts';
import type { Planned } from '../../plan/input.ts';
import type { Policy } from '../../model/documents/policy.ts';

export interface WithdrawalOrder {
  readonly who: string;
  readonly why: string;
}

/** The number of approved outcomes of a plan that were not withdrawn yet. */
export function approvedByPlan({ approvals }: Memory, planId: string): number {
  let count = 0;
  for (const id of approvals?.ids() ?? [])
    for (const approval of approvals?.of(id).values() ?? [])
      if (approval.planId === planId) count += 1;
  return count;
}

/**
 * Takes back every outcome that a plan approved, also during a run: it loses its next ATTEMPT
 * and starts nothing more of it (semantics N84).
 * @returns the number of outcomes
 */
export async function withdrawPlan(
  journal: Pick<Journal, 'declare' | 'memory'>,
  planId: string,
  { who, why }: WithdrawalOrder,
): Promise<number> {
  let count = 0;
  await journal.declare((memory): readonly Leaseless[] => {
    count = approvedByPlan(memory, planId);
    return count === 0 ? [] : [{ type: 'WITHDRAWN', planId, ids: [], who, why }];
  });
  return count;
}

/**
 * The same for whatever is approved of a policy: what was approved before this record no longer counts
 * for it (semantics N84). Nothing is read of the fleet, so no device that a reading lacks is left out.
 * @returns whether anything is approved that may be of it; if not, nothing is recorded
 */
export async function withdrawPolicy(
  journal: Pick<Journal, 'declare' | 'memory'>,
  { address: policy, task }: Pick<Policy, 'address' | 'task'>,
  { who, why }: WithdrawalOrder,
): Promise<boolean> {
  let isAny = false;
  await journal.declare(({ approvals }): readonly Leaseless[] => {
    isAny = [...(approvals?.ids() ?? [])].some(
      (id) => id.startsWith(`${task}/`) && (approvals?.of(id, policy).size ?? 0) > 0,
    );
    return isAny ? [{ type: 'WITHDRAWN', policy, ids: [], who, why }] : [];
  });
  return isAny;
}

/** Puts on record what the documents of the newest commit no longer require (semantics N77). */
export async function withdrawUnwantedNow(
  journal: Pick<Journal, 'declare'>,
  { plan, unwanted = [] }: Pick<Planned, 'plan' | 'unwanted'>,
  who: string,
): Promise<number> {
  if (unwanted.length === 0) return 0;
  const why = `${UNWANTED} ${plan.inputs.commit ?? ''}`.trim();
  await journal.declare(() => withdrawalRecords(unwanted, { who, why }));
  return unwanted.length;
}
