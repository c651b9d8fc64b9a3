import { readFileSync } from 'node:fs';

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh', 'busybox'];

/**
 * What stands between CI and this process and keeps the signals of a cancelled job to itself: npx,
 * npm or a shell by its name; undefined for everything else, and outside CI (protocol Z6).
 */
export function launcherOf(
  env: Readonly<Record<string, string | undefined>>,
  ppid: number,
  nameOf: (pid: number) => string = kernelNameOf,
): string | undefined {
  if (['', '0', 'false'].includes(env['CI'] ?? '')) return undefined;
  if (env['npm_command'] === 'exec') return 'npx';
  if (env['npm_lifecycle_event'] !== undefined) return 'npm';
  const name = nameOf(ppid);
  return SHELLS.includes(name) ? name : undefined;
}

/** The name that the kernel keeps for a process; the empty text where it keeps none. */
function kernelNameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
