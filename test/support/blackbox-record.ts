import { execFileSync } from 'node:child_process';
import type { Env, Place } from './blackbox.ts';
import { startTwin } from './blackbox-twin.ts';

/** What remains of a plan that was kept, approved and applied once the service is gone. */
export interface Applied {
  readonly env: Env;
  readonly commit: string;
  git(...args: readonly string[]): string;
}

interface Choices {
  /** Instead of applying the plan that was kept. */
  readonly command?: string;
  readonly remote?: string;
  /** What a second commit changes: the plan compares with the first. */
  readonly base?: { readonly file: string; readonly from: string; readonly to: string };
}

/** Commits the documents, plans, keeps snapshot and plan, applies, and ends the service. */
export async function applied(
  place: Place,
  devices: number,
  { command, remote, base }: Choices = {},
): Promise<Applied> {
  const before = base && committed(place, remote);
  if (base) place.edit(base.file, base.from, base.to);
  const { git, commit } = before ? recommitted(before) : committed(place, remote);
  const twin = await startTwin(place, { devices });
  const env = twin.as('admin');
  const against = base ? ' --base HEAD~1' : '';
  await done(place, `plan -o plan.json --save-snapshot fleet.snapshot${against}`, env);
  const { id } = JSON.parse(place.read('plan.json')) as { id: string };
  await done(place, command ?? `apply plan.json --approved ${id} --yes`, env);
  await twin.stop();
  return { env, commit, git };
}

/** Makes the place a repository with its documents in one commit; `remote` is its origin, which gets them. */
export function committed(place: Place, remote?: string): Pick<Applied, 'commit' | 'git'> {
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  git('init', '--quiet', '--initial-branch=main');
  if (remote !== undefined) git('remote', 'add', 'origin', remote);
  git('add', 'fleet');
  commitTo(git);
  if (remote !== undefined) git('push', '--quiet', 'origin', 'main');
  return { git, commit: git('rev-parse', 'HEAD') };
}

/** The documents as they are now, in one commit more. */
function recommitted({ git }: Pick<Applied, 'git'>): Pick<Applied, 'commit' | 'git'> {
  git('add', 'fleet');
  commitTo(git);
  return { git, commit: git('rev-parse', 'HEAD') };
}

function commitTo(git: Applied['git']): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...who, 'commit', '--quiet', '-m', 'fleet');
}

/** The same place in the world, and nothing to log in with. */
export function offline(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.includes('CLIENT')));
}

/** Git with no configuration but the repository's own. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TEMPLATE_DIR: process.env['GIT_TEMPLATE_DIR'] ?? '',
  };
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

async function done(place: Place, command: string, env: Env): Promise<void> {
  const { code, err } = await place.run(command, env);
  // What needs a person ends with 4, whatever was applied.
  if (code !== 0 && code !== 4) throw new Error(`${command}: exit ${code}\n${err}`);
}
