import { readFileSync } from 'node:fs';
import { WorldError } from '../model/error.ts';
import type { Forge, ForgeRuns } from '../forge/forge-port.ts';
import type { ForgeLine } from '../forge/forge-client.ts';
import type { Shell } from '../shell/shell.ts';

/** The job that this process runs in, and its forge. */
export interface Job {
  readonly forge: Forge;
  close(): Promise<void>;
}

/** What a job of GitHub Actions has in its environment. */
const GITHUB = ['GITHUB_TOKEN', 'GITHUB_REPOSITORY', 'GITHUB_API_URL'];

/** The login of a job's token on GitHub. */
const JOB_LOGIN = 'github-actions[bot]';

/**
 * Opens the repository of the current job, from the environment of the runner. The token is sent
 * only to the API. Throws `githubMissing` with the missing variables, and `baseUrlUnsafe` for a URL
 * that is not https.
 */
export async function openJob(shell: Shell): Promise<Job> {
  return openGitHubJob(shell);
}

async function openGitHubJob(shell: Shell): Promise<Job> {
  const { env } = shell;
  const missing = GITHUB.filter((name) => !env[name]);
  if (missing.length > 0) throw new WorldError('githubMissing', { missing: missing.join(', ') });
  const [token = '', name = '', apiUrl = ''] = GITHUB.map((each) => env[each]);
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

/** Whether the environment has all that `openJob` needs. */
export function isJob(env: Shell['env']): boolean {
  return GITHUB.every((name) => Boolean(env[name]));
}

/** What the forge knows of other runs. Throws `githubMissing` where fleetform uses it without. */
export function runsIn({ runs }: Forge): ForgeRuns {
  if (!runs) throw new WorldError('githubMissing', { missing: GITHUB.join(', ') });
  return runs;
}

/** A forge on a line of its own, over which nothing leaves for another origin than the API's. */
async function overLine(
  shell: Shell,
  apiUrl: string,
  open: (line: ForgeLine) => Forge,
): Promise<Job> {
  const { keepOrigin, parseBase } = await import('../api/base-url.ts');
  const base = parseBase(apiUrl);
  const line = await shell.openTransport();
  const { clock } = shell;
  const transport = keepOrigin(line.transport, base);
  return { forge: open({ transport, clock }), close: () => line.close() };
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
