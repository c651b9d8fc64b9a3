import { orMissing, type ForgeClient } from '../forge-client.ts';
import type { FoundRequest, RequestHead, RequestSubject } from '../forge-port.ts';
import { isJsonObject } from '../texts.ts';

/**
 * The subject of a `pull_request` event, or of the `workflow_run` event that follows one; undefined
 * for any other event. The event comes from GitHub, unlike the content of an artifact.
 */
export function parseSubject(event: unknown, repository: string): RequestSubject | undefined {
  if (!isJsonObject(event)) return undefined;
  const { pull_request: pull, workflow_run: run } = event;
  if (isJsonObject(pull) && typeof pull['number'] === 'number' && isJsonObject(pull['head'])) {
    const { sha, ref, repo } = pull['head'];
    const head = parseHead({ sha, branch: ref, repo }, repository);
    return head && { head, number: pull['number'] };
  }
  if (!isJsonObject(run) || run['event'] !== 'pull_request') return undefined;
  const { head_sha: sha, head_branch: branch, head_repository: repo, conclusion } = run;
  const head = parseHead({ sha, branch, repo }, repository);
  return head && { head, ...(typeof conclusion === 'string' && { conclusion }) };
}

/** The ID of the run that a `workflow_run` event follows. */
export function parseRunId(event: unknown): number | undefined {
  const run = isJsonObject(event) ? event['workflow_run'] : undefined;
  const id = isJsonObject(run) ? run['id'] : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** The default branch of the event's repository, if the event has it. */
export function findDefaultBranch(event: unknown): string | undefined {
  const repository = isJsonObject(event) ? event['repository'] : undefined;
  const name = isJsonObject(repository) ? repository['default_branch'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** All pull requests with the head branch and commit of a job, in any state. */
export async function findPulls(
  github: ForgeClient,
  { head }: RequestSubject,
): Promise<readonly FoundRequest[]> {
  const [owner = ''] = head.repository.split('/');
  const wanted = encodeURIComponent(`${owner}:${head.branch}`);
  const pulls = await github.list(`pulls?state=all&head=${wanted}`);
  return pulls.filter(isJsonObject).flatMap((pull) => {
    const { number, state, merged_at: mergedAt } = pull;
    const at = isJsonObject(pull['head']) ? pull['head'] : {};
    const repo = isJsonObject(at['repo']) ? at['repo']['full_name'] : undefined;
    const base = isJsonObject(pull['base']) ? pull['base']['ref'] : undefined;
    const isWanted =
      at['sha'] === head.commit && at['ref'] === head.branch && repo === head.repository;
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
  const found = isJsonObject(answer) ? answer['merge_base_commit'] : undefined;
  return isJsonObject(found) && typeof found['sha'] === 'string' ? found['sha'] : undefined;
}

/** The merged pull requests that brought a commit to its branch, in ascending order. */
export async function findMergedPulls(
  github: ForgeClient,
  commit: string,
): Promise<readonly number[]> {
  const pulls = await github.list(`commits/${encodeURIComponent(commit)}/pulls`);
  const merged = pulls
    .filter(isJsonObject)
    .flatMap(({ number, merged_at: at }) =>
      typeof number === 'number' && typeof at === 'string' ? [number] : [],
    );
  return [...new Set(merged)].sort((a, b) => a - b);
}

function parseHead(
  { sha, branch, repo }: Readonly<Record<'sha' | 'branch' | 'repo', unknown>>,
  repository: string,
): RequestHead | undefined {
  const name = isJsonObject(repo) ? repo['full_name'] : undefined;
  if (typeof sha !== 'string' || typeof branch !== 'string' || typeof name !== 'string')
    return undefined;
  return { commit: sha, branch, repository: name, isFork: name !== repository };
}
