import { resolve } from 'node:path';
import type { Git } from './git.ts';

/** Where a remote leads to. */
export interface RemotePlace {
  /** What git connects to; it may have a user and a token. */
  readonly address: string;
  /** Host and path of it. */
  readonly at: string;
}

/**
 * Where a remote leads to, by its name in this clone or by its URL; undefined for a name that the clone does
 * not have.
 */
export async function remotePlace(git: Git, remote: string): Promise<RemotePlace | undefined> {
  const asked = await git('ls-remote', '--get-url', '--', remote);
  const address = asked.out.trim();
  if (asked.exit !== 0 || address === '') return undefined;
  const isName = /^\w[\w.-]*$/.test(remote);
  if (isName && (await git('config', '--get', `remote.${remote}.url`)).exit !== 0) return undefined;
  const root = (await git('rev-parse', '--show-toplevel')).out.trim();
  return { address, at: hostAndPath(address, root) };
}

/** `https://user@HOST:PORT/PATH`, with any scheme. */
const URL_FORM = /^[\w+.-]+:\/\/(?:[^/]*@)?(\[[^\]]*\]|[^/:]*)(?::\d*)?(?:\/(.*))?$/;

/** `user@HOST:PATH`; one letter before the colon is a drive. */
const SCP_FORM = /^(?:[^@/:]+@)?(\[[^\]]*\]|[^/:\\]{2,}):(.*)$/;

/**
 * Host and path of an address of git: the host in lower case, without scheme, user, port and `.git`, so that
 * ssh and https lead to one place. A path of this disk is the whole of it.
 */
export function hostAndPath(address: string, root: string): string {
  const [, host = '', path = ''] = URL_FORM.exec(address) ?? SCP_FORM.exec(address) ?? [];
  if (host !== '') return `${host.toLowerCase()}/${bare(path)}`;
  return bare(address.startsWith('file:') ? resolve('/', path) : resolve(root, address), '/');
}

function bare(path: string, start = ''): string {
  const parts = path.split('/').filter((part) => part !== '');
  return `${start}${parts.join('/').replace(/\.git$/, '')}`;
}

/**
 * The address of another place, such as the earlier name of a repository: on the way that an address shows where
 * it has the same host, by https else. A user and a token go to their own host alone.
 */
export function addressAt(at: string, like: string, root: string): string {
  if (at.startsWith('/')) return at;
  const host = at.slice(0, at.indexOf('/') + 1);
  const here = hostAndPath(like, root);
  const path = like.lastIndexOf(here.slice(host.length));
  return here.startsWith(host) && path > 0
    ? like.slice(0, path) + at.slice(host.length)
    : `https://${at}`;
}
