import type { ForgeClient } from '../forge-client.ts';
import type { RequestSubject } from '../forge-port.ts';
import { isJsonObject } from '../texts.ts';

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

/**
 * The merge request, if it is open and this is still its newest commit. An outdated pipeline must not
 * comment.
 */
export async function findOpen(
  project: ForgeClient,
  { number, head }: RequestSubject,
): Promise<number | undefined> {
  if (number === undefined) return undefined;
  const found = await project.get(`merge_requests/${number}`);
  if (!isJsonObject(found)) return undefined;
  const { iid, state, sha, source_branch: branch } = found;
  const isCurrent = iid === number && sha === head.commit && branch === head.branch;
  return isCurrent && state === 'opened' ? number : undefined;
}

/** A merged merge request. */
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
  const rows = (await project.list(path)).filter(isJsonObject);
  const merged = rows.flatMap(({ iid, state, merged_at: at }) =>
    typeof iid === 'number' && state === 'merged'
      ? [[iid, { number: iid, at: typeof at === 'string' ? at : '' }] as const]
      : [],
  );
  return [...new Map(merged).values()].sort((a, b) => a.number - b.number);
}
