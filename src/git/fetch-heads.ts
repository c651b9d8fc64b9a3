import { sha256 } from '../lib/canonical.ts';
import { remoteGit, type Env } from './git.ts';

/**
 * Fetches all branches of a remote of a clone at once, and returns their commits by name. Undefined where it does not answer,
 * or has a name that git could read as something else. No other ref of the clone changes.
 */
export async function fetchHeads(
  folder: string,
  env: Env,
  remote: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (/^-|^[\w+.-]*::/.test(remote)) return undefined;
  const git = remoteGit(folder, env, { silence: 60_000 });
  const into = `refs/fleetform/heads/${sha256(remote).slice(0, 12)}/`;
  const quiet = ['--quiet', '--prune', '--no-tags', '--refmap=', '--no-filter'];
  const alone = ['--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
  const fetched = await git('fetch', ...quiet, ...alone, '--', remote, `+refs/heads/*:${into}*`);
  if (fetched.exit !== 0) return undefined;
  const { out } = await git('for-each-ref', '--format=%(refname) %(objectname)', into);
  const lines = out.split('\n').map((line) => line.slice(into.length).split(' '));
  return new Map(lines.map(([branch = '', commit = '']) => [branch, commit]));
}
