import { listPolicies } from '../../model/documents/policies.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { policyUnknown } from '../../model/error.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { printJson, printWrapped } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/**
 * Takes approved outcomes back, on record and beside any run at work (semantics N84). It sends nothing
 * to the service. Throws `usage`, and `policyUnknown` for a name that is neither a plan nor a policy.
 */
export const withdraw = command({
  name: 'withdraw',
  summary: 'Withdraw an approval and record the reason',
  more: 'A run in progress starts nothing more of it; tasks in flight finish.',
  examples: ['withdraw firmware.axis --reason "wrong version"'],
  acts: true,
  flags: {
    ...flag.CONNECTION,
    scope: flag.argument('PLAN', 'ID of an approved plan, or a policy (firmware.NAME)'),
    reason: flag.reason('Reason for the withdrawal', { must: true }),
    by: flag.by,
    format: flag.format,
  },
  async run(flags, shell) {
    const { scope } = flags;
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { findAuthor } = await import('../../operations/intervene/author.ts');
    const { openJournalFor } = await import('../../operations/ledger.ts');
    const { withdrawPlan, withdrawPolicy } = await import('../../operations/gate/withdraw.ts');
    const here = await loadWithTarget(shell, flags);
    const { documents } = here;
    const journal = await openJournalFor(here);
    const named = findNamed(scope, documents, journal.memory);
    const order = { who: await findAuthor(shell, flags.by), why: flags.reason };
    const taken =
      named === 'plan'
        ? await withdrawPlan(journal, scope, order)
        : await withdrawPolicy(journal, named, order);
    const preapproved = named !== 'plan' && named.approval === 'standing';
    const { withdrawnWords } = await import('../../render/words/approval-words.ts');
    const approval = documents.service.value.approval.is;
    const { says, next } = withdrawnWords({ scope, taken, preapproved, approval });
    if (flags.format === 'text') return printWrapped(shell, [says, `  next: ${next}`]);
    const counted = typeof taken === 'number' && { outcomes: taken };
    await printJson(shell.out, { scope, withdrawn: Boolean(taken), ...counted, next });
  },
});

/** What a name stands for. Throws `policyUnknown`. */
function findNamed(scope: string, documents: Documents, { approvals }: Memory): 'plan' | Policy {
  const plans = (approvals?.plans ?? []).map(({ planId }) => planId);
  if (plans.includes(scope)) return 'plan';
  const policies = listPolicies(documents).map(({ value }) => value);
  const policy = policies.find(({ address }) => address === scope);
  if (policy) return policy;
  throw policyUnknown(scope, [...policies.map(({ address }) => address), ...plans]);
}
