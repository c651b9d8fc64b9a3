import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { simpleGit, type SimpleGitOptions } from 'simple-git';
import { WorldError } from '../model/error.ts';
import { getOrAdd } from '../lib/maps.ts';
import { pick } from '../lib/objects.ts';
import { ENDING } from './ending.ts';

/** The result of one git call. Refusals are results; nothing is thrown. */
export interface GitAnswer {
  /** 0 is success; -1 if git could not be run, was killed or timed out. */
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs git with these arguments in one folder. */
export type Git = (...args: readonly string[]) => Promise<GitAnswer>;

/** Whether it was not answered because there is no git. */
export function isWithoutGit({ exit, err }: GitAnswer): boolean {
  return exit === -1 && err.includes('ENOENT');
}

/**
 * Throws `cloneUnreadable`, or `gitMissing`, for a folder of a clone that git does not read, as that of another owner:
 * it must not pass for a folder outside of a clone, which has no history to follow.
 */
export async function requireReadable(git: Git, folder: string): Promise<void> {
  const answer = await git('rev-parse', '--git-dir');
  const path = answer.exit === 0 ? undefined : cloneAround(folder);
  if (path === undefined) return;
  if (isWithoutGit(answer)) throw new WorldError('gitMissing', { path });
  const [problem = ''] = answer.err.replace(/^fatal: /, '').split('\n');
  const isForeign = problem.includes('dubious ownership');
  throw new WorldError('cloneUnreadable', {
    path,
    ...(isForeign ? { foreign: path } : { problem }),
  });
}

/** The folder, of this one and those around it, that is the root of a clone. */
function cloneAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : cloneAround(dirname(folder));
}

/** `refUnknown`, or `gitMissing` where no commit is known because there is no git. */
export async function unknownRef(git: Git, ref: string): Promise<WorldError> {
  const isMissing = isWithoutGit(await git('version'));
  return isMissing ? new WorldError('gitMissing') : new WorldError('refUnknown', { ref });
}

/** What a call prints that must not fail. Throws what git says if it does. */
export async function said(git: Git, ...args: readonly string[]): Promise<string> {
  const { exit, out, err } = await git(...args);
  if (exit !== 0) throw new Error(err);
  return out;
}

/** The ID that a name has in the clone; undefined for none. A name that starts like an option has none. */
export async function resolved(git: Git, name: string): Promise<string | undefined> {
  if (name.startsWith('-')) return undefined;
  const { exit, out } = await git('rev-parse', '--verify', '--quiet', name);
  return exit === 0 ? out.trim() : undefined;
}

/** Whether the clone has a commit. */
export async function hasCommit(git: Git, id: string): Promise<boolean> {
  return (await git('cat-file', '-t', `${id}^{commit}`)).exit === 0;
}

/** Whether a commit is in the history of another one, or is that one; nothing is in that of the empty text. */
export async function isAncestor(git: Git, earlier: string, later: string): Promise<boolean> {
  if (later === '') return false;
  const { out, exit } = await git('rev-list', '--count', '--max-count=1', earlier, `^${later}`);
  return exit === 0 && out.trim() === '0';
}

/** The ID that `ls-remote` lists for a ref; undefined for none. */
export function listedId({ out }: GitAnswer, ref: string): string | undefined {
  const line = out.split('\n').find((text) => text.endsWith(`\t${ref}`));
  return line?.split('\t')[0];
}

/** Variables that git may see. Everything else, above all credentials, is withheld. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'SYSTEMROOT', 'USERPROFILE'];

/**
 * Variables that git also needs to reach a remote as its user would: agents, helpers, proxies,
 * certificates.
 */
const REMOTE = [
  'APPDATA LOCALAPPDATA PROGRAMDATA XDG_CONFIG_HOME XDG_RUNTIME_DIR USER DBUS_SESSION_BUS_ADDRESS',
  'SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO GIT_SSL_CAPATH',
  'GH_TOKEN GITHUB_TOKEN GITLAB_TOKEN',
  'GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM',
].flatMap((line) => line.split(' '));

/** Disables the user's hooks, signatures, housekeeping and daemons. */
const QUIET = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'commit.gpgSign=false',
  'push.gpgSign=false',
  'push.followTags=false',
  'push.pushOption=',
  'submodule.recurse=false',
];

/** Allows the user's own choices of how to reach a remote. */
const TRUSTED = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeFilter: true,
  allowUnsafeSshCommand: true,
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
};

/** No prompts, English output, and no transport that runs a program named by a document. */
const ALWAYS = {
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GIT_NO_REPLACE_OBJECTS: '1',
};

export type Env = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  /** Added to its environment, for example `GIT_INDEX_FILE`. */
  readonly more?: Readonly<Record<string, string>>;
  /** A call without output for so many milliseconds is ended. */
  readonly silence: number;
  /** What `cat-file --batch` is asked for; it answers with a character for each byte. */
  readonly objects?: readonly string[];
}

/** Runs the installed git against a remote, as its user would reach it, and for objects outside the working tree. */
export function remoteGit(folder: string, env: Env, options: GitOptions): Git {
  return runner(folder, env, { ...pick(env, ...REMOTE), ...jobAccess(env) }, options);
}

/** Runs the installed git in a clone, without what only a remote needs. */
export function localGit(folder: string, env: Env, options: Omit<GitOptions, 'silence'>): Git {
  return runner(folder, env, {}, { ...options, silence: LONGEST_READING });
}

/** Git may look at a long history for minutes before it says anything. */
const LONGEST_READING = 600_000;

/**
 * simple-git waits 50 ms more for a call that has printed nothing, so a call asks for an answer where git has one
 * (`cat-file -t`, not `-e`).
 */
function runner(
  folder: string,
  env: Env,
  access: Env,
  { more = {}, silence, objects }: GitOptions,
): Git {
  const all = { ...pick(env, ...ALLOWED), ...access, ...ALWAYS, ...more };
  const options = {
    baseDir: folder,
    allowEnvironment: Object.keys(all),
    config: QUIET,
    unsafe: TRUSTED,
    abort: ENDING,
    input: () => objects?.join('\n'),
    timeout: { block: silence },
    // A process that git leaves behind, such as a persistent ssh connection, may keep its output
    // open.
    completion: { onClose: true, onExit: 1_000 },
  };
  return async (...args) => {
    const outside = OUTSIDE.get(env)?.get(folder);
    if (outside && OF_REPOSITORY.has(args[0] ?? '')) return outside;
    const result = { exit: -1, err: '' };
    // simple-git treats a git that failed silently or was killed as successful.
    const errors: SimpleGitOptions['errors'] = (_, { exitCode, stdErr }) => {
      // A git that could not be started has the number of that error, below 0.
      result.exit = typeof exitCode === 'number' ? Math.max(-1, exitCode) : -1;
      result.err = Buffer.concat(stdErr).toString('utf8');
      return undefined;
    };
    try {
      const git = simpleGit({ ...options, errors }).env(all);
      const run = async () =>
        objects
          ? ((await git.binaryCatFile(args.slice(1))) as Buffer).toString('latin1')
          : git.raw([...args]);
      const answer = { out: await inTurn(env, args, run), ...result };
      if (answer.err.startsWith(NO_REPOSITORY)) noteOutside(env, folder, answer);
      return answer;
    } catch (error) {
      return { exit: -1, out: '', err: result.err || String(error) };
    }
  };
}

/** By the environment of a command that shares its remotes with others: the turns at each. */
const TURNS = new WeakMap<Env, Map<string, LimitFunction>>();

/** Lets the commands with these environments ask each remote at most twice at once: its host limits what it answers. */
export function shareRemotes(envs: readonly Env[]): void {
  const turns = new Map<string, LimitFunction>();
  for (const env of envs) TURNS.set(env, turns);
}

function inTurn<T>(env: Env, [command = '', ...args]: readonly string[], run: () => Promise<T>) {
  const turns = /^(fetch|ls-remote|push)$/.test(command) ? TURNS.get(env) : undefined;
  const remote = args.find((arg) => !arg.startsWith('-')) ?? '';
  return turns ? getOrAdd(turns, remote, () => pLimit(2))(run) : run();
}

const NO_REPOSITORY = 'fatal: not a git repository';

/** Commands that only a repository answers. */
const OF_REPOSITORY = new Set(
  'cat-file diff-tree for-each-ref log ls-tree merge-base rev-list rev-parse'.split(' '),
);

/** What git said in folders that are in no repository, by the environment of a command: it is asked there once. */
const OUTSIDE = new WeakMap<Env, Map<string, GitAnswer>>();

function noteOutside(env: Env, folder: string, answer: GitAnswer): void {
  OUTSIDE.set(env, (OUTSIDE.get(env) ?? new Map<string, GitAnswer>()).set(folder, answer));
}

/**
 * Access for a job of GitHub Actions or GitLab CI to its own server, because the clone keeps no token,
 * or on GitLab one that may not push. The token is passed in the environment, never as an argument or
 * file; the empty value first removes a header that the clone kept.
 */
function jobAccess(env: Env): Readonly<Record<string, string>> {
  const { server, user, token } = loginOfJob(env);
  if (!server || !token) return {};
  const key = `http.${server.replace(/\/+$/, '')}/.extraheader`;
  const pair = Buffer.from(`${user}:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: key,
    GIT_CONFIG_VALUE_0: '',
    GIT_CONFIG_KEY_1: key,
    GIT_CONFIG_VALUE_1: `AUTHORIZATION: basic ${pair}`,
  };
}

/** On GitLab a token made for pushing, else that of the job, which may push where the project lets it. */
function loginOfJob(env: Env): Readonly<Record<'server' | 'user' | 'token', string | undefined>> {
  if (env['GITHUB_ACTIONS'] === 'true')
    return { server: env['GITHUB_SERVER_URL'], user: 'x-access-token', token: env['GITHUB_TOKEN'] };
  const server = env['GITLAB_CI'] === 'true' ? env['CI_SERVER_URL'] : undefined;
  const own = env['FLEETFORM_PUSH_TOKEN'];
  return own
    ? { server, user: 'fleetform', token: own }
    : { server, user: 'gitlab-ci-token', token: env['CI_JOB_TOKEN'] };
}
