import type { LedgerHead } from '../model/record.ts';
import { remoteGit, type Env } from './git.ts';

/** Where notes on applied commits are; nothing here fetches them. */
const NOTES = 'refs/notes/fleetform';

/** Long enough for any local command. */
const SILENCE = 30_000;

/**
 * The head of a tenant's ledger that the newest note on an applied commit names, as a witness that
 * the ledger was at least so long then (apply protocol 3.4). The note says it in a line of its own:
 * `Ledger-Head: <first 12 of the tenant fingerprint> <seq> <hash>`. Undefined where there is no such
 * note in this clone.
 */
export async function notedHead(
  folder: string,
  env: Env,
  fingerprint: string,
): Promise<LedgerHead | undefined> {
  const git = remoteGit(folder, env, { silence: SILENCE });
  const changed = await git(
    'diff-tree',
    '-r',
    '--root',
    '--no-commit-id',
    '--diff-filter=AM',
    NOTES,
  );
  const blob = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /m.exec(changed.out)?.[1];
  if (changed.exit !== 0 || blob === undefined) return undefined;
  const { out } = await git('cat-file', 'blob', blob);
  const line = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/m.exec(out);
  if (line === null || line[1] !== fingerprint.slice(0, 12)) return undefined;
  return { seq: Number(line[2]), hash: line[3] ?? '' };
}
