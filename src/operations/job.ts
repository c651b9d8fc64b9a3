import { readFileSync } from 'node:fs';
import { WorldError } from '../model/error.ts';
import type { GitHub } from '../forge/github/github.ts';
import type { Shell } from '../shell/shell.ts';

/** A job of GitHub Actions: its repository, its event, and its login. */
export interface Job {
  readonly github: GitHub;
  readonly repository: string;
  readonly event: unknown;
  /** The author of our comments and issues. */
  readonly author: string;
  close(): Promise<void>;
}

/** The login of a job's token. */
const JOB_LOGIN = 'github-actions[bot]';

/**
 * Opens the repository of the current job, from the environment of the runner. The token is sent
 * only to the API. Throws `githubMissing` with the missing variables, and `baseUrlUnsafe` for a URL
 * that is not https.
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
    import('../api/base-url.ts'),
  ]);
  const line = await shell.openTransport();
  const transport = keepOrigin(line.transport, parseBase(apiUrl));
  const { clock } = shell;
  return {
    github: openGitHub({
      transport,
      clock,
      apiUrl,
      token,
      repository: checkRepository(repository),
    }),
    repository,
    event: readEvent(env['GITHUB_EVENT_PATH']),
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

function checkRepository(name: string): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name) || name.includes('..'))
    throw new WorldError('githubMissing', { missing: 'GITHUB_REPOSITORY' });
  return name;
}

function readEvent(path: string | undefined): unknown {
  if (!path) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file: path }, { cause });
  }
}
