import type { SimpleGit } from 'simple-git';

/**
 * The texts of files by the IDs of their contents, from one git process; without those that the clone does not have.
 * @param gitFor git that reads a text from its stdin
 */
export async function readContents(
  gitFor: (stdin: string) => SimpleGit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const out = (await gitFor(ids.join('\n')).binaryCatFile(['--batch'])) as Buffer;
  let at = 0;
  for (const id of ids) {
    const end = out.indexOf('\n', at);
    // `ID blob SIZE`, then that many bytes and a line end; or `ID missing`.
    const [, type, size] = /^\w+ (\w+) (\d+)$/.exec(out.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    if (type === 'blob') found.set(id, out.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
