import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { remoteGit, resolved, type Git } from '../../git/git.ts';
import { usage, WorldError, type Params } from '../../model/error.ts';
import type { Shell } from '../../shell/shell.ts';
import { isCi } from '../../lib/ci.ts';
import type { Here, PlacedDocuments } from '../here.ts';
import { readEvent } from '../job.ts';
import { cloneOf, type Head } from '../repository.ts';

/** The default branch of the remote, as the forge has it. */
export interface DefaultBranch {
  readonly remote: string;
  readonly name: string;
  /** The newest commit of it that the clone has. */
  readonly tip: string;
}

/** There is a remote, and its default branch is not certain: the error of what starts or records. */
export interface UnclearBranch {
  readonly unclear: WorldError;
}

/**
 * The default branch, as far as it is known. `none`: there is no remote, so that all history is in the
 * checkout. Where it is unclear no commit counts as merged, and none as the newest (protocol M7).
 */
export type FoundBranch = DefaultBranch | 'none' | UnclearBranch;

/**
 * The default branch of the remote of the ledger; of `origin` in a job, and where the other remote has
 * nothing but the ledger. With `isFetched` the newest commit of it is fetched first, else only if the clone
 * has none.
 */
export async function readDefaultBranch(
  here: Here<PlacedDocuments>,
  { isFetched = false }: { readonly isFetched?: boolean } = {},
): Promise<FoundBranch> {
  const git = cloneOf(here).git;
  const named = await branchesOfJob(here.shell.env);
  const { branch: ledger = LEDGER_DEFAULTS.branch } = here.documents.service.value.ledger ?? {};
  let found: FoundBranch = 'none';
  for (const remote of remotesIn(here)) {
    const { exit } = await git('config', '--get', `remote.${remote}.url`);
    if (exit !== 0) continue;
    const isNamed = named.size > 0;
    const heads = isNamed && remote === 'origin' ? named : await headOf(git, remote);
    const names = isNamed ? named : heads;
    const [name] = names.keys();
    if (name !== undefined && names.size === 1 && !heads.has(ledger))
      return fetchBranch(git, { remote, name }, isFetched);
    const said = [...names].map(([each, source]) => `${each} (${source})`).join(', ');
    if (names.size > 1) return unclear({ remote, why: 'differ', names: said });
    found = unclear({ remote, why: 'none' });
  }
  return found;
}

/** Where the default branch may be: in a job its own repository first. */
function remotesIn({ shell, documents }: Here<PlacedDocuments>): ReadonlySet<string> {
  const { remote = LEDGER_DEFAULTS.remote } = documents.service.value.ledger ?? {};
  const own = /^\w[\w.-]*$/.test(remote) ? remote : 'origin';
  return new Set(isCi(shell.env) ? ['origin', own] : [own, 'origin']);
}

function unclear(params: Params): UnclearBranch {
  return { unclear: new WorldError('branchUnclear', params) };
}

/**
 * The default branch by the forge, each name with what says so (protocol M7): FLEETFORM_BRANCH alone where
 * it is set, else the event, the ref of a scheduled run and GitLab's variable. Empty outside of a job.
 */
async function branchesOfJob(env: Shell['env']): Promise<Map<string, string>> {
  const { FLEETFORM_BRANCH: pinned = '', CI_DEFAULT_BRANCH: onGitLab = '' } = env;
  if (pinned !== '') return new Map([[pinned, 'FLEETFORM_BRANCH']]);
  const names = new Map<string, string>();
  if (env['GITHUB_ACTIONS'] === 'true') {
    const { findDefaultBranch } = await import('../../forge/github/github.ts');
    const inEvent = findDefaultBranch(readEvent(env['GITHUB_EVENT_PATH']));
    if (inEvent !== undefined) names.set(inEvent, 'the event');
    // GitHub runs schedules of the default branch alone.
    const [, ref] = /^refs\/heads\/(.+)$/.exec(env['GITHUB_REF'] ?? '') ?? [];
    if (env['GITHUB_EVENT_NAME'] === 'schedule' && ref !== undefined)
      names.set(ref, 'the schedule');
  }
  if (onGitLab !== '') names.set(onGitLab, 'CI_DEFAULT_BRANCH');
  return names;
}

/** The branch that the HEAD of a remote names, by the remote itself: a clone may remember an older one. */
async function headOf(git: Git, remote: string): Promise<Map<string, string>> {
  const { out } = await git('ls-remote', '--symref', remote, 'HEAD');
  const [, name] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(out) ?? [];
  return new Map(name === undefined ? [] : [[name, 'HEAD']]);
}

/**
 * The branch that jobs are written for: the one that the HEAD of `origin` names, by the remote, else as the clone
 * remembers it; else `main` or `master`, where one of them alone is there. Before the first push the branches of the clone
 * are asked. Throws `usage` where that leaves none or two: what is checked out may be any branch (protocol M7).
 */
export async function branchForJobs({ env }: Pick<Shell, 'env'>, root: string): Promise<string> {
  const git = remoteGit(root, env, { silence: 30_000 });
  const [named] = (await headOf(git, 'origin')).keys();
  const { out: head } = await git('symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  const known = named ?? (head.trim().replace(/^origin\//, '') || undefined);
  if (known !== undefined) return known;
  const remote = namesIn((await git('ls-remote', 'origin', 'refs/heads/*')).out);
  const own = namesIn((await git('for-each-ref', 'refs/heads')).out);
  const names = remote.length > 0 ? remote : own;
  const usual = names.filter((name) => name === 'main' || name === 'master');
  const [only, ...others] = remote.length > 0 || usual.length > 0 ? usual : own;
  if (only !== undefined && others.length === 0) return only;
  // Before the first commit it is the one that this commit makes.
  if (names.length === 0)
    return (await git('symbolic-ref', '--short', 'HEAD')).out.trim() || 'main';
  const shown = names.length > 5 ? [...names.slice(0, 5), '...'] : names;
  throw usage(`the default branch is unclear (found: ${shown.join(', ')}); add \`--branch NAME\``);
}

/** The branches in a list of refs. */
function namesIn(refs: string): readonly string[] {
  return [...refs.matchAll(/\trefs\/heads\/(\S+)$/gm)].map(([, name = '']) => name);
}

async function fetchBranch(
  git: Git,
  { remote, name }: Pick<DefaultBranch, 'remote' | 'name'>,
  isFetched: boolean,
): Promise<DefaultBranch | UnclearBranch> {
  const ref = `refs/remotes/${remote}/${name}`;
  const known = isFetched ? undefined : await resolved(git, `${ref}^{commit}`);
  if (known !== undefined) return { remote, name, tip: known };
  const fetched = await git('fetch', '--quiet', remote, `+refs/heads/${name}:${ref}`);
  // Another command in this clone may be moving the same ref to the same commit.
  const isMoved = fetched.exit === 0 || /cannot lock ref/.test(fetched.err);
  const tip = isMoved ? await resolved(git, `${ref}^{commit}`) : undefined;
  return tip === undefined ? unclear({ remote, name, why: 'unread' }) : { remote, name, tip };
}

/** For what starts or records: throws `branchUnclear` where the default branch is not certain (protocol M7). */
export function requireClear(branch: FoundBranch): DefaultBranch | 'none' {
  if (typeof branch === 'object' && 'unclear' in branch) throw branch.unclear;
  return branch;
}

/**
 * Whether this commit is the newest of the default branch, by the remote and not only by the clone,
 * which may not have fetched for days. So it is where there is no remote.
 */
export async function isNewestCommit(
  here: Here<PlacedDocuments>,
  commit: string,
): Promise<boolean> {
  const branch = await readDefaultBranch(here);
  if (branch === 'none') return true;
  if ('unclear' in branch || branch.tip !== commit) return false;
  return (await newestThere(here, branch)) === commit;
}

/** The newest commit of a branch, by its remote; undefined where that does not answer. */
export async function newestThere(
  here: Here<PlacedDocuments>,
  { remote, name }: DefaultBranch,
): Promise<string | undefined> {
  const git = cloneOf(here).git;
  const { out } = await git('ls-remote', remote, `refs/heads/${name}`);
  return /^[0-9a-f]{40,64}/.exec(out)?.[0];
}

/**
 * The commits of the default branch, newest first; of HEAD where no branch is known. None outside a
 * repository.
 */
export async function defaultHistory(
  here: Here<PlacedDocuments>,
  branch: FoundBranch,
): Promise<readonly string[]> {
  const git = cloneOf(here).git;
  const { out, exit } = await git('rev-list', '--topo-order', tipOf(branch));
  return exit === 0 ? out.split('\n').filter((line) => line !== '') : [];
}

/** The newest commit of a branch that was found, else the one that is checked out. */
export function tipOf(branch: FoundBranch): string {
  return typeof branch === 'object' && 'tip' in branch ? branch.tip : 'HEAD';
}

/** The commits up to one, after another one. */
export interface CommitRange {
  readonly from?: string | undefined;
  readonly to: string;
}

/**
 * The subject lines and IDs of the commits of a branch after another commit, oldest first; of its whole
 * history from `''` on, and of its newest commit alone without `from`.
 */
export async function commitsSince(
  here: Here<PlacedDocuments>,
  { from, to }: CommitRange,
): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const git = cloneOf(here).git;
  const since = from === undefined ? ['--max-count=1', to] : [from === '' ? to : `${from}..${to}`];
  const { out, exit } = await git('log', '--first-parent', '--reverse', '--format=%H %s', ...since);
  if (exit !== 0) return [];
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(41) }));
}

/**
 * The commit that is checked out, if it is on the default branch and its documents are unchanged.
 * Throws `commitNotMerged`: what was never merged is neither shown for an approval nor approved
 * (semantics N75).
 */
export async function checkMerged(
  here: Here,
  head: Head | undefined,
  branch: DefaultBranch | 'none',
): Promise<string> {
  if (!head) throw new WorldError('commitNotMerged', { why: 'noCommit' });
  const commit = head.commit.slice(0, 12);
  if (head.dirty) throw new WorldError('commitNotMerged', { commit, why: 'dirty' });
  const history = await defaultHistory(here, branch);
  if (!history.includes(head.commit)) throw new WorldError('commitNotMerged', { commit });
  return head.commit;
}
