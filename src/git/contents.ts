import type { Git } from './git.ts';

/**
 * The texts of files by the IDs of their contents, from one git process; without those that the clone does not have.
 * @param gitFor git that is asked for these objects
 */
export async function readContents(
  gitFor: (objects: readonly string[]) => Git,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const { out } = await gitFor(ids)('cat-file', '--batch');
  let at = 0;
  for (const id of ids) {
    const end = out.indexOf('\n', at);
    // `ID blob SIZE`, then that many bytes and a line end; or `ID missing`.
    const [, type, size] = /^\w+ (\w+) (\d+)$/.exec(out.slice(at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    const text = out.slice(at, at + Number(size));
    if (type === 'blob') found.set(id, Buffer.from(text, 'latin1').toString('utf8'));
    at += Number(size) + 1;
  }
  return found;
}
