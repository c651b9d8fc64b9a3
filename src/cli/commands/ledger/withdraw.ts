import { WorldError } from '../../../model/error.ts';
import { nearest } from '../../../lib/nearest-name.ts';
import { listPolicies } from '../../../model/documents/policies.ts';
import type { Documents } from '../../../model/documents/policy.ts';
import type { Memory } from '../../../model/ledger/memory.ts';
import { connect, type ConnectFlags } from '../../../operations/connect.ts';
import { loadDocuments } from '../../../operations/documents.ts';
import { withdrawPlan, withdrawPolicy } from '../../../operations/gate/withdraw.ts';
import { openJournalFor } from '../../../operations/ledger.ts';
import { readCommit } from '../../../operations/repository.ts';
import { survey } from '../../../operations/survey.ts';
import { resolveTarget } from '../../../operations/target.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printJson } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

export interface WithdrawFlags extends ConnectFlags {
  /** The ID of an approved plan, or the address of a policy. */
  readonly scope: string;
  readonly reason: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform withdraw PLANID|POLICY`: takes approved outcomes back, on record and beside any run at
 * work (semantics N84). For a plan nothing is read; for a policy the fleet is, to know its changes.
 * Throws `usage`, and `policyUnknown` for a name that is neither.
 */
export async function withdrawCommand(flags: WithdrawFlags, shell: Shell): Promise<number> {
  const why = flags.reason.trim();
  if (why === '') throw new WorldError('usage', { message: '--reason is required' });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const journal = await openJournalFor(shell, documents, target);
  const { scope } = flags;
  const isPlan = checkName(scope, documents, journal.memory) === 'plan';
  const order = { who: shell.identity.label, why };
  const count = isPlan
    ? await withdrawPlan(journal, scope, order)
    : await withdrawPolicy(
        journal,
        await changesNow(flags, { documents, shell, memory: journal.memory }),
        {
          ...order,
          policy: scope,
        },
      );
  const preapproved = listPolicies(documents).some(
    ({ value }) => value.address === scope && value.approval === 'standing',
  );
  const { withdrawnWords } = await import('../../../render/words/approval-words.ts');
  const words = withdrawnWords({ scope, count, preapproved });
  if (flags.format === 'json')
    await printJson(shell.out, { scope, outcomes: count, next: words.next });
  else print(shell.out, [words.says, `  next: ${words.next}`]);
  return EXIT.done;
}

function checkName(scope: string, documents: Documents, { approvals }: Memory): 'plan' | 'policy' {
  const policies = listPolicies(documents).map(({ value }) => value.address);
  const plans = (approvals?.plans ?? []).map(({ planId }) => planId);
  if (plans.includes(scope)) return 'plan';
  if (policies.includes(scope)) return 'policy';
  const near = nearest(scope, [...policies, ...plans]);
  throw new WorldError('policyUnknown', { policy: scope, ...(near !== undefined && { near }) });
}

async function changesNow(
  flags: WithdrawFlags,
  {
    documents,
    shell,
    memory,
  }: { readonly documents: Documents; readonly shell: Shell; readonly memory: Memory },
) {
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    const commit = await readCommit(shell, flags.fleet);
    const { onProgress } = connection;
    const parts = { shell, documents, connection, commit, expiresAfter: 0, onProgress };
    return (await survey(parts, memory)).plan.changes;
  } finally {
    await connection.close();
  }
}
