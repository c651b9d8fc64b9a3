import type { ForgeClient } from '../forge-client.ts';
import { isObject } from '../../lib/objects.ts';
import { isId } from '../texts.ts';

/**
 * The run with the newest artifact of a name on a branch of this repository; undefined if there is
 * none. Artifacts of a fork or another branch are ignored, because a pull request can upload any
 * artifact.
 */
export async function runWithArtifact(
  github: ForgeClient,
  { name, branch }: { readonly name: string; readonly branch: string },
): Promise<number | undefined> {
  const path = `actions/artifacts?name=${encodeURIComponent(name)}&per_page=100`;
  const answer = await github.get(path);
  const rows = isObject(answer) && Array.isArray(answer['artifacts']) ? answer['artifacts'] : [];
  const runs = rows.flatMap((row: unknown) => {
    if (!isObject(row) || row['name'] !== name || row['expired'] !== false) return [];
    const { workflow_run: run } = row;
    if (!isObject(run) || run['head_branch'] !== branch) return [];
    const { id, repository_id: own, head_repository_id: head } = run;
    return own === head && typeof own === 'number' && isId(id) ? [id] : [];
  });
  return runs.length === 0 ? undefined : Math.max(...runs);
}

/**
 * Who approved the gates of a workflow run, by the forge's own record, sorted; none where it has no
 * such record (semantics N75).
 */
export async function gateApprovers(github: ForgeClient, run: string): Promise<readonly string[]> {
  const rows = await github.get(`actions/runs/${encodeURIComponent(run)}/approvals`);
  if (!Array.isArray(rows)) return [];
  const names = rows.filter(isObject).flatMap(({ state, user }) => {
    const login = isObject(user) ? user['login'] : undefined;
    return state === 'approved' && typeof login === 'string' ? [login] : [];
  });
  return [...new Set(names)].sort();
}
