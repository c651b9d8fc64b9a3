import { OUTCOMES_PER_RECORD } from '../../model/ledger/approval.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Leaseless } from '../../model/ledger/record.ts';
import type { Journal } from '../../model/ports.ts';
import type { Change } from '../../model/plan/change.ts';
import { UNWANTED, withdrawalRecords } from '../../ledger/approval-records.ts';
import type { Planned } from '../../plan/input.ts';

/** What a person takes back, and why. */
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
 * Takes back every outcome that a plan approved, beside any run at work: it loses its next ATTEMPT
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

/** The same for every approved outcome of a policy's changes in a plan of now. */
export async function withdrawPolicy(
  journal: Pick<Journal, 'declare' | 'memory'>,
  changes: Iterable<Pick<Change, 'id' | 'policy'>>,
  { policy, who, why }: WithdrawalOrder & { readonly policy: string },
): Promise<number> {
  const own = [...changes].filter((change) => change.policy === policy).map(({ id }) => id);
  let count = 0;
  await journal.declare((memory) => {
    const ids = own.filter((id) => (memory.approvals?.of(id).size ?? 0) > 0);
    count = ids.length;
    const parts = Math.ceil(ids.length / OUTCOMES_PER_RECORD);
    return Array.from({ length: parts }, (_, index): Leaseless => {
      const from = index * OUTCOMES_PER_RECORD;
      return { type: 'WITHDRAWN', ids: ids.slice(from, from + OUTCOMES_PER_RECORD), who, why };
    });
  });
  return count;
}

/** Puts on record what the documents of the newest commit no longer want (semantics N77). */
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
