import { orMissing, type ForgeClient } from '../forge-client.ts';
import type { FoundRequest, RequestHead, RequestSubject } from '../forge-port.ts';
import { isObject, memberAt } from '../../lib/objects.ts';

/**
 * The subject of a `pull_request` event, or of the `workflow_run` event that follows one; undefined
 * for any other event. The event comes from GitHub, unlike the content of an artifact.
 */
export function parseSubject(event: unknown, repository: string): RequestSubject | undefined {
  if (!isObject(event)) return undefined;
  const { pull_request: pull, workflow_run: run } = event;
  if (isObject(pull) && typeof pull['number'] === 'number' && isObject(pull['head'])) {
    const { sha, ref, repo } = pull['head'];
    const head = parseHead({ sha, branch: ref, repo }, repository);
    return head && { head, number: pull['number'] };
  }
  if (!isObject(run) || run['event'] !== 'pull_request') return undefined;
  const { head_sha: sha, head_branch: branch, head_repository: repo, conclusion } = run;
  const head = parseHead({ sha, branch, repo }, repository);
  return head && { head, ...(typeof conclusion === 'string' && { conclusion }) };
}

/** The ID of the run that a `workflow_run` event follows. */
export function parseRunId(event: unknown): number | undefined {
  const id = memberAt(event, 'workflow_run', 'id');
  return typeof id === 'number' ? id : undefined;
}

export function findDefaultBranch(event: unknown): string | undefined {
  const name = memberAt(event, 'repository', 'default_branch');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The number of the pull request that a merge queue tries: GitHub names the branch of a group `.../pr-7-COMMIT`. */
export function parseQueued(event: unknown): number | undefined {
  const ref = String(memberAt(event, 'merge_group', 'head_ref'));
  const [, number] =
    /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,15})-[0-9a-f]{40}$/.exec(ref) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** All pull requests with the head branch and commit of a job, in any state. */
export async function findPulls(
  github: ForgeClient,
  { head }: RequestSubject,
): Promise<readonly FoundRequest[]> {
  const [owner = ''] = head.repository.split('/');
  const wanted = encodeURIComponent(`${owner}:${head.branch}`);
  const pulls = await github.list(`pulls?state=all&head=${wanted}`);
  return pulls.flatMap((pull) => {
    const { number, state, merged_at: mergedAt } = pull;
    const [sha, ref] = ['sha', 'ref'].map((name) => memberAt(pull, 'head', name));
    const repo = memberAt(pull, 'head', 'repo', 'full_name');
    const base = memberAt(pull, 'base', 'ref');
    const isWanted = sha === head.commit && ref === head.branch && repo === head.repository;
    if (!isWanted || typeof number !== 'number' || typeof base !== 'string') return [];
    const ended = typeof mergedAt === 'string' ? ('merged' as const) : ('closed' as const);
    return [{ number, base, state: state === 'open' ? ('open' as const) : ended }];
  });
}

/** The newest commit that a branch has of the history of another commit. */
export async function findMergeBase(
  github: ForgeClient,
  branch: string,
  commit: string,
): Promise<string | undefined> {
  const [base, head] = [branch, commit].map(encodeURIComponent);
  const answer = await orMissing(github.get(`compare/${base}...${head}?per_page=1`));
  const sha = memberAt(answer, 'merge_base_commit', 'sha');
  return typeof sha === 'string' ? sha : undefined;
}

/** The merged pull requests that brought a commit to its branch, in ascending order. */
export async function findMergedPulls(
  github: ForgeClient,
  commit: string,
): Promise<readonly number[]> {
  const pulls = await github.list(`commits/${encodeURIComponent(commit)}/pulls`);
  const merged = pulls.flatMap(({ number, merged_at: at }) =>
    typeof number === 'number' && typeof at === 'string' ? [number] : [],
  );
  return [...new Set(merged)].sort((a, b) => a - b);
}

function parseHead(
  { sha, branch, repo }: Readonly<Record<'sha' | 'branch' | 'repo', unknown>>,
  repository: string,
): RequestHead | undefined {
  const name = memberAt(repo, 'full_name');
  if (typeof sha !== 'string' || typeof branch !== 'string' || typeof name !== 'string')
    return undefined;
  return { commit: sha, branch, repository: name, isFork: name !== repository };
}
