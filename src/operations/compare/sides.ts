import { basename, dirname } from 'node:path';
import { WorldError } from '../../model/error.ts';
import type { Merge } from '../../model/documents/merge.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { ComparisonBase } from '../plan.ts';
import { hasError } from '../documents.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { scopesSince } from './request-scopes.ts';
import { withCommits, type LineSource } from '../origins.ts';
import { baseAt, commitNamed, documentsAt } from '../repository.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { printMessages } from '../../shell/messages.ts';
import { terminal } from '../../render/sinks/sinks.ts';
import { fill } from '../../render/words/phrase.ts';
import { INVALID_TOGETHER } from '../../render/words/terms.ts';

/** The documents of a plan, its base, and where its lines are read. */
export interface PlanSides {
  readonly documents: Documents;
  readonly base?: ComparisonBase;
  readonly reading: LineSource;
}

/** The documents to plan, and what to compare them with. */
export interface Compared {
  readonly fleet: string;
  /** The documents of the work tree. */
  readonly documents: Documents;
  readonly base?: string | undefined;
}

/**
 * Calls `use` with both sides of a plan with a base: the documents after a merge into the base,
 * since those will be applied, and the base. Without a base, it passes the documents alone; if no
 * merge is possible, the documents as they are and their merge base. Throws `refUnknown`, and
 * `InvalidDocuments` for either side, with the commit in each file name.
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
    const scopes = await scopesSince(shell, fleet, commit);
    const base = {
      ...(await baseAt(shell, fleet, { ref, ...comparedWith(commit, merge) })),
      scopes,
    };
    if (merge.is !== 'merged') return use({ documents, base, reading: {} });
    const merged = await mergedDocuments(shell, fleet, merge).catch((error: unknown) => {
      const params = { base: ref, lacks: merge.lacks };
      if (error instanceof InvalidDocuments)
        printMessages(shell, [fill(INVALID_TOGETHER, params, terminal)]);
      throw error;
    });
    const { folder } = documents;
    const reading = { ref: merge.commit, unmade: merge.own, env: merge.env };
    const dated = await withCommits(shell, fleet, merged, reading);
    return use({ documents: { ...dated, ...(folder && { folder }) }, base, reading });
  });
}

/** Calls `use` with the result of merging a commit, or the work tree, into another commit. */
export async function whileMerged<T>(
  shell: Shell,
  fleet: string,
  sides: { readonly base: string; readonly branch?: string },
  use: (merge: Merge) => Promise<T>,
): Promise<T> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env);
  return repository.withMerge({ ...sides, folder: basename(folder) }, use);
}

/** Throws `InvalidDocuments`: two valid sides may be invalid together. */
async function mergedDocuments(
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
