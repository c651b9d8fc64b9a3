import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCommit, isAncestor, listedId, remoteGit, resolved, type Env, type Git } from './git.ts';
import { IDENTITY } from './ledger-remote.ts';
import { FETCHED, NOTES } from './notes.ts';
import { complaint, pushAnswer } from './push-answer.ts';
import { withScratch } from './scratch.ts';

/** A call without output for this long is ended; a note is not worth a longer wait. */
const SILENCE = 30_000;

/**
 * Others write notes at the same time, so the push is retried this often. Of several writers one
 * wins each time, so this many organizations of one repository can end their runs at once.
 */
const TRIES = 64;

export interface NewNote {
  readonly commit: string;
  readonly text: string;
  /** The remote that shares the notes; absent if they stay in this clone. */
  readonly remote?: string;
}

/**
 * Appends a text to the note on a commit and, if notes are shared, pushes it with the expected ID.
 * Changes neither working tree, index nor hooks, and needs no user name. Returns the reason for a
 * failure, undefined on success.
 */
export async function addNote(
  folder: string,
  env: Env,
  note: NewNote,
): Promise<string | undefined> {
  const git = remoteGit(folder, env, { silence: SILENCE, more: IDENTITY });
  const ref = `${NOTES}-${randomUUID()}`;
  const written = withScratch('note', async (scratch) => {
    const file = join(scratch, 'text');
    await writeFile(file, note.text);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const came = await tryOnce(git, note, { file, ref });
      if (came !== 'again') return came === 'written' ? undefined : came.why;
    }
    return 'others wrote first, again and again';
  });
  return written.finally(() => git('update-ref', '-d', ref));
}

type PushResult = 'written' | 'again' | { readonly why: string };

interface Scratch {
  readonly file: string;
  /** A ref of this call alone, to build the note before it is published. */
  readonly ref: string;
}

async function tryOnce(git: Git, note: NewNote, { file, ref }: Scratch): Promise<PushResult> {
  const { remote, commit } = note;
  if (!(await hasCommit(git, commit))) return { why: 'the commit is not in a clone here' };
  const local = (await resolved(git, NOTES)) ?? '';
  const there = await fetched(git, remote, local);
  if ('why' in there) return there;
  if (!(await pointRefAt(git, ref, there.id))) return { why: 'the notes cannot be read' };
  if (local !== '' && local !== there.id && !(await isAncestor(git, local, there.id)))
    await git('notes', `--ref=${ref}`, 'merge', '--quiet', '--strategy=union', NOTES);
  const added = await git('notes', `--ref=${ref}`, 'append', '-F', file, commit);
  if (added.exit !== 0) return { why: complaint(added.err) };
  const made = (await resolved(git, ref)) ?? '';
  if (remote !== undefined) {
    const pushed = await push(git, remote, { from: there.id, to: made });
    if (pushed !== 'written') return pushed;
  }
  const moved = await git('update-ref', NOTES, made, local === '' ? ZERO : local);
  return moved.exit === 0 || remote !== undefined ? 'written' : 'again';
}

const ZERO = '0'.repeat(40);

async function pointRefAt(git: Git, ref: string, id: string): Promise<boolean> {
  const args = id === '' ? ['-d', ref] : [ref, id];
  return (await git('update-ref', ...args)).exit === 0 || id === '';
}

/** The current commit of the shared notes; the empty text if there are none yet. Without a remote, of those of this clone. */
async function fetched(
  git: Git,
  remote: string | undefined,
  local = '',
): Promise<{ id: string } | { why: string }> {
  if (remote === undefined) return { id: local };
  const listed = await git('ls-remote', '--', remote, NOTES);
  if (listed.exit !== 0) return { why: complaint(listed.err) };
  const id = listedId(listed, NOTES);
  if (id === undefined) return { id: '' };
  await fetchNotes(git, remote);
  return (await hasCommit(git, id)) ? { id } : { why: 'the notes of the remote cannot be fetched' };
}

/** Fetches the shared notes into our own ref; no ref of the user changes. */
export async function fetchNotes(git: Git, remote: string): Promise<void> {
  const plain = ['--quiet', '--no-tags', '--no-prune', '--refmap=', '--no-filter'];
  const quiet = ['--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  await git('fetch', ...plain, ...quiet, '--', remote, `+${NOTES}:${FETCHED}`);
}

async function push(
  git: Git,
  remote: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PushResult> {
  const lease = `--force-with-lease=${NOTES}:${from}`;
  const plain = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags'];
  const rest = ['--recurse-submodules=no', '--', remote, `${to}:${NOTES}`];
  const said = pushAnswer(await git('push', ...plain, lease, ...rest));
  if (said.kind === 'moved') return 'written';
  if (said.kind === 'behind') return 'again';
  if (said.kind === 'refused') return { why: said.why };
  const tip = await fetched(git, remote);
  return 'id' in tip && tip.id === to ? 'written' : 'again';
}
