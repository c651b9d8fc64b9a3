import { orMissing, type ForgeClient } from '../forge-client.ts';
import type { FoundRequest, RequestSubject } from '../forge-port.ts';
import { memberAt } from '../../lib/objects.ts';
import { textOf } from '../texts.ts';

/** The predefined variables of a job, which GitLab sets. */
export type JobVariables = Readonly<Record<string, string | undefined>>;

/**
 * The merge request of a job; undefined in a pipeline that is not for one. In a pipeline for merged
 * results the commit of the job is a merge of GitLab's, so the head of the source branch counts.
 */
export function parseMergeRequest(variables: JobVariables): RequestSubject | undefined {
  const {
    CI_MERGE_REQUEST_IID: iid = '',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch = '',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: repository = '',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source = '',
    CI_MERGE_REQUEST_PROJECT_ID: target = '',
  } = variables;
  const commit = variables['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || variables['CI_COMMIT_SHA'];
  if (!/^[1-9]\d{0,14}$/.test(iid) || !commit || branch === '') return undefined;
  return { number: Number(iid), head: { commit, branch, repository, isFork: source !== target } };
}

/** All merge requests with the head branch and commit of a job, in any state. */
export async function findRequests(
  project: ForgeClient,
  { head }: RequestSubject,
  { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source }: JobVariables,
): Promise<readonly FoundRequest[]> {
  const branch = encodeURIComponent(head.branch);
  const rows = await project.list(`merge_requests?state=all&scope=all&source_branch=${branch}`);
  return rows.flatMap((row) => {
    const { iid, state, sha, source_branch: from, target_branch: base } = row;
    const isWanted =
      sha === head.commit && from === head.branch && String(row['source_project_id']) === source;
    if (!isWanted || typeof iid !== 'number' || typeof base !== 'string') return [];
    const ended = state === 'merged' ? ('merged' as const) : ('closed' as const);
    // A locked one is about to be merged.
    const isOpen = state === 'opened' || state === 'locked';
    return [{ number: iid, base, state: isOpen ? ('open' as const) : ended }];
  });
}

/** The newest commit that a branch has of the history of another commit. */
export async function findMergeBase(
  project: ForgeClient,
  branch: string,
  commit: string,
): Promise<string | undefined> {
  const refs = [branch, commit].map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&');
  const found = await orMissing(project.get(`repository/merge_base?${refs}`));
  const id = memberAt(found, 'id');
  return typeof id === 'string' ? id : undefined;
}

export interface MergedRow {
  readonly number: number;
  readonly at: string;
}

/** The merged merge requests that brought a commit to its branch, in ascending order. */
export async function findMerged(
  project: ForgeClient,
  commit: string,
): Promise<readonly MergedRow[]> {
  const path = `repository/commits/${encodeURIComponent(commit)}/merge_requests?state=merged`;
  const rows = await project.list(path);
  const merged = rows.flatMap(({ iid, state, merged_at: at }) =>
    typeof iid === 'number' && state === 'merged'
      ? [[iid, { number: iid, at: textOf(at) }] as const]
      : [],
  );
  return [...new Map(merged).values()].sort((a, b) => a.number - b.number);
}
