import { unknownRef } from '../git/git.ts';
import type { Merge } from '../git/merge.ts';
import type { Documents } from '../model/documents/policy.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { withCommits, type LineSource } from './origins.ts';
import { withOwnLedger } from './simulator.ts';
import {
  baseAt,
  changedSince,
  commitNamed,
  type ComparisonBase,
  cloneOf,
  foldersOf,
  validAt,
} from './repository.ts';
import { printMessages } from '../shell/messages.ts';
import { terminal } from '../render/sinks/sinks.ts';
import { fill } from '../render/words/phrase.ts';
import { INVALID_TOGETHER } from '../render/words/terms.ts';
import type { PlanScope, ScopeTrailer } from '../model/plan/scope.ts';
import { parseScope } from '../plan/compare/parse-scope.ts';
import type { Cloned, Here } from './here.ts';

/** The documents of a plan, its base, and where its lines are read. */
export interface PlanSides {
  readonly documents: Documents;
  readonly base?: ComparisonBase;
  readonly reading: LineSource;
}

/**
 * Calls `use` with both sides of a plan with a base: the documents after a merge into the base,
 * since those will be applied, and the base. Without a base, it passes the documents alone; if no
 * merge is possible, the documents as they are and their merge base. Throws `refUnknown`, and
 * `InvalidDocuments` for either side, with the commit in each file name.
 */
export async function withSides<T>(
  here: Here,
  ref: string | undefined,
  use: (sides: PlanSides) => Promise<T>,
): Promise<T> {
  const { shell, documents } = here;
  if (ref === undefined) return use({ documents, reading: {} });
  const commit = await commitNamed(here, ref);
  if (commit === undefined) throw await unknownRef(cloneOf(here).git, ref);
  return whileMerged(here, { base: commit }, async (merge) => {
    const scopes = await scopesSince(here, commit);
    const { documents: old, ...found } = await baseAt(here, {
      ref,
      ...comparedWith(commit, merge),
    });
    const base = {
      ...found,
      ...(old && { documents: await withOwnLedger(shell, old) }),
      scopes,
      changed: await changedSince(here, commit),
    };
    if (merge.is !== 'merged') return use({ documents, base, reading: {} });
    const at = { env: merge.env, prefix: 'merged:' };
    // Two valid sides may be invalid together.
    const merged = await validAt(here, merge.commit, at).catch((error: unknown) => {
      const params = { base: ref, lacks: merge.lacks };
      if (error instanceof InvalidDocuments)
        printMessages(shell, [fill(INVALID_TOGETHER, params, terminal)]);
      throw error;
    });
    const { folder } = documents;
    const reading = { ref: merge.commit, unmade: merge.own, env: merge.env };
    const placed = { ...(await withOwnLedger(shell, merged)), ...(folder && { folder }) };
    const dated = await withCommits({ shell, documents: placed }, reading);
    return use({ documents: dated, base, reading });
  });
}

/** Calls `use` with the result of merging a commit, or the work tree, into another commit. */
export async function whileMerged<T>(
  here: Cloned,
  sides: { readonly base: string; readonly branch?: string },
  use: (merge: Merge) => Promise<T>,
): Promise<T> {
  const folders = await foldersOf(here);
  return cloneOf(here).repository.withMerge({ ...sides, folders }, use);
}

function comparedWith(tip: string, merge: Merge): Pick<ComparisonBase, 'commit' | 'behind'> {
  if (merge.is === 'contained') return { commit: tip };
  const { is: state, lacks } = merge;
  if (state === 'merged' || state === 'unrelated')
    return { commit: tip, behind: { lacks, is: state } };
  const files = state === 'conflict' ? { files: merge.files } : {};
  return { commit: merge.left, behind: { lacks, is: state, ...files, tip } };
}

/** The `Scope:` trailers of the commits since a base, oldest first (semantics G9). */
export async function scopesSince(here: Cloned, base: string): Promise<readonly ScopeTrailer[]> {
  const folders = await foldersOf(here, [base]);
  return cloneOf(here).repository.scopeTrailers({ base, folders });
}

/**
 * The scopes of a request that cannot be read, which is known without a plan. Undefined if all can be
 * read, or if the clone does not have the base.
 */
export async function malformedScope(here: Cloned, ref: string): Promise<PlanScope | undefined> {
  const base = await commitNamed(here, ref);
  if (base === undefined) return undefined;
  const trailers = (await scopesSince(here, base)).flatMap((trailer) => {
    const { problems } = parseScope(trailer.text);
    return problems.length > 0 ? [{ ...trailer, devices: 0, problems }] : [];
  });
  const outside = { changes: 0, devices: 0, classes: [] };
  return trailers.length > 0
    ? { trailers, changes: 0, devices: 0, outside, passed: false }
    : undefined;
}
