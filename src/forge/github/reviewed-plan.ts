import type { ForgeClient } from '../forge-client.ts';
import type { ReviewedPlan } from '../forge-port.ts';
import { isJsonObject } from '../texts.ts';

/** How many runs of one commit are asked for their artifacts. */
const MOST = 5;

/**
 * Finds the run that planned the last commit of the merged request of a commit. Undefined where no
 * request was merged. What such a run kept is for people to compare with: code of the request ran in
 * it, so it approves nothing (semantics N74).
 */
export async function findReviewedPlan(
  github: ForgeClient,
  { commit, artifact }: { readonly commit: string; readonly artifact: string },
): Promise<ReviewedPlan | undefined> {
  const pulls = await github.list(`commits/${encodeURIComponent(commit)}/pulls`);
  const merged = pulls.filter(isJsonObject).flatMap(({ number: pull, merged_at: at, head }) => {
    const sha = isJsonObject(head) ? head['sha'] : undefined;
    const isMerged = typeof pull === 'number' && typeof at === 'string';
    return isMerged ? [{ pull, at, ...(typeof sha === 'string' && { sha }) }] : [];
  });
  const last = merged.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
  if (!last) return undefined;
  const { pull, sha } = last;
  const name = `#${pull}`;
  if (sha === undefined || !/^[0-9a-f]{40}$/.test(sha)) return { name };
  for (const run of await listRuns(github, sha))
    if (await hasArtifact(github, run, artifact)) return { name, plan: { is: 'run', run } };
  return { name };
}

/** The runs for a commit of a pull request, newest first. */
async function listRuns(github: ForgeClient, sha: string): Promise<readonly number[]> {
  const answer = await github.get(`actions/runs?head_sha=${sha}&event=pull_request&per_page=100`);
  const ids = rowsIn(answer, 'workflow_runs').flatMap(({ id, head_sha: head, event }) =>
    isId(id) && head === sha && event === 'pull_request' ? [id] : [],
  );
  return ids.sort((a, b) => b - a).slice(0, MOST);
}

async function hasArtifact(github: ForgeClient, run: number, artifact: string): Promise<boolean> {
  const answer = await github.get(`actions/runs/${run}/artifacts?per_page=100`);
  return rowsIn(answer, 'artifacts').some(
    ({ name, expired }) => name === artifact && expired === false,
  );
}

function rowsIn(answer: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const rows = isJsonObject(answer) ? answer[key] : undefined;
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
