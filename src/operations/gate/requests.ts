import type { Shell } from '../../shell/shell.ts';
import type { Here } from '../here.ts';
import { commitsSince, type CommitRange } from './default-branch.ts';
import { isJob, openJob } from '../job.ts';
import { cloneOf } from '../repository.ts';
import { WorldError } from '../../model/error.ts';
import type { Forge, FoundRequest, RequestSubject } from '../../forge/forge-port.ts';

/** How many commits are asked for their requests: the newest. */
const MOST_COMMITS = 50;

/**
 * The requests merged since a commit, oldest first, as `#7`: from the forge in a job, else from the
 * subjects of the commits. A commit without one is named by its ID.
 */
export async function mergedSince(here: Here, range: CommitRange): Promise<readonly string[]> {
  const commits = await commitsToApprove(here, range);
  const pulls = new Set<string>();
  const ask = await openForge(here.shell);
  try {
    for (const { commit, subject } of commits)
      for (const pull of (await ask?.pulls(commit)) ?? numbersIn(subject, commit)) pulls.add(pull);
  } finally {
    await ask?.close();
  }
  return [...pulls];
}

/**
 * The commits that no gate has seen, oldest first, and of many the newest: those after the last approved
 * one; before the first approval those since the documents first asked for gates (semantics N74, N79).
 */
export async function commitsToApprove(
  here: Here,
  { from, to }: CommitRange,
): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const start = from ?? (await firstGated(here, to));
  const commits = await commitsSince(here, { from: start, to });
  return commits.slice(-MOST_COMMITS);
}

/** The commit before the first one that mentions approvals, or `''` if that is the first of all. */
async function firstGated(here: Here, to: string): Promise<string | undefined> {
  const { git, name } = cloneOf(here);
  const which = ['--first-parent', '-m', '--text', '-Gapproval', '--format=%P'];
  const { out, exit } = await git('log', ...which, to, '--', name);
  const parents = out.split('\n').slice(0, -1);
  return exit === 0 ? parents.at(-1)?.split(' ')[0] : undefined;
}

function numbersIn(subject: string, commit: string): readonly string[] {
  const [, merged, squashed] = /^Merge pull request (#\d+) |\((#\d+)\)$/.exec(subject) ?? [];
  return [merged ?? squashed ?? commit.slice(0, 12)];
}

/** The source of the requests of a commit; undefined outside of a job. */
interface RequestSource {
  pulls(commit: string): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

async function openForge(shell: Shell): Promise<RequestSource | undefined> {
  if (!isJob(shell.env)) return undefined;
  const job = await openJob(shell);
  return {
    async pulls(commit) {
      const found = await job.forge.mergedRequests(commit).catch(() => []);
      return found.length === 0 ? undefined : found.map(({ name }) => name);
    },
    close: () => job.close(),
  };
}

/** The requests with the head of a job, and why none of them may show its plan. */
export interface TargetRequests {
  /** Those that are open: a plan is posted on the only one. */
  readonly open: readonly FoundRequest[];
  readonly refusal?: WorldError;
}

/**
 * Finds the request that a plan belongs to: the one open request with the head branch and commit of the
 * job. Another one with the same head may go to another branch, against which the plan is another; so may
 * one that was closed without a merge (protocol M6).
 */
export async function findTarget(forge: Forge, subject: RequestSubject): Promise<TargetRequests> {
  const found = await forge.requestsOf(subject);
  const open = found.filter(({ state }) => state === 'open');
  const [first] = open;
  const isElsewhere = found.some(({ state, base }) => state === 'closed' && base !== first?.base);
  const why = open.length > 1 ? 'several' : isElsewhere ? 'closed' : undefined;
  if (!first || why === undefined) return { open };
  return { open, refusal: new WorldError('requestUnclear', { why }) };
}

/**
 * Requires that a plan compares with a commit of the branch that its request goes to. Throws
 * `requestUnclear` (protocol M6).
 */
export async function requireOwnBase(
  forge: Forge,
  { base }: FoundRequest,
  commit: string | undefined,
): Promise<void> {
  const isOwn = commit !== undefined && (await forge.mergeBase(base, commit)) === commit;
  if (!isOwn) throw new WorldError('requestUnclear', { why: 'base', branch: base });
}
