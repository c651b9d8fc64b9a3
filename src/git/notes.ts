import type { LedgerHead } from '../model/ledger/record.ts';
import { remoteGit, type Env } from './git.ts';
import { openRepository } from './repo.ts';

/** The ref of notes on applied commits. */
export const NOTES = 'refs/notes/fleetform';

/** Our own ref for the fetched notes of the remote. */
export const FETCHED = 'refs/fleetform/notes';

/** Long enough for any local command. */
const SILENCE = 30_000;

/** The line of a note that names a ledger head. */
const HEAD_LINE = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/gm;

/** A line of `rev-parse` that found something; it repeats what it did not find. */
const COMMIT = /^[0-9a-f]{40,64}$/;

/** How many of the newest changes of the notes are searched. */
const SEARCHED = 1_000;

/**
 * The head of a tenant's ledger in its newest note on an applied commit, as a head pin: the ledger
 * had at least this length then (protocol J6). The line is `Ledger-Head: <first 12 of the tenant
 * fingerprint> <seq> <hash>`; the last one counts if several runs applied the commit. Notes of other
 * tenants of the repository, and by hand, are passed over. Undefined if this clone has no such note.
 * Anybody may push a note, in any name.
 */
export async function notedHead(
  folder: string,
  env: Env,
  fingerprint: string,
  ref = NOTES,
): Promise<NotedHead | undefined> {
  const git = remoteGit(folder, env, { silence: SILENCE });
  const owned = `^Ledger-Head: ${fingerprint.slice(0, 12)} `;
  const ends = await git('rev-parse', ref, `${ref}~${SEARCHED}`);
  const [tip, bound] = ends.out.split('\n').filter((line) => COMMIT.test(line));
  if (tip === undefined) return undefined;
  const since = bound === undefined ? [] : [`^${bound}`];
  // A file `.gitattributes` may call notes binary, which `-G` would pass over without `--text`.
  const changing = ['--text', '--diff-filter=AM', '-G', owned];
  const how = ['--format=%H %at %an', '--no-show-signature', '-n', '1'];
  const found = await git('log', ...how, ...changing, ref, ...since, '--');
  const [, newest = '', seconds = '', by = ''] = /^(\w+) (\d+) (.*)/.exec(found.out) ?? [];
  if (newest === '') return undefined;
  const plain = ['-r', '--root', '--no-commit-id', ...changing];
  const changed = await git('diff-tree', ...plain, newest);
  const blob = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /m.exec(changed.out)?.[1];
  if (changed.exit !== 0 || blob === undefined) return undefined;
  const { out } = await git('cat-file', 'blob', blob);
  const ours = [...out.matchAll(HEAD_LINE)].filter(
    ([, owner]) => owner === fingerprint.slice(0, 12),
  );
  const [, , seq, hash = ''] = ours.at(-1) ?? [];
  return seq === undefined
    ? undefined
    : { seq: Number(seq), hash, by, at: Number(seconds) * 1_000 };
}

/** The head that a note names, and who says to have written the note, and when in milliseconds. */
export interface NotedHead extends LedgerHead {
  readonly by: string;
  readonly at: number;
}

/** All notes in this clone, fetched ones included, by full commit ID. */
export async function readNotes(folder: string, env: Env): Promise<ReadonlyMap<string, string>> {
  const git = remoteGit(folder, env, { silence: SILENCE });
  const blobs = new Map<string, string>();
  for (const ref of [FETCHED, NOTES]) {
    const { out } = await git('ls-tree', '-r', '-z', '--full-tree', ref);
    for (const [, blob = '', path = ''] of out.matchAll(/\d+ blob ([0-9a-f]+)\t([^\0]+)\0/g))
      blobs.set(path.replaceAll('/', ''), blob);
  }
  const texts = await openRepository(folder, env).contents([...new Set(blobs.values())]);
  const notes = [...blobs].map(([commit, blob]) => [commit, texts.get(blob)] as const);
  return new Map(notes.flatMap(([commit, text]) => (text === undefined ? [] : [[commit, text]])));
}
