import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadTexts } from '../../src/config/load.ts';
import { approvalRecords } from '../../src/ledger/approval-records.ts';
import { ApprovalLog, NO_APPROVALS } from '../../src/ledger/approvals.ts';
import { approvedOutcomes } from '../../src/model/ledger/approval.ts';
import { parseDuration, type Instant } from '../../src/lib/time.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import { wantedOutcomes } from '../../src/plan/compare/wanted-outcomes.ts';
import {
  approvalRules,
  preapprovedPolicies,
  type NewestApproved,
} from '../../src/plan/preapproval.ts';
import { plan, type PlannerInput } from '../../src/plan/plan.ts';
import { back } from './plan-past.ts';

/**
 * `approvals.json`: what was approved, oldest first; ages as in `live.json`. Each has the outcomes
 * that the documents of its commit want of the fleet as it is now.
 */
export type ApprovalsFile = readonly {
  readonly at: string;
  /** The folder of those documents; absent: as they are now. */
  readonly documents?: string;
  /** How long it holds; 30 days without. */
  readonly expires?: string;
  /** Changes that were shown; absent: all. */
  readonly only?: readonly string[];
  /** Changes that were taken back since. */
  readonly withdrawn?: readonly string[];
  /** Its commit is no longer in the history. */
  readonly isLost?: boolean;
}[];

/** The input with what its folder says of approvals, and what a reader should know of them. */
export function withApprovals(
  input: PlannerInput,
  scenario: { readonly folder: string },
): {
  readonly input: PlannerInput;
  readonly findings: ReturnType<typeof approvalRules>['findings'];
} {
  const file = readApprovals(scenario.folder);
  const log = new ApprovalLog(NO_APPROVALS);
  let memory: Memory = input.memory;
  let newest: NewestApproved | undefined;
  for (const [index, entry] of file.entries()) {
    const documents = readFolder(scenario.folder, entry.documents) ?? input.documents;
    const before = approve(log, {
      input: { ...input, documents, memory, approvals: {} },
      entry,
      index,
    });
    memory = { ...memory, approvals: approvedOutcomes(log.finish()) };
    const approval = memory.approvals?.plans.at(-1);
    if (!approval) throw new Error('an approval that is not complete');
    newest = entry.isLost
      ? { is: 'lapsed', commit: before.commit }
      : { is: 'known', approval, documents };
  }
  const ground = groundOf(scenario.folder);
  const all = { ...input, memory: ground ? { ...memory, ground } : memory };
  const { approvals, findings } = approvalRules(all, newest);
  return { input: { ...all, ...(approvals && { approvals }) }, findings };
}

/** The documents of the approved commits: what they want was read when they were approved. */
export function approvedDocuments({ folder }: { readonly folder: string }): readonly Documents[] {
  return readApprovals(folder).flatMap((entry) => readFolder(folder, entry.documents) ?? []);
}

/** `ground.json`: what the last GROUND says, as far as a plan uses it. */
function groundOf(folder: string): Memory['ground'] {
  const path = join(folder, 'ground.json');
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as NonNullable<Memory['ground']>)
    : undefined;
}

function readApprovals(folder: string): ApprovalsFile {
  const path = join(folder, 'approvals.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ApprovalsFile) : [];
}

interface Step {
  readonly input: PlannerInput;
  readonly entry: ApprovalsFile[number];
  readonly index: number;
}

function approve(log: ApprovalLog, { input, entry, index }: Step): { readonly commit: string } {
  const { documents, now } = input;
  const planned = plan(input).plan;
  const shown = entry.only;
  const changes = wantedOutcomes(planned.changes).filter(([id]) => shown?.includes(id) ?? true);
  const at: Instant = back(entry.at, now);
  const commit = `${index + 1}`.repeat(40);
  const terms = {
    planId: planned.id,
    commit,
    documents: 'documents',
    pulls: [],
    approvers: ['ada'],
    run: `${index + 1}`,
    preapproved: preapprovedPolicies(documents),
  };
  const expires = at + (parseDuration(entry.expires ?? '30d') ?? 0);
  const seq = 10 * (index + 1);
  for (const [offset, body] of approvalRecords(terms, expires, changes).entries())
    if (body.type === 'APPROVED') log.approve({ seq: seq + offset }, body, at);
  if (entry.withdrawn)
    log.withdraw(
      { seq: seq + 9 },
      { type: 'WITHDRAWN', ids: entry.withdrawn, who: 'ada', why: 'wrong' },
    );
  return { commit };
}

function readFolder(folder: string, name: string | undefined): Documents | undefined {
  if (name === undefined) return undefined;
  const files = readdirSync(join(folder, name)).map((file) => ({
    path: `fleet/${file}`,
    text: readFileSync(join(folder, name, file), 'utf8'),
  }));
  const { documents, diagnostics } = loadTexts(files);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}
