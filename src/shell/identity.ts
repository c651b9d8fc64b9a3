import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { sha256 } from '../lib/canonical.ts';
import type { ProcessIdentity } from './shell.ts';

/**
 * The identity of this process in a ledger. In CI the label is the URL of the run, else
 * `user@host`.
 */
export function identifyProcess(
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): ProcessIdentity {
  const startedAt = `${SCOPE}:${readStartTime(pid) ?? ''}`;
  return { host: hostname(), pid, startedAt, label: runLabel(env), isAlive };
}

/**
 * The scope in which a process ID is valid: this machine and its process namespace. Runners and
 * containers may share a name, and a process ID in one means nothing in another. If machines cannot
 * be distinguished (no `/etc/machine-id`, no boot ID), the scope is empty and no process is judged
 * by its ID.
 */
const SCOPE = processScope(
  readText('/etc/machine-id') || readText('/proc/sys/kernel/random/boot_id'),
  readLink('/proc/self/ns/pid'),
);

export function processScope(machine: string, space: string): string {
  return machine === '' || space === '' ? '' : sha256(`${machine} ${space}`).slice(0, 12);
}

/**
 * Whether a process still runs; a process ID that another process has reused does not count. A
 * process that is not visible from here may still run.
 */
function isAlive(pid: number, startedAt: string): boolean {
  const [scope = '', began = ''] = startedAt.split(':');
  if (scope !== SCOPE || SCOPE === '') return true;
  const start = readStartTime(pid);
  if (start !== undefined && began !== '') return start === began;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The kernel's start time of a process, in its own unit; undefined if there is none. */
function readStartTime(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[19];
  } catch {
    return undefined;
  }
}

function runLabel(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  if (env['GITLAB_CI'] === 'true' && env['CI_JOB_URL']) return env['CI_JOB_URL'];
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
