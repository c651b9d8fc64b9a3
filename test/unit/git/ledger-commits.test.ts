import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GitPlace, PERSON } from '../../support/git-place.ts';

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());

const folder = place.another('writer');
const git = (...args: readonly string[]): string => place.git(folder, ...PERSON, ...args);

let branches = 0;

/** The commits of a branch of the remote that this writes; each commit has one file more, or what `last` does. */
async function commitsWith(last: (write: (name: string, text: string) => void) => void) {
  branches += 1;
  const branch = `commits-${branches}`;
  git('checkout', '--quiet', '--orphan', branch);
  git('rm', '-r', '-f', '--quiet', '--ignore-unmatch', '.');
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const commit = (): string => {
    git('add', '--all');
    git('commit', '--quiet', '-m', 'records');
    return git('rev-parse', 'HEAD').trim();
  };
  write('records.json', 'one\n');
  const first = commit();
  write('records.json', 'zwei ü\ncommit 1\n');
  write('head.json', 'one\n');
  const second = commit();
  last(write);
  const third = commit();
  git('push', '--quiet', 'origin', branch);
  const remote = place.remote(place.clone, { branch });
  return { ids: [first, second, third], commits: await remote.commits('', third) };
}

describe('the commits of a ledger', () => {
  test('are in a line, each with what it changed', async () => {
    const { ids, commits } = await commitsWith((write) => write('records.json', ''));
    expect(commits).toEqual([
      { id: ids[0], parent: '', files: new Map([['records.json', 'one\n']]) },
      {
        id: ids[1],
        parent: ids[0],
        files: new Map([
          ['head.json', 'one\n'],
          ['records.json', 'zwei ü\ncommit 1\n'],
        ]),
      },
      { id: ids[2], parent: ids[1], files: new Map([['records.json', '']]) },
    ]);
  });

  test('have files by their whole names, whatever these look like', async () => {
    const name = `a\n:000000 100644 ${'0'.repeat(40)} ${'1'.repeat(40)} A`;
    const { commits } = await commitsWith((write) => write(name, 'x'));
    expect(commits?.at(-1)?.files).toEqual(new Map([[name, 'x']]));
  });

  test.each<readonly [string, () => void]>([
    ['a file removed', () => git('rm', '--quiet', 'head.json')],
    ['a link', () => symlinkSync('records.json', join(folder, 'link'))],
    ['a program', () => chmodSync(join(folder, 'records.json'), 0o755)],
    [
      'a file that became a link',
      () => {
        git('rm', '--quiet', 'head.json');
        symlinkSync('records.json', join(folder, 'head.json'));
      },
    ],
    [
      'a merge',
      () => {
        git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
        git('commit', '--quiet', '--allow-empty', '-m', 'side');
        git('checkout', '--quiet', '-');
        git('merge', '--quiet', '--no-ff', '--no-commit', '-s', 'ours', 'side');
      },
    ],
  ])('are no ledger with %s', async (_, last) => {
    expect((await commitsWith(last)).commits).toBeUndefined();
  });
});
