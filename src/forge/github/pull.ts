import type { GitHub } from './github.ts';
import { isJsonObject } from './texts.ts';

/** The commit of a pull request that a job is about. */
export interface PullHead {
  readonly commit: string;
  readonly branch: string;
  /** `owner/name` of the repository that the branch is in. */
  readonly repository: string;
  readonly isFork: boolean;
}

/** The pull request and the commit that an event is about. */
export interface PullSubject {
  readonly head: PullHead;
  /** Known where the event is the pull request's own. */
  readonly number?: number;
  /** How the run ended that was to make the plan, where it is another run. */
  readonly conclusion?: string;
}

/**
 * What an event of `pull_request`, or of the `workflow_run` that follows one, is about; undefined
 * for any other. The event comes from GitHub itself, unlike what an artifact says.
 */
export function subjectOf(event: unknown, repository: string): PullSubject | undefined {
  if (!isJsonObject(event)) return undefined;
  const { pull_request: pull, workflow_run: run } = event;
  if (isJsonObject(pull) && typeof pull['number'] === 'number' && isJsonObject(pull['head'])) {
    const { sha, ref, repo } = pull['head'];
    const head = headOf({ sha, branch: ref, repo }, repository);
    return head && { head, number: pull['number'] };
  }
  if (!isJsonObject(run) || run['event'] !== 'pull_request') return undefined;
  const { head_sha: sha, head_branch: branch, head_repository: repo, conclusion } = run;
  const head = headOf({ sha, branch, repo }, repository);
  return head && { head, ...(typeof conclusion === 'string' && { conclusion }) };
}

/** The default branch of the repository of an event; undefined where it does not say. */
export function defaultBranchOf(event: unknown): string | undefined {
  const repository = isJsonObject(event) ? event['repository'] : undefined;
  const name = isJsonObject(repository) ? repository['default_branch'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * The open pull request whose newest commit that is; undefined where it moved on, was closed, or
 * never was. A run that was overtaken says nothing.
 */
export async function pullOf(
  github: GitHub,
  { head, number }: PullSubject,
): Promise<number | undefined> {
  const [owner = ''] = head.repository.split('/');
  const wanted = encodeURIComponent(`${owner}:${head.branch}`);
  const pulls = await github.list(`pulls?state=open&head=${wanted}`);
  const found = pulls.filter(isJsonObject).filter((pull) => {
    const at = isJsonObject(pull['head']) ? pull['head'] : {};
    const repo = isJsonObject(at['repo']) ? at['repo']['full_name'] : undefined;
    const isWanted = number === undefined || pull['number'] === number;
    return isWanted && at['sha'] === head.commit && repo === head.repository;
  });
  const [first] = found.map((pull) => pull['number']);
  return typeof first === 'number' ? first : undefined;
}

function headOf(
  { sha, branch, repo }: Readonly<Record<'sha' | 'branch' | 'repo', unknown>>,
  repository: string,
): PullHead | undefined {
  const name = isJsonObject(repo) ? repo['full_name'] : undefined;
  if (typeof sha !== 'string' || typeof branch !== 'string' || typeof name !== 'string')
    return undefined;
  return { commit: sha, branch, repository: name, isFork: name !== repository };
}
