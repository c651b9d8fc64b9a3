import type { ForgeClient } from '../forge-client.ts';
import type { ReviewedPlan } from '../forge-port.ts';
import { memberAt, objectsIn } from '../../lib/objects.ts';
import { isId } from '../texts.ts';

/** How many runs of one commit are asked for their artifacts. */
const MOST = 5;

/**
 * Finds the runs that planned the last commits of the requests that were merged with these commits, in
 * the order of the merges; without commits, of the request that a merge queue tries. What such a run kept is for people to compare with: code of the request ran in
 * it, so it approves nothing (semantics N74).
 */
export async function findReviewedPlans(
  github: ForgeClient,
  {
    commits,
    artifact,
  }: { readonly commits?: readonly string[] | undefined; readonly artifact: string },
  queued?: number,
): Promise<readonly ReviewedPlan[]> {
  const requests = new Map<number, FoundPull>();
  if (!commits && queued !== undefined)
    for (const pull of pullIn(await github.get(`pulls/${queued}`))) requests.set(queued, pull);
  for (const commit of commits ?? [])
    for (const pull of await mergedPulls(github, commit))
      if (!requests.has(pull.number)) requests.set(pull.number, pull);
  const found: ReviewedPlan[] = [];
  for (const { number: pull, sha } of requests.values()) {
    const run = sha === undefined ? undefined : await runWithPlan(github, sha, artifact);
    found.push({ name: `#${pull}`, ...(run !== undefined && { plan: { is: 'run', run } }) });
  }
  return found;
}

interface FoundPull {
  readonly number: number;
  /** Its last commit; absent where that is none. */
  readonly sha?: string;
}

/** The merged requests of a commit, in the order of their merges. */
async function mergedPulls(github: ForgeClient, commit: string): Promise<readonly FoundPull[]> {
  const pulls = await github.list(`commits/${encodeURIComponent(commit)}/pulls`);
  return pulls
    .flatMap((row) => {
      const { merged_at: at } = row;
      if (typeof at !== 'string') return [];
      return pullIn(row).map((pull) => ({ ...pull, at: Date.parse(at) }));
    })
    .sort((a, b) => a.at - b.at);
}

function pullIn(row: unknown): readonly FoundPull[] {
  const number = memberAt(row, 'number');
  if (!isId(number)) return [];
  const sha = memberAt(row, 'head', 'sha');
  const isCommit = typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha);
  return [{ number, ...(isCommit && { sha }) }];
}

/** The newest run for a commit of a request that still has the artifact. */
async function runWithPlan(
  github: ForgeClient,
  sha: string,
  artifact: string,
): Promise<number | undefined> {
  const answer = await github.get(`actions/runs?head_sha=${sha}&event=pull_request&per_page=100`);
  const ids = objectsIn(memberAt(answer, 'workflow_runs')).flatMap(
    ({ id, head_sha: head, event }) =>
      isId(id) && head === sha && event === 'pull_request' ? [id] : [],
  );
  // Newest first.
  for (const run of ids.sort((a, b) => b - a).slice(0, MOST))
    if (await hasArtifact(github, run, artifact)) return run;
  return undefined;
}

async function hasArtifact(github: ForgeClient, run: number, artifact: string): Promise<boolean> {
  const answer = await github.get(`actions/runs/${run}/artifacts?per_page=100`);
  return objectsIn(memberAt(answer, 'artifacts')).some(
    ({ name, expired }) => name === artifact && expired === false,
  );
}
