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

/** The remote of the ledger, if it is one of the clone's remotes by name. */
function remoteIn({ service }: Documents): string {
  const { remote = 'origin' } = service.value.ledger ?? {};
  return /^[\w.-]+$/.test(remote) ? remote : 'origin';
}

async function openGit(shell: Shell, documents: Documents): Promise<Git> {
  const { remoteGit } = await import('../../git/git.ts');
  return remoteGit(dirname(documentsFolder(shell, documents)), shell.env, { silence: 60_000 });
}

/**
 * The default branch; undefined outside a repository, or where the clone knows no remote branch. With
 * `isFetched` the remote is asked for its newest commit first: `gone` where it cannot be reached.
 */
export async function readDefaultBranch(
  shell: Shell,
  documents: Documents,
  { isFetched = false }: { readonly isFetched?: boolean } = {},
): Promise<DefaultBranch | undefined> {
  const git = await openGit(shell, documents);
  const remote = remoteIn(documents);
  const name = await branchName(git, remote, shell.env);
  if (name === undefined) return undefined;
  const ref = `refs/remotes/${remote}/${name}`;
  if (isFetched) {
    const { exit } = await git('fetch', '--quiet', remote, `+refs/heads/${name}:${ref}`);
    if (exit !== 0) return undefined;
  }
  const { out, exit } = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  return exit === 0 ? { remote, name, tip: out.trim() } : undefined;
}

/** What the remote says, what the job says, else the usual names. */
async function branchName(
  git: Git,
  remote: string,
  env: Shell['env'],
): Promise<string | undefined> {
  const head = await git('symbolic-ref', '--short', `refs/remotes/${remote}/HEAD`);
  if (head.exit === 0) return head.out.trim().slice(remote.length + 1);
  const { FLEETFORM_BRANCH: named = '', CI_DEFAULT_BRANCH: onGitLab = '' } = env;
  for (const name of [named, onGitLab, 'main', 'master']) {
    const ref = `refs/remotes/${remote}/${name}^{commit}`;
    if (name !== '' && (await git('rev-parse', '--verify', '--quiet', ref)).exit === 0) return name;
  }
  return undefined;
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
  const { out, exit } = await git('rev-list', '--topo-order', branch?.tip ?? 'HEAD');
  return exit === 0 ? out.split('\n').filter((line) => line !== '') : [];
}

/** The subject lines and IDs of the commits of a branch after another commit, oldest first. */
export async function commitsSince(
  shell: Shell,
  documents: Documents,
  range: { readonly from?: string | undefined; readonly to: string },
): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const git = await openGit(shell, documents);
  const since =
    range.from === undefined ? [range.to, '--max-count=1'] : [`${range.from}..${range.to}`];
  const { out, exit } = await git('log', '--first-parent', '--reverse', '--format=%H %s', ...since);
  if (exit !== 0) return [];
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(41) }));
}
