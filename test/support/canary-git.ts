import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Left } from './canary.ts';

/** Larger than what any repository of the tests holds. */
const MAX_BYTES = 256 * 1024 ** 2;

/**
 * Every object of every git repository below a folder, inflated: commits, trees and files of all
 * branches, of ledgers and notes, packed or loose, reachable or not.
 */
export function* objectsLeft(folder: string): Generator<Left> {
  for (const repository of repositoriesIn(folder)) {
    const text = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
      env: { PATH: process.env['PATH'], GIT_DIR: repository, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'latin1',
      maxBuffer: MAX_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    yield { name: `objects of ${relative(folder, repository)}`, text };
  }
}

function repositoriesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name === 'objects')
    .map((entry) => entry.parentPath)
    .filter((path) => existsSync(join(path, 'HEAD')) && existsSync(join(path, 'refs')));
}
