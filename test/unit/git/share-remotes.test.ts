import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remoteGit, shareRemotes } from '../../../src/git/git.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = scratchFolder('remotes');
mkdirSync(join(folder, 'running'));
const counts = join(folder, 'counts');
const git = join(folder, 'git');
// Notes how many of it run at once.
writeFileSync(
  git,
  `#!/bin/sh
mkdir "${folder}/running/$$"
ls "${folder}/running" | wc -l >> "${counts}"
rmdir "${folder}/running/$$"
`,
);
chmodSync(git, 0o755);

describe('commands that share a remote', () => {
  it('ask it two at a time', async () => {
    const path = `${folder}:${process.env['PATH'] ?? ''}`;
    const envs = Array.from({ length: 12 }, () => ({ PATH: path }));
    shareRemotes(envs);
    const asked = envs.map((env, n) =>
      remoteGit(folder, env, { silence: 60_000 })(n % 2 ? 'fetch' : 'ls-remote', '--', 'origin'),
    );
    expect((await Promise.all(asked)).map(({ exit }) => exit)).toEqual(envs.map(() => 0));
    const most = readFileSync(counts, 'utf8').trim().split('\n').map(Number);
    expect([most.length, Math.max(...most) <= 2]).toEqual([12, true]);
  });
});
