import type { GitHub } from './github.ts';
import { isJsonObject } from './texts.ts';

/**
 * Who approved the gates of a workflow run, by the forge's own record, sorted; none where it has no
 * such record (semantics N75).
 */
export async function gateApprovers(github: GitHub, run: string): Promise<readonly string[]> {
  const rows = await github.get(`actions/runs/${encodeURIComponent(run)}/approvals`);
  if (!Array.isArray(rows)) return [];
  const names = rows.filter(isJsonObject).flatMap(({ state, user }) => {
    const login = isJsonObject(user) ? user['login'] : undefined;
    return state === 'approved' && typeof login === 'string' ? [login] : [];
  });
  return [...new Set(names)].sort();
}
