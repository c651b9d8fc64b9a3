import type { LedgerHead } from '../model/ledger/record.ts';
import { remoteGit, type Env } from './git.ts';

/** Where notes on applied commits are. */
export const NOTES = 'refs/notes/fleetform';

/** Where those of the remote are once fetched: a ref of our own. */
export const FETCHED = 'refs/fleetform/notes';

/** Long enough for any local command. */
const SILENCE = 30_000;

/** What a note says of a ledger, in a line of its own. */
const HEAD_LINE = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/gm;

/**
 * The head of a tenant's ledger that the newest note on an applied commit names, as a witness that
 * the ledger was at least so long then (protocol J6). The note says it in a line of its own:
 * `Ledger-Head: <first 12 of the tenant fingerprint> <seq> <hash>`; where several runs applied one
 * commit, the last line counts. Undefined where there is no such note in this clone.
 */
export async function notedHead(
  folder: string,
  env: Env,
  fingerprint: string,
  ref = NOTES,
): Promise<LedgerHead | undefined> {
  const git = remoteGit(folder, env, { silence: SILENCE });
  const changed = await git('diff-tree', '-r', '--root', '--no-commit-id', '--diff-filter=AM', ref);
  const blob = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /m.exec(changed.out)?.[1];
  if (changed.exit !== 0 || blob === undefined) return undefined;
  const { out } = await git('cat-file', 'blob', blob);
  const ours = [...out.matchAll(HEAD_LINE)].filter(
    ([, owner]) => owner === fingerprint.slice(0, 12),
  );
  const [, , seq, hash = ''] = ours.at(-1) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

/** Every note in this clone, text by the full id of its commit; those of the remote where they were fetched. */
export async function readNotes(folder: string, env: Env): Promise<ReadonlyMap<string, string>> {
  const git = remoteGit(folder, env, { silence: SILENCE });
  const notes = new Map<string, string>();
  for (const ref of [FETCHED, NOTES]) {
    const tree = await git('ls-tree', '-r', '-z', '--full-tree', ref);
    if (tree.exit !== 0) continue;
    for (const [, blob = '', path = ''] of tree.out.matchAll(/\d+ blob ([0-9a-f]+)\t([^\0]+)\0/g)) {
      const { exit, out } = await git('cat-file', 'blob', blob);
      if (exit === 0) notes.set(path.replaceAll('/', ''), out);
    }
  }
  return notes;
}
