import { join } from 'node:path';
import { actionFile, workflowFiles } from '../../src/init/github-files.ts';
import { forServer } from '../../src/init/other-server.ts';
import { gitIn } from '../support/blackbox-record.ts';
import type { Env, Place } from '../support/blackbox.ts';
import {
  createFakeGitHub,
  REPOSITORY,
  type Call,
  type FakeGitHub,
} from '../support/fake-github.ts';
import { JOB_TOKEN } from '../support/canary.ts';
import { play, type Machine, type Run, type Trigger } from './runner.ts';
import { readWorkflow } from './workflow.ts';

export const FORK = 'mallory/fleet';

/** GitHub with one repository: its branches on this disk, its API on loopback, its runners here. */
export interface Hub extends Disposable {
  readonly fake: FakeGitHub;
  readonly bare: string;
  /** Settings of the repository. */
  readonly secrets: Record<string, string>;
  readonly vars: Record<string, string>;
  readonly environments: Record<string, Readonly<Record<string, string>>>;
  /** Commits what the place has and pushes it to a branch. */
  push(branch: string): string;
  /** The newest commit of a branch, as a pull request to the default branch: of this repository or of a fork. */
  open(branch: string, repository?: string): void;
  /** Plays the workflow, and refuses it rights that it did not ask for. */
  run(name: string, trigger: Pick<Trigger, 'event'> & Partial<Trigger>): Promise<Run>;
  /** The plan of the newest commit of a pull request, and the comment on it. */
  review(
    branch: string,
    repository?: string,
  ): Promise<{ readonly plan: Run; readonly comment: Run }>;
  /** The plan of pull request 7 in a merge queue, on the commit of the entry ahead. */
  queue(branch: string, onto: string): Promise<Run>;
  git(...args: readonly string[]): string;
}

export interface HostOptions {
  /** The default branch; `main` if absent. */
  readonly branch?: string;
  /** What every job finds in its environment, too. */
  readonly env?: Env;
}

/** Writes the workflows of `init` into a place. Returns their folder. */
export function writeWorkflows(
  place: Place,
  { host, ...given }: Partial<Parameters<typeof workflowFiles>[0]> & { host?: string } = {},
): string {
  const facts = { branch: 'main', home: '', fleet: 'fleet', isOwn: false, ...given };
  for (const { path, text } of [...workflowFiles(facts), actionFile()])
    place.make(join('init', path), forServer(text, host));
  return place.path('init/.github/workflows');
}

/** A GitHub of its own, with the workflows of a folder. */
export async function createHub(
  place: Place,
  folder: string,
  { branch: main = 'main', env = {} }: HostOptions = {},
): Promise<Hub> {
  const fake = createFakeGitHub();
  const server = await fake.serve();
  const bare = place.path('hub.git');
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  git('init', '--quiet', '--bare', `--initial-branch=${main}`, bare);
  gitIn(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  git('init', '--quiet', `--initial-branch=${main}`);
  git('remote', 'add', 'origin', bare);
  const [secrets, vars]: Record<string, string>[] = [{}, {}];
  fake.mergeBase = (branch, commit) => mergeBaseIn(bare, branch, commit);
  const machine: Machine = {
    root: place.folder,
    bare,
    repository: REPOSITORY,
    api: server.url,
    token: JOB_TOKEN,
    env,
    onUpload: (id, name) => {
      const run = { id, repository_id: 1, head_repository_id: 1, head_branch: main };
      fake.artifacts.push({ name, expired: false, workflow_run: run });
    },
  };
  const hub: Hub = {
    fake,
    bare,
    secrets: secrets ?? {},
    vars: vars ?? {},
    environments: {},
    git,
    push: (branch) => {
      git('add', '--all', 'fleet');
      git(...AUTHOR, 'commit', '--quiet', '--allow-empty', '-m', `next of ${branch}`);
      git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
      git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
      return git('rev-parse', 'HEAD');
    },
    open: (branch, repository = REPOSITORY) => {
      const head = { sha: git('rev-parse', 'HEAD'), ref: branch, repo: { full_name: repository } };
      fake.pulls.splice(0, fake.pulls.length, { number: 7, head, base: { ref: main } });
      // What GitHub would merge: the branch is ahead of main, so its own commit.
      git('push', '--quiet', '--force', 'origin', 'HEAD:refs/pull/7/merge');
    },
    run: async (name, trigger) => {
      const file = join(folder, `fleet-${name}.yml`);
      const before = { calls: fake.calls.length, refs: gitIn(bare, 'for-each-ref') };
      const repository = { default_branch: main, full_name: REPOSITORY };
      const payload = { repository, ...trigger.payload };
      const { secrets: known, environments } = hub;
      const given = { ref: `refs/heads/${main}`, secrets: known, environments, vars: hub.vars };
      const run = await play(file, machine, { ...given, ...trigger, payload });
      const isPushed = gitIn(bare, 'for-each-ref') !== before.refs;
      expectRights(file, fake.calls.slice(before.calls), isPushed);
      const { pull_request: pull } = payload as {
        readonly pull_request?: { head?: { sha?: string } };
      };
      const head_sha = pull?.head?.sha ?? gitIn(bare, 'rev-parse', given.ref);
      fake.runs.push({ id: run.id, head_sha, event: trigger.event });
      return run;
    },
    review: async (branch, repository = REPOSITORY) => {
      const [pull] = fake.pulls as { readonly head: { readonly sha: string } }[];
      const isFork = repository !== REPOSITORY;
      const plan = await hub.run('plan', {
        event: 'pull_request',
        ref: 'refs/pull/7/merge',
        base: main,
        payload: { pull_request: { number: 7, ...pull } },
        ...(isFork && { secrets: {}, environments: {} }),
      });
      const { id, conclusion } = plan;
      const head = { head_sha: pull?.head.sha, head_branch: branch };
      const workflow_run = {
        id,
        conclusion,
        ...head,
        event: 'pull_request',
        head_repository: { full_name: repository },
      };
      const comment = await hub.run('comment', {
        event: 'workflow_run',
        payload: { workflow_run },
      });
      return { plan, comment };
    },
    queue: async (branch, onto) => {
      const head = gitIn(bare, 'rev-parse', `refs/heads/${branch}`);
      const tree = git('merge-tree', '--write-tree', onto, head);
      const sha = git(...AUTHOR, 'commit-tree', tree, '-p', onto, '-p', head, '-m', 'group');
      const ref = `refs/heads/gh-readonly-queue/${main}/pr-7-${onto}`;
      git('push', '--quiet', '--force', 'origin', `${sha}:${ref}`);
      const merge_group = { head_sha: sha, head_ref: ref, base_sha: onto, base_ref: main };
      return hub.run('plan', { event: 'merge_group', ref, payload: { merge_group } });
    },
    [Symbol.dispose]: () => server.close(),
  };
  return hub;
}

/** What two commits of a repository have in common. */
function mergeBaseIn(bare: string, branch: string, commit: string): string | undefined {
  try {
    return gitIn(bare, 'merge-base', branch, commit);
  } catch {
    return undefined;
  }
}

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** What a call needs; a job that did not ask for it would have been answered 403. */
function rightOf({ method, path }: Call): string {
  const access = method === 'GET' ? 'read' : 'write';
  const rest = path.replace(`/repos/${REPOSITORY}/`, '');
  if (rest.startsWith('actions/')) return `actions ${access}`;
  if (/^issues\/(?:comments\/|\d+\/comments)|^commits\/\w+\/pulls$|^pulls/.test(rest))
    return `pull-requests ${access}`;
  if (rest.startsWith('issues')) return `issues ${access}`;
  if (rest.startsWith('compare/')) return `contents ${access}`;
  throw new Error(`who may ${method} ${path}?`);
}

function expectRights(file: string, calls: readonly Call[], isPushed: boolean): void {
  const jobs = Object.values(readWorkflow(file).jobs);
  const has = (right: string): boolean => {
    const [scope = '', access] = right.split(' ');
    return jobs.some(
      ({ permissions }) => permissions[scope] === 'write' || permissions[scope] === access,
    );
  };
  const needed = [...calls.map(rightOf), ...(isPushed ? ['contents write'] : [])];
  const lacking = [...new Set(needed)].filter((right) => !has(right));
  if (lacking.length > 0) throw new Error(`${file} has no right to: ${lacking.join(', ')}`);
}
