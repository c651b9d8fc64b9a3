import type { Change, Changes } from '../../model/plan/change.ts';
import { toPartIds } from '../../model/plan/part.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanBasis } from '../../model/ledger/record.ts';
import { digestIn, planLines } from '../saved/save.ts';

/**
 * The inputs and the result of a plan as digests and instants. With the documents of its commit,
 * the saved snapshot and the ledger up to that head, `audit verify` computes it again and compares.
 * `isFile`: it was approved as a saved file.
 */
export function toBasis(plan: Plan, { isFile }: { readonly isFile: boolean }): PlanBasis {
  const { tool, commit, dirty, documents, snapshot, ledger, approved } = plan.inputs;
  return {
    tool,
    at: plan.evaluatedAt,
    expiresAt: plan.expiresAt,
    ...(commit !== undefined && { commit }),
    ...(dirty !== undefined && { dirty }),
    documents,
    snapshot: snapshot.digest,
    ...(snapshot.file !== undefined && { snapshotFile: snapshot.file }),
    ledger,
    ...(approved !== undefined && { approved }),
    digest: decisionDigest(plan),
    ...(isFile && { file: planDigest(plan) }),
    ...(plan.part && { part: toPartIds(plan.part) }),
  };
}

/** The digest at the end of a plan's file. */
export function planDigest(plan: Plan): string {
  let last = '';
  for (const line of planLines(plan)) last = line;
  return digestIn(last);
}

/**
 * The digest of a plan's decisions and their reasons. Excludes information for readers only:
 * authors of lines, the comparison with a base, the name of the service (its fingerprint is
 * included), and warnings about the age of lines, which a clone without history cannot have.
 */
export function decisionDigest(plan: Plan): string {
  const { origins: _origins, authors: _authors, base: _base, ...decided } = plan;
  const { fingerprint } = decided.inputs.service;
  const service = { baseUrl: '', organization: '', from: 'document', fingerprint } as const;
  const { facts: _facts, ...read } = decided.inputs;
  const inputs = { ...read, service };
  const warnings = plan.warnings.filter(({ code }) => code !== 'notDiscoveredYet');
  return planDigest({ ...decided, inputs, warnings, changes: ungrouped(plan.changes) });
}

function ungrouped(changes: Changes): Changes {
  return {
    length: changes.length,
    *[Symbol.iterator]() {
      for (const { group: _group, lines: _lines, factAt: _at, ...change } of changes)
        yield change satisfies Change;
    },
  };
}
