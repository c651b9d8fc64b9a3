import { join } from 'node:path';
import { gitIn } from '../support/blackbox-record.ts';
import type { Env, Place } from '../support/blackbox.ts';
import {
  BOT_TOKEN,
  CI_TOKEN,
  createFakeGitLab,
  PROJECT,
  type FakeGitLab,
} from '../support/fake-gitlab.ts';
import { playJobs, type Played } from './play.ts';
import { readPipeline, type PipelineFacts } from './pipeline.ts';

const FORK = 43;

/** GitLab with one project: its branches on this disk, its API on loopback, its runners here. */
export interface GitLabHost extends Disposable {
  readonly fake: FakeGitLab;
  readonly bare: string;
  /** Variables of the project, and of one environment with protected branches alone. */
  readonly variables: Record<string, string>;
  readonly scoped: Record<string, Record<string, string>>;
  /** Variables of one environment on any branch. */
  readonly open: Record<string, Record<string, string>>;
  git(...args: readonly string[]): string;
  /** Commits what the place has and pushes it to a branch. */
  push(branch: string): string;
  /** The pipeline of the newest commit of a branch, for merge request 7; of a fork without variables. */
  mergeRequest(branch: string, options?: { readonly isFork?: boolean }): Promise<Played>;
  /** The pipeline of a merge train for merge request 7, on the commit of the entry ahead. */
  train(branch: string, onto: string): Promise<Played>;
  /** The pipeline of the default branch. */
  run(source: 'push' | 'schedule' | 'web', options?: RunOptions): Promise<Played>;
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Manual jobs that a person starts, and who. */
  readonly starts?: readonly string[];
  readonly person?: string;
  /** Called before a job of this name. */
  readonly before?: Readonly<Record<string, () => Promise<void> | void>>;
}

export interface HostOptions {
  /** The default branch; `main` if absent. */
  readonly branch?: string;
  /** What every job finds in its environment, too. */
  readonly env?: Env;
  /** The files that a child pipeline may include, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A GitLab of its own, with the jobs of these files. */
export async function createGitLabHost(
  place: Place,
  jobs: readonly string[],
  { branch: main = 'main', env = {}, files = {} }: HostOptions = {},
): Promise<GitLabHost> {
  const fake = createFakeGitLab();
  fake.branch = main;
  const server = await fake.serve();
  const bare = place.path('project.git');
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  git('init', '--quiet', '--bare', `--initial-branch=${main}`, bare);
  git('init', '--quiet', `--initial-branch=${main}`);
  git('remote', 'add', 'origin', bare);
  fake.mergeBase = (branch, commit) => gitIn(bare, 'merge-base', branch, commit);
  const pipeline = readPipeline(...jobs);
  const tracked = `refs/remotes/origin/${main}`;
  let last = 30;
  const pipelines: object[] = [];
  const pushed = { from: EMPTY_TREE };
  const variables: Record<string, string> = { GITLAB_TOKEN: BOT_TOKEN };
  const scoped: Record<string, Record<string, string>> = {};
  const open: Record<string, Record<string, string>> = {};
  const play = async (
    facts: PipelineFacts,
    sha: string,
    options: RunOptions & { readonly isProtected: boolean; readonly given: Record<string, string> },
  ): Promise<Played> => {
    last += 1;
    const api = `${server.url}/api/v4`;
    return playJobs(pipeline, {
      facts,
      id: last,
      sha,
      bare,
      fake,
      files,
      folder: join(place.folder, 'pipelines', String(last)),
      project: options.given,
      scoped: options.isProtected ? { ...open, ...scoped } : open,
      predefined: { ...env, ...predefined(last, api, main), CI_COMMIT_SHA: sha },
      ...options,
    });
  };
  const changed = (from: string, to: string): readonly string[] =>
    git('diff', '--name-only', from, to).split('\n').filter(Boolean);
  const host: GitLabHost = {
    fake,
    bare,
    variables,
    scoped,
    open,
    git,
    push: (branch) => {
      if (branch === main)
        pushed.from = git('for-each-ref', '--format=%(objectname)', tracked) || EMPTY_TREE;
      git('add', '--all', 'fleet');
      git(...AUTHOR, 'commit', '--quiet', '--allow-empty', '-m', `next of ${branch}`);
      git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
      git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
      return git('rev-parse', 'HEAD');
    },
    mergeRequest: async (branch, { isFork = false } = {}) => {
      const sha = gitIn(bare, 'rev-parse', `refs/heads/${branch}`);
      const base = git('merge-base', tracked, sha);
      const request = { iid: 7, state: 'opened', sha, source_branch: branch };
      fake.requests.splice(0, fake.requests.length, {
        ...request,
        pipelines: pipelines.push({ id: last + 1, ref: `refs/merge-requests/7/head` }) && pipelines,
      });
      const about = {
        CI_PIPELINE_SOURCE: 'merge_request_event',
        CI_PROJECT_ID: String(isFork ? FORK : PROJECT),
        CI_MERGE_REQUEST_IID: '7',
        CI_MERGE_REQUEST_PROJECT_ID: String(PROJECT),
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(isFork ? FORK : PROJECT),
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: isFork ? 'mallory/fleet' : 'acme/fleet',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: main,
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_COMMIT_REF_NAME: 'refs/merge-requests/7/head',
      };
      // The address stands for documents that name the service: the tests have no address that lasts.
      const { FLEETFORM_BASE_URL: address = '' } = variables;
      const given = isFork ? { FLEETFORM_BASE_URL: address } : variables;
      const facts = { variables: { ...given, ...about }, changed: changed(base, sha) };
      return play(facts, sha, { isProtected: false, given });
    },
    train: async (branch, onto) => {
      const head = gitIn(bare, 'rev-parse', `refs/heads/${branch}`);
      const tree = git('merge-tree', '--write-tree', onto, head);
      const sha = git(...AUTHOR, 'commit-tree', tree, '-p', onto, '-p', head, '-m', 'train');
      const ref = 'refs/merge-requests/7/train';
      git('push', '--quiet', '--force', 'origin', `${sha}:${ref}`);
      pipelines.push({ id: last + 1, ref });
      const about = {
        CI_PIPELINE_SOURCE: 'merge_request_event',
        CI_PROJECT_ID: String(PROJECT),
        CI_MERGE_REQUEST_IID: '7',
        CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train',
        CI_MERGE_REQUEST_PROJECT_ID: String(PROJECT),
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(PROJECT),
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/fleet',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: main,
        CI_MERGE_REQUEST_TARGET_BRANCH_SHA: onto,
        CI_COMMIT_REF_NAME: ref,
      };
      const facts = { variables: { ...variables, ...about }, changed: changed(onto, sha) };
      return play(facts, sha, { isProtected: false, given: variables });
    },
    run: async (source, options = {}) => {
      const sha = gitIn(bare, 'rev-parse', `refs/heads/${main}`);
      const about = {
        CI_PIPELINE_SOURCE: source,
        CI_PROJECT_ID: String(PROJECT),
        CI_COMMIT_BRANCH: main,
        CI_COMMIT_REF_NAME: main,
        ...options.variables,
      };
      const given = { ...variables, ...options.variables };
      const facts = {
        variables: { CI_DEFAULT_BRANCH: main, ...given, ...about },
        changed: changed(pushed.from, sha),
      };
      return play(facts, sha, { ...options, isProtected: true, given });
    },
    [Symbol.dispose]: () => server.close(),
  };
  return host;
}

/** What git calls a commit without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** What GitLab sets in every job of a pipeline. */
function predefined(pipeline: number, api: string, main: string): Readonly<Record<string, string>> {
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_API_V4_URL: api,
    CI_DEFAULT_BRANCH: main,
    CI_JOB_TOKEN: CI_TOKEN,
    CI_PIPELINE_ID: String(pipeline),
    CI_PIPELINE_URL: `https://gitlab.example/acme/fleet/-/pipelines/${pipeline}`,
    CI_PROJECT_PATH: 'acme/fleet',
    CI_PROJECT_URL: 'https://gitlab.example/acme/fleet',
    CI_SERVER_URL: 'https://gitlab.example',
  };
}
