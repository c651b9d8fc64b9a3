import { dirname } from 'node:path';
import type { Git } from '../../git/git.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';

/** The default branch of the remote, as this clone knows it. */
export interface DefaultBranch {
  readonly remote: string;
  readonly name: string;
  /** The newest commit of it that the clone has. */
  readonly tip: string;
}

/**
 * The default branch, as far as it is known. `none`: there is no remote, so that all history is in the
 * checkout. `unknown`: there is one, and the clone does not know its default branch or cannot fetch
 * it. Then no commit counts as merged, and none as the newest.
 */
export type FoundBranch = DefaultBranch | 'none' | 'unknown';

async function openGit(shell: Shell, documents: Documents): Promise<Git> {
  const { remoteGit } = await import('../../git/git.ts');
  return remoteGit(dirname(documentsFolder(shell, documents)), shell.env, { silence: 60_000 });
}

/** The remote of the ledger, if it is one of the clone's remotes by name; `origin` else. */
function remoteIn({ service }: Documents): string {
  const { remote = 'origin' } = service.value.ledger ?? {};
  return /^[\w.-]+$/.test(remote) ? remote : 'origin';
}

/**
 * The default branch of the remote of the ledger, or of `origin` where that remote has nothing but the
 * ledger. With `isFetched` the newest commit of it is fetched first.
 */
export async function readDefaultBranch(
  shell: Shell,
  documents: Documents,
  { isFetched = false }: { readonly isFetched?: boolean } = {},
): Promise<FoundBranch> {
  const git = await openGit(shell, documents);
  const { branch: ledger = 'fleetform-ledger' } = documents.service.value.ledger ?? {};
  let found: FoundBranch = 'none';
  for (const remote of new Set([remoteIn(documents), 'origin'])) {
    const { exit } = await git('config', '--get', `remote.${remote}.url`);
    if (exit !== 0) continue;
    found = 'unknown';
    const name = await branchName(git, remote, { env: shell.env, ledger });
    if (name === undefined) continue;
    const ref = `refs/remotes/${remote}/${name}`;
    if (isFetched) {
      const fetched = await git('fetch', '--quiet', remote, `+refs/heads/${name}:${ref}`);
      if (fetched.exit !== 0) return 'unknown';
    }
    const tip = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
    return tip.exit === 0 ? { remote, name, tip: tip.out.trim() } : 'unknown';
  }
  return found;
}

/** The name from the clone, from the job, from the usual names, else from the remote. */
async function branchName(
  git: Git,
  remote: string,
  { env, ledger }: { readonly env: Shell['env']; readonly ledger: string },
): Promise<string | undefined> {
  const head = await git('symbolic-ref', '--short', `refs/remotes/${remote}/HEAD`);
  if (head.exit === 0) return head.out.trim().slice(remote.length + 1);
  const { FLEETFORM_BRANCH: named = '', CI_DEFAULT_BRANCH: onGitLab = '' } = env;
  for (const name of [named, onGitLab, 'main', 'master']) {
    const ref = `refs/remotes/${remote}/${name}^{commit}`;
    if (name !== '' && (await git('rev-parse', '--verify', '--quiet', ref)).exit === 0) return name;
  }
  const answer = await git('ls-remote', '--symref', remote, 'HEAD');
  const [, name] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer.out) ?? [];
  return name === ledger ? undefined : name;
}

/**
 * Whether this commit is the newest of the default branch, by the remote and not only by the clone,
 * which may not have fetched for days. So it is where there is no remote.
 */
export async function isNewestCommit(
  shell: Shell,
  documents: Documents,
  commit: string,
): Promise<boolean> {
  const branch = await readDefaultBranch(shell, documents);
  if (branch === 'none') return true;
  if (branch === 'unknown' || branch.tip !== commit) return false;
  const git = await openGit(shell, documents);
  const { out } = await git('ls-remote', branch.remote, `refs/heads/${branch.name}`);
  return out.startsWith(`${commit}\t`);
}

/**
 * The commits of the default branch, newest first; of HEAD where the clone knows no default branch.
 * None outside a repository.
 */
export async function defaultHistory(
  shell: Shell,
  documents: Documents,
): Promise<readonly string[]> {
  const git = await openGit(shell, documents);
  const branch = await readDefaultBranch(shell, documents);
  const { out, exit } = await git('rev-list', '--topo-order', newestTip(branch));
  return exit === 0 ? out.split('\n').filter((line) => line !== '') : [];
}

/** The newest commit of a branch that was found, else the one that is checked out. */
export function newestTip(branch: FoundBranch): string {
  return branch === 'none' || branch === 'unknown' ? 'HEAD' : branch.tip;
}

/**
 * The subject lines and IDs of the commits of a branch after another commit, oldest first; of its whole
 * history from `''` on, and of its newest commit alone without `from`.
 */
export async function commitsSince(
  shell: Shell,
  documents: Documents,
  range: { readonly from?: string | undefined; readonly to: string },
): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const git = await openGit(shell, documents);
  const { from, to } = range;
  const since = from === undefined ? ['--max-count=1', to] : [from === '' ? to : `${from}..${to}`];
  const { out, exit } = await git('log', '--first-parent', '--reverse', '--format=%H %s', ...since);
  if (exit !== 0) return [];
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(41) }));
}
