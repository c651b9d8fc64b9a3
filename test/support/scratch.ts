import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFolder } from './canary-watch.ts';

/**
 * An empty folder for the tests of one file. When they have ended, whatever is left in it is
 * searched for secrets, but for `given` (names of files that a test writes itself), and all of it
 * is removed.
 */
export function scratchFolder(name: string, given: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), `fleetform-${name}-`));
  watchFolder(folder, given);
  return folder;
}
