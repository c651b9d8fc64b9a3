import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remoteGit, type Env, type Git } from './git.ts';
import { IDENTITY } from './ledger-remote.ts';
import { FETCHED, NOTES } from './notes.ts';
import { complaint, pushAnswer } from './push-answer.ts';
import { makeScratch } from './scratch.ts';

/** Whoever says nothing for so long is given up: a note is worth no more. */
const SILENCE = 30_000;

/** Others write notes too, on other commits; somebody comes last after so many tries. */
const TRIES = 12;

export interface NewNote {
  readonly commit: string;
  readonly text: string;
  /** Where notes are shared; absent where this clone alone has them. */
  readonly remote?: string;
}

/**
 * Adds a text to the note on a commit, below what is there, and where notes are shared pushes it
 * with the id that is expected there. Working tree, index and hooks are not touched, and nobody's
 * name is needed. Returns why it could not be done; undefined where it was.
 */
export async function addNote(
  folder: string,
  env: Env,
  note: NewNote,
): Promise<string | undefined> {
  const git = remoteGit(folder, env, { silence: SILENCE, more: IDENTITY });
  const scratch = await makeScratch('note');
  const file = join(scratch, 'text');
  const ref = `${NOTES}-${randomUUID()}`;
  try {
    await writeFile(file, note.text);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const came = await tryOnce(git, note, { file, ref });
      if (came !== 'again') return came === 'written' ? undefined : came.why;
    }
    return 'others wrote first, again and again';
  } finally {
    await git('update-ref', '-d', ref);
    await rm(scratch, { recursive: true, force: true });
  }
}

type PushResult = 'written' | 'again' | { readonly why: string };

interface Scratch {
  readonly file: string;
  /** A ref of this call alone, where the note is made before anybody sees it. */
  readonly ref: string;
}

async function tryOnce(git: Git, note: NewNote, { file, ref }: Scratch): Promise<PushResult> {
  const { remote, commit } = note;
  if ((await git('cat-file', '-e', `${commit}^{commit}`)).exit !== 0)
    return { why: 'the commit is not in a clone here' };
  const local = await idOf(git, NOTES);
  const there = remote === undefined ? { id: local } : await fetched(git, remote);
  if ('why' in there) return there;
  if (!(await pointRefAt(git, ref, there.id))) return { why: 'the notes cannot be read' };
  if (local !== '' && local !== there.id && !(await isIn(git, local, there.id)))
    await git('notes', `--ref=${ref}`, 'merge', '--quiet', '--strategy=union', NOTES);
  const added = await git('notes', `--ref=${ref}`, 'append', '-F', file, commit);
  if (added.exit !== 0) return { why: complaint(added.err) };
  const made = await idOf(git, ref);
  if (remote !== undefined) {
    const pushed = await push(git, remote, { from: there.id, to: made });
    if (pushed !== 'written') return pushed;
  }
  const moved = await git('update-ref', NOTES, made, local === '' ? ZERO : local);
  return moved.exit === 0 || remote !== undefined ? 'written' : 'again';
}

const ZERO = '0'.repeat(40);

async function idOf(git: Git, ref: string): Promise<string> {
  const { exit, out } = await git('rev-parse', '--verify', '--quiet', ref);
  return exit === 0 ? out.trim() : '';
}

async function pointRefAt(git: Git, ref: string, id: string): Promise<boolean> {
  const args = id === '' ? ['-d', ref] : [ref, id];
  return (await git('update-ref', ...args)).exit === 0 || id === '';
}

async function isIn(git: Git, id: string, tip: string): Promise<boolean> {
  return tip !== '' && (await git('merge-base', '--is-ancestor', id, tip)).exit === 0;
}

/** Where the shared notes are now; the empty text where there are none yet. */
async function fetched(git: Git, remote: string): Promise<{ id: string } | { why: string }> {
  const listed = await git('ls-remote', '--', remote, NOTES);
  if (listed.exit !== 0) return { why: complaint(listed.err) };
  const id = listed.out
    .split('\n')
    .find((line) => line.endsWith(`\t${NOTES}`))
    ?.split('\t')[0];
  if (id === undefined) return { id: '' };
  await fetchNotes(git, remote);
  const isHere = (await git('cat-file', '-e', `${id}^{commit}`)).exit === 0;
  return isHere ? { id } : { why: 'the notes of the remote cannot be fetched' };
}

/** Brings the shared notes into a ref of our own; nothing of the user's moves. */
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
