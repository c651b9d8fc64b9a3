import { expect, test } from 'vitest';
import { findAuthor } from '../../../../src/operations/intervene/author.ts';
import { gitIn } from '../../../support/blackbox-record.ts';
import { scratchFolder } from '../../../support/scratch.ts';

const cwd = scratchFolder('author');
const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };

function author(label: string, name?: string): Promise<string> {
  const identity = { label } as Parameters<typeof findAuthor>[0]['identity'];
  return findAuthor({ cwd, env, identity }, name);
}

test('a record names the flag, else the run of a job, else the user of git, else the account', async () => {
  gitIn(cwd, 'init', '--quiet');
  expect(await author('root@vm')).toBe('root@vm');
  gitIn(cwd, 'config', 'user.name', 'Ann Example');
  expect(await author('root@vm')).toBe('Ann Example');
  expect(await author('https://forge.example/runs/7')).toBe('https://forge.example/runs/7');
  expect(await author('https://forge.example/runs/7', ' Bob ')).toBe('Bob');
  expect(await author('root@vm', ' ')).toBe('Ann Example');
});
