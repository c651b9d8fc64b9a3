import { newestApproval, wholeApprovals } from '../../src/ledger/approval-records.ts';
import { dueGround } from '../../src/ledger/ground-due.ts';
import type { GroundKeeping } from '../../src/store/journal.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import type { ChangeOutcome } from '../../src/model/ledger/approval.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Journal } from '../../src/model/ports.ts';
import { parseDuration, type Instant } from '../../src/lib/time.ts';
import { approveOn, APPROVAL_LIFE } from '../../src/operations/gate/approve.ts';
import { wantedOutcomes } from '../../src/plan/compare/wanted-outcomes.ts';
import {
  approvalRules,
  preapprovedPolicies,
  type NewestApproved,
} from '../../src/plan/preapproval.ts';
import type { PlannerInput } from '../../src/plan/plan.ts';
import type { Changes } from '../../src/model/plan/change.ts';
import type { Plan } from '../../src/model/plan/plan.ts';

/** A commit of the default branch. */
export interface Merged {
  readonly commit: string;
  readonly documents: Documents;
}

/** What a look at a commit has shown to a person. */
export interface Shown extends Merged {
  readonly planId: string;
  readonly changes: readonly ChangeOutcome[];
  /** The last record of the ledger at the look. */
  readonly lookedAt: number;
}

/** The commits of a script: one for each file of documents that it brings. */
export function mergeCommit(documents: Documents, before: readonly Merged[]): readonly Merged[] {
  return [
    {
      commit: String(before.length + 1)
        .repeat(40)
        .slice(0, 40),
      documents,
    },
    ...before,
  ];
}

/** How a plan of a rehearsal is approved, from its commits. */
export function approvalsIn(
  input: PlannerInput,
  merged: readonly Merged[],
): Pick<PlannerInput, 'approvals'> {
  const { approvals } = approvalRules(input, newestIn(input.memory, merged));
  return approvals ? { approvals } : {};
}

function newestIn({ approvals }: Memory, merged: readonly Merged[]): NewestApproved | undefined {
  const plans = wholeApprovals(approvals?.plans);
  const last = plans.at(-1);
  const history = merged.map(({ commit }) => commit);
  const approval = newestApproval(plans, history);
  if (last && !approval) return { is: 'lapsed', commit: last.commit };
  const at = merged.findIndex(({ commit }) => commit === approval?.commit);
  const found = merged[at];
  return approval && { is: 'known', approval, ...(found && { documents: found.documents }) };
}

/** The service of every rehearsal. */
export const TENANT = { origin: 'https://twin.test', organization: 'acme' };

/**
 * What the journal of a rehearsal keeps of the ground: the kind of approval, where its script has documents that
 * ask for plans.
 */
export function groundIn(
  merged: readonly Merged[] = [],
  { process }: { readonly process: number },
): GroundKeeping | undefined {
  const [newest] = merged;
  const isAsked = merged.some(({ documents }) => documents.service.value.approval.is === 'plan');
  if (!newest || !isAsked) return undefined;
  const proposed = {
    service: TENANT,
    ledger: { store: 'directory' },
    approval: newest.documents.service.value.approval.is,
    gate: 'none',
    commit: newest.commit,
    who: `process ${process}`,
  } as const;
  return { due: (memory) => dueGround(memory, proposed, true), check: () => undefined };
}

/** What a person is shown of a plan. */
export function showPlan(
  { id, changes, inputs }: Pick<Plan, 'id' | 'changes' | 'inputs'>,
  [newest]: readonly Merged[],
): Shown {
  if (!newest) throw new Error('nothing was merged yet');
  return {
    ...newest,
    planId: id,
    changes: wantedOutcomes(changes),
    lookedAt: inputs.ledger.seq,
  };
}

/** Passes the gate of a look, as `ci approve` does. */
export async function passGate(
  journal: Journal,
  shown: Shown,
  plans: { readonly again: Changes; readonly newest: Changes; readonly tip: Documents },
  { now, run, expires }: { readonly now: Instant; readonly run: string; readonly expires?: string },
): Promise<void> {
  const { planId, commit, documents, changes, lookedAt } = shown;
  const { approval } = documents.service.value;
  const written = approval.is === 'plan' ? approval.expires : APPROVAL_LIFE;
  const gate = {
    terms: {
      planId,
      commit,
      documents: '',
      pulls: [],
      approvers: ['Ada'],
      run,
      preapproved: preapprovedPolicies(documents),
    },
    shown: changes,
    again: { changes: plans.again, documents },
    newest: { changes: plans.newest, documents: plans.tip },
    lookedAt,
    expires: now + (expires === undefined ? written : (parseDuration(expires) ?? 0)),
  };
  await approveOn(journal, gate, now);
}
