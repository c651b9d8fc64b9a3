import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { ProcessIdentity } from './shell.ts';

/**
 * What this process is to a ledger. In CI the label is the address of the run, else `user@host`.
 */
export function identityOf(
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): ProcessIdentity {
  return { host: hostname(), pid, startedAt: startOf(pid) ?? '', label: labelOf(env), isAlive };
}

/** Whether a process still runs; a pid that was given to another process since does not count. */
function isAlive(pid: number, startedAt: string): boolean {
  const start = startOf(pid);
  if (start !== undefined && startedAt !== '') return start === startedAt;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The start time that the kernel keeps for a process, in its own unit; undefined where it keeps
 * none.
 */
function startOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[19];
  } catch {
    return undefined;
  }
}

function labelOf(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
