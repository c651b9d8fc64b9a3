import { readFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { memberAt } from '../lib/objects.ts';
import { WorldError, readNamed, usage } from '../model/error.ts';
import type { ForgeKind } from '../model/ports.ts';
import type { Forge, ForgeRuns } from '../forge/forge-port.ts';
import type { ForgeLine } from '../forge/forge-client.ts';
import type { Shell } from '../shell/shell.ts';
import { keepOrigin, parseBase } from '../api/base-url.ts';

export interface Job {
  readonly forge: Forge;
  close(): Promise<void>;
}

const NEEDED: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['GITHUB_TOKEN', 'GITHUB_REPOSITORY', 'GITHUB_API_URL'],
  gitlab: ['CI_JOB_TOKEN', 'CI_PROJECT_ID', 'CI_API_V4_URL'],
};

const JOB_LOGIN = 'github-actions[bot]';

/**
 * The forge whose CI this process runs in: FLEETFORM_FORGE, else what the environment of the runner
 * shows; undefined where it shows none. Throws `usage` for a forge that does not exist.
 */
export function forgeOfJob(env: Shell['env']): ForgeKind | undefined {
  const named = env['FLEETFORM_FORGE'] ?? '';
  if (named === 'github' || named === 'gitlab') return named;
  if (named !== '') throw usage(`FLEETFORM_FORGE: ${ONE}`);
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  return env['GITLAB_CI'] === 'true' ? 'gitlab' : undefined;
}

/** The forge of a job, of which GitHub is asked for where the environment shows none. Throws as `forgeOfJob`. */
export function findForge(env: Shell['env']): ForgeKind {
  return forgeOfJob(env) ?? 'github';
}

const ONE = 'neither github nor gitlab';

/**
 * Opens the repository of the current job, from the environment of the runner. A token is sent only
 * to the API. Throws `forgeMissing` with the missing variables, and `baseUrlUnsafe` for a URL that is
 * not https.
 */
export async function openJob(shell: Shell): Promise<Job> {
  const kind = findForge(shell.env);
  const missing = NEEDED[kind].filter((name) => !shell.env[name]);
  if (missing.length > 0) throw new WorldError('forgeMissing', { missing: missing.join(', ') });
  return kind === 'gitlab' ? openGitLabJob(shell) : openGitHubJob(shell);
}

/** Uses the repository of the current job, and closes it again. Throws as `openJob`. */
export async function withJob<T>(shell: Shell, use: (forge: Forge) => Promise<T>): Promise<T> {
  const job = await openJob(shell);
  try {
    return await use(job.forge);
  } finally {
    await job.close();
  }
}

async function openGitHubJob(shell: Shell): Promise<Job> {
  const { env } = shell;
  const [token = '', name = '', apiUrl = ''] = NEEDED.github.map((each) => env[each]);
  const repository = checkRepository(name);
  const { openGitHub, githubForge } = await import('../forge/github/github.ts');
  return overLine(shell, apiUrl, (line) =>
    githubForge(openGitHub({ ...line, apiUrl, token, repository }), {
      repository,
      event: readEvent(env['GITHUB_EVENT_PATH']),
      author: env['FLEETFORM_AUTHOR'] || JOB_LOGIN,
      server: env['GITHUB_SERVER_URL'] ?? 'https://github.com',
      run: env['GITHUB_RUN_ID'],
    }),
  );
}

/** A pipeline of a fork runs in the fork; its merge request is in the project that it is for. */
async function openGitLabJob(shell: Shell): Promise<Job> {
  const { env } = shell;
  const [jobToken = '', own = '', apiUrl = ''] = NEEDED.gitlab.map((each) => env[each]);
  const project = Number(env['CI_MERGE_REQUEST_PROJECT_ID'] || own);
  if (!Number.isSafeInteger(project) || project <= 0)
    throw new WorldError('forgeMissing', { missing: 'CI_PROJECT_ID' });
  const token = env['GITLAB_TOKEN'] ?? '';
  const { openGitLab, gitlabForge } = await import('../forge/gitlab/gitlab.ts');
  return overLine(shell, apiUrl, (line) =>
    gitlabForge(openGitLab({ ...line, apiUrl, project, jobToken, token }), {
      variables: env,
      author: env['FLEETFORM_AUTHOR'] ?? '',
      folder: folderOfJob(shell),
    }),
  );
}

/** The working directory, relative to the repository of the job; empty for its root. */
function folderOfJob({ cwd, env }: Pick<Shell, 'cwd' | 'env'>): string {
  const root = env['CI_PROJECT_DIR'];
  const folder = root ? posix.join(...relative(root, cwd).split(sep)) : '';
  return folder === '.' || folder.startsWith('..') ? '' : folder;
}

/** Whether the environment has all that `openJob` needs. */
export function isJob(env: Shell['env']): boolean {
  return NEEDED[findForge(env)].every((name) => Boolean(env[name]));
}

/** Reads other runs from the forge. Throws `forgeMissing` outside of a job. */
export function runsIn({ runs, kind }: Forge): ForgeRuns {
  if (!runs) throw new WorldError('forgeMissing', { missing: NEEDED[kind].join(', ') });
  return runs;
}

/** A forge on a line of its own, over which nothing leaves for another origin than the API's. */
async function overLine(
  shell: Shell,
  apiUrl: string,
  open: (line: ForgeLine) => Forge,
): Promise<Job> {
  const base = parseBase(apiUrl);
  const line = await shell.openTransport();
  const { clock } = shell;
  const transport = keepOrigin(line.transport, base);
  return { forge: open({ transport, clock }), close: () => line.close() };
}

function checkRepository(name: string): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name) || name.includes('..'))
    throw new WorldError('forgeMissing', { missing: 'GITHUB_REPOSITORY' });
  return name;
}

/** The event that started a job of GitHub; undefined without a file. Throws `fileUnreadable`. */
export function readEvent(path: string | undefined): unknown {
  return path
    ? readNamed(path, () => JSON.parse(readFileSync(path, 'utf8')) as unknown)
    : undefined;
}

/** Whether a merge queue of GitHub or a merge train of GitLab tries a request in this job. */
export function isQueued(env: Shell['env']): boolean {
  return findForge(env) === 'gitlab'
    ? env['CI_MERGE_REQUEST_EVENT_TYPE'] === 'merge_train'
    : env['GITHUB_EVENT_NAME'] === 'merge_group';
}

/**
 * What a job compares the documents with: the target branch of its request, or in a merge queue or train the entry
 * ahead, which its commit goes onto; undefined in other jobs. A pipeline of a fork on GitLab has no branch of the project that
 * it is for, so the commit that GitLab compares with counts there. Throws `fileUnreadable`.
 */
export function baseOfJob(env: Shell['env'], forge: ForgeKind): string | undefined {
  if (forge === 'github') {
    if (env['GITHUB_BASE_REF']) return `origin/${env['GITHUB_BASE_REF']}`;
    if (!isQueued(env)) return undefined;
    return commitIn(memberAt(readEvent(env['GITHUB_EVENT_PATH']), 'merge_group', 'base_sha'));
  }
  if (isQueued(env)) return commitIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA']);
  const { CI_PROJECT_ID: own, CI_MERGE_REQUEST_PROJECT_ID: target } = env;
  const branch = env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME'];
  if (!branch) return undefined;
  return own === target ? `origin/${branch}` : env['CI_MERGE_REQUEST_DIFF_BASE_SHA'] || undefined;
}

function commitIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) ? value : undefined;
}
