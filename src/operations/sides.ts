import { basename, dirname } from 'node:path';
import { WorldError } from '../model/error.ts';
import type { Merge } from '../model/documents/merge.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { ComparisonBase } from './plan.ts';
import { hasError } from './documents.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { withCommits, type LineSource } from './origins.ts';
import { baseAt, commitNamed, documentsAt } from './repository.ts';
import { fleetFolder, type Shell } from '../cli/shell/shell.ts';

/** What a plan is of, what it is compared with, and where its lines are looked up. */
export interface PlanSides {
  readonly documents: Documents;
  readonly base?: ComparisonBase;
  readonly reading: LineSource;
}

/** What is planned, and with what it is to be compared. */
export interface Compared {
  readonly fleet: string;
  /** As they stand in the work tree. */
  readonly documents: Documents;
  readonly base?: string | undefined;
}

/**
 * Lets `use` have both sides of a plan with a base: what the documents will be once they are merged into
 * it, since that is what will be applied, and the base. Without one it is the documents alone. Where no
 * merge can be told it is the documents as they are, and the commit where they left the base. Throws
 * `refUnknown`, and `InvalidDocuments` for either side, each file named with its commit.
 */
export async function withSides<T>(
  shell: Shell,
  { fleet, documents, base: ref }: Compared,
  use: (sides: PlanSides) => Promise<T>,
): Promise<T> {
  if (ref === undefined) return use({ documents, reading: {} });
  const commit = await commitNamed(shell, fleet, ref);
  if (commit === undefined) throw new WorldError('refUnknown', { ref });
  return whileMerged(shell, fleet, { base: commit }, async (merge) => {
    const base = await baseAt(shell, fleet, { ref, ...comparedWith(commit, merge) });
    if (merge.is !== 'merged') return use({ documents, base, reading: {} });
    const merged = await mergedDocuments(shell, fleet, merge);
    const { folder } = documents;
    const reading = { ref: merge.commit, unmade: merge.own, env: merge.env };
    const dated = await withCommits(shell, fleet, merged, reading);
    return use({ documents: { ...dated, ...(folder && { folder }) }, base, reading });
  });
}

/** Lets `use` have what merging a commit, or the work tree, into another commit gives. */
export async function whileMerged<T>(
  shell: Shell,
  fleet: string,
  sides: { readonly base: string; readonly branch?: string },
  use: (merge: Merge) => Promise<T>,
): Promise<T> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env);
  return repository.withMerge({ ...sides, folder: basename(folder) }, use);
}

/** Throws `InvalidDocuments`: two sides that are right each for itself may be wrong together. */
export async function mergedDocuments(
  shell: Shell,
  fleet: string,
  { commit, env }: Extract<Merge, { readonly is: 'merged' }>,
): Promise<Documents> {
  const { documents, diagnostics } = await documentsAt(shell, fleet, commit, { env });
  if (documents && !hasError(diagnostics)) return documents;
  const named = await documentsAt(shell, fleet, commit, { env, prefix: 'merged:' });
  throw new InvalidDocuments(named.diagnostics, named.files);
}

function comparedWith(tip: string, merge: Merge): Pick<ComparisonBase, 'commit' | 'behind'> {
  if (merge.is === 'contained') return { commit: tip };
  const { is: state, lacks } = merge;
  if (state === 'merged' || state === 'unrelated')
    return { commit: tip, behind: { lacks, is: state } };
  const files = state === 'conflict' ? { files: merge.files } : {};
  return { commit: merge.left, behind: { lacks, is: state, ...files, tip } };
}
