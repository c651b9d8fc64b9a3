import { WorldError } from '../../../model/error.ts';
import { nearest } from '../../../lib/nearest-name.ts';
import { listPolicies } from '../../../model/documents/policies.ts';
import type { Documents, Policy } from '../../../model/documents/policy.ts';
import type { Memory } from '../../../model/ledger/memory.ts';
import { findAuthor } from '../../../operations/intervene/author.ts';
import type { ConnectFlags } from '../../../operations/connect.ts';
import { loadDocuments } from '../../../operations/documents.ts';
import { withdrawPlan, withdrawPolicy } from '../../../operations/gate/withdraw.ts';
import { openJournalFor } from '../../../operations/ledger.ts';
import { resolveTarget } from '../../../operations/target.ts';
import { EXIT } from '../../../shell/exit.ts';
import { printJson, printWrapped } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

interface WithdrawFlags extends ConnectFlags {
  /** The ID of an approved plan, or the address of a policy. */
  readonly scope: string;
  readonly reason: string;
  readonly by?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform withdraw PLANID|POLICY`: takes approved outcomes back, on record and beside any run at
 * work (semantics N84). It sends nothing to the service. Throws `usage`, and `policyUnknown` for a
 * name that is neither.
 */
export async function withdrawCommand(flags: WithdrawFlags, shell: Shell): Promise<number> {
  const why = flags.reason.trim();
  if (why === '') throw new WorldError('usage', { message: '--reason is required' });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const journal = await openJournalFor(shell, documents, target);
  const { scope } = flags;
  const named = findNamed(scope, documents, journal.memory);
  const order = { who: await findAuthor(shell, flags.by), why };
  const taken =
    named === 'plan'
      ? await withdrawPlan(journal, scope, order)
      : await withdrawPolicy(journal, { ...order, policy: scope, task: named.task });
  const preapproved = named !== 'plan' && named.approval === 'standing';
  const { withdrawnWords } = await import('../../../render/words/approval-words.ts');
  const approval = documents.service.value.approval.is;
  const words = withdrawnWords({ scope, taken, preapproved, approval });
  if (flags.format === 'json') {
    const counted = typeof taken === 'number' && { outcomes: taken };
    const withdrawn = Boolean(taken);
    await printJson(shell.out, { scope, withdrawn, ...counted, next: words.next });
  } else await printWrapped(shell, [words.says, `  next: ${words.next}`]);
  return EXIT.done;
}

/** What a name stands for. Throws `policyUnknown`. */
function findNamed(scope: string, documents: Documents, { approvals }: Memory): 'plan' | Policy {
  const plans = (approvals?.plans ?? []).map(({ planId }) => planId);
  if (plans.includes(scope)) return 'plan';
  const policies = listPolicies(documents).map(({ value }) => value);
  const policy = policies.find(({ address }) => address === scope);
  if (policy) return policy;
  const near = nearest(scope, [...policies.map(({ address }) => address), ...plans]);
  throw new WorldError('policyUnknown', { policy: scope, ...(near !== undefined && { near }) });
}
