import { isAbsolute, join } from 'node:path';
import { platform as systemPlatform } from 'node:process';

/**
 * The folder of this user's state: `$XDG_STATE_HOME/fleetform`, by default
 * `~/.local/state/fleetform`; on Windows `%LOCALAPPDATA%\\fleetform\\state`. Undefined where the
 * environment names none. Nothing is made or read; the environment alone decides, so that a process
 * with an environment of its own writes nowhere else.
 */
export function userStateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = systemPlatform,
): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = env;
  if (isFull(state)) return join(state, 'fleetform');
  if (platform === 'win32') return isFull(local) ? join(local, 'fleetform', 'state') : undefined;
  return isFull(home) ? join(home, '.local', 'state', 'fleetform') : undefined;
}

/** A relative path is ignored, as the XDG specification asks. */
function isFull(path: string | undefined): path is string {
  return path !== undefined && path !== '' && isAbsolute(path);
}
