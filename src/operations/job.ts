import { readFileSync } from 'node:fs';
import { WorldError } from '../model/error.ts';
import type { GitHub } from '../forge/github/github.ts';
import type { Shell } from '../cli/shell/shell.ts';

/** A job of GitHub Actions: its repository, the event that started it, and its own login. */
export interface Job {
  readonly github: GitHub;
  readonly repository: string;
  readonly event: unknown;
  /** Who our comments and issues are by. */
  readonly author: string;
  close(): Promise<void>;
}

/** The login that the token of a job has. */
const JOB_LOGIN = 'github-actions[bot]';

/**
 * Opens the repository of the job that runs this, from what the runner says in the environment.
 * The token goes to the address of the API alone. Throws `githubMissing`, which names what is not
 * set, and `baseUrlUnsafe` for an address that is no https.
 */
export async function openJob(shell: Shell): Promise<Job> {
  const { env } = shell;
  const [token, repository, apiUrl] = needed(env, [
    'GITHUB_TOKEN',
    'GITHUB_REPOSITORY',
    'GITHUB_API_URL',
  ]);
  const [{ openGitHub }, { keepOrigin, parseBase }] = await Promise.all([
    import('../forge/github/github.ts'),
    import('../api/origin.ts'),
  ]);
  const line = await shell.openTransport();
  const transport = keepOrigin(line.transport, parseBase(apiUrl));
  const { clock } = shell;
  return {
    github: openGitHub({ transport, clock, apiUrl, token, repository: repositoryOf(repository) }),
    repository,
    event: eventOf(env['GITHUB_EVENT_PATH']),
    author: env['FLEETFORM_AUTHOR'] || JOB_LOGIN,
    close: () => line.close(),
  };
}

function needed(env: Shell['env'], names: readonly string[]): [string, string, string] {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new WorldError('githubMissing', { missing: missing.join(', ') });
  const [a = '', b = '', c = ''] = names.map((name) => env[name] ?? '');
  return [a, b, c];
}

function repositoryOf(name: string): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name) || name.includes('..'))
    throw new WorldError('githubMissing', { missing: 'GITHUB_REPOSITORY' });
  return name;
}

function eventOf(path: string | undefined): unknown {
  if (!path) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file: path }, { cause });
  }
}
