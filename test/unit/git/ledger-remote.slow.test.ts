import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { chained, GENESIS, lock, RELEASE } from '../../support/ledger-records.ts';
import { GitPlace, PERSON } from '../../support/git-place.ts';
import { failsWith } from '../../support/store-rig.ts';

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());

const RECORDS = chained([GENESIS, lock(), { type: 'BEAT', n: 1 }, RELEASE]);
let branches = 0;

/** Writes two appends from the first clone, reads and appends from a folder; all of it must be there. */
async function worksIn(
  folder: string,
  more: { readonly remote?: string } = {},
  branch = `form-${(branches += 1)}`,
) {
  const here = gitStore(place.remote(place.clone, { branch }), Math.random);
  const there = gitStore(place.remote(folder, { branch, ...more }), Math.random);
  let head = EMPTY_HEAD;
  for (const [n, store] of [here, here, there, there].entries()) {
    const records = RECORDS.slice(n, n + 1);
    expect(await store.append(records, head)).toBe('acknowledged');
    head = headAfter(records, head);
  }
  expect((await here.read(0)).records).toEqual(RECORDS);
  expect((await there.read(1)).records).toEqual(RECORDS.slice(1));
  return branch;
}

describe('a ledger is kept from', () => {
  test('a shallow clone', async () => {
    const folder = place.another('shallow', '--depth', '1');
    await worksIn(folder);
    expect(place.git(folder, 'rev-parse', '--is-shallow-repository')).toBe('true');
  });

  test('a shallow clone that has the end of the ledger alone, and stays shallow for the rest', async () => {
    const branch = await worksIn(place.clone);
    place.git(place.clone, ...PERSON, 'commit', '--quiet', '--allow-empty', '-m', 'second');
    place.git(place.clone, 'push', '--quiet', 'origin', 'HEAD:main');
    const folder = place.another('tips', '--depth', '1', '--no-single-branch');
    const store = gitStore(place.remote(folder, { branch }), Math.random);
    expect((await store.read(0)).records).toEqual(RECORDS);
    expect(place.git(folder, 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('a work tree beside a clone, with no branch checked out', async () => {
    const folder = join(place.root, 'beside');
    place.git(place.clone, 'worktree', 'add', '--quiet', '--detach', folder);
    await worksIn(folder);
  });

  test('a clone whose remote is given as a path', async () => {
    await worksIn(place.another('pathless'), { remote: place.bare });
  });

  test('a clone that has only some of the objects', async () => {
    place.git(place.bare, 'config', 'uploadpack.allowFilter', 'true');
    await worksIn(place.another('partial', '--filter=blob:none'));
  });
});

test('neither hooks nor signatures nor anything in the clone has a part in it', async () => {
  const folder = place.another('busy');
  const ran = join(place.root, 'ran');
  mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
  for (const hook of ['pre-push', 'reference-transaction', 'post-index-change', 'pre-commit']) {
    const path = join(folder, '.git', 'hooks', hook);
    writeFileSync(path, `#!/bin/sh\ntouch ${ran}\nexit 1\n`);
    chmodSync(path, 0o755);
  }
  for (const key of ['commit.gpgSign', 'push.gpgSign', 'core.autocrlf', 'core.fsmonitor'])
    place.git(folder, 'config', key, 'true');
  place.git(folder, 'config', 'push.pushOption', 'ci.skip');
  writeFileSync(join(folder, 'staged.txt'), 'staged\n');
  place.git(folder, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'add', '.');
  writeFileSync(join(folder, 'loose.txt'), 'loose\n');
  const state = () => [
    place.git(
      folder,
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      'status',
      '--porcelain',
    ),
    place.git(folder, 'for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags'),
    readdirSync(join(folder, '.git')).filter((name) => /^FETCH_HEAD|^shared/.test(name)),
  ];
  const before = state();
  const branch = await worksIn(folder);
  expect([state(), existsSync(ran)]).toEqual([before, false]);
  const tree = place.git(place.bare, 'ls-tree', '-r', '--name-only', branch).split('\n');
  const who = place.git(place.bare, 'log', '-1', '--format=%an %ae %cn %ce %G?', branch);
  expect(tree).toEqual(['head.json', 'records.json']);
  expect(who).toBe('fleetform fleetform@localhost fleetform fleetform@localhost N');
});

describe('names that are none', () => {
  const ran = join(place.root, 'pwned');

  test.each([
    ['an option', { remote: `--upload-pack=touch ${ran}` }, 'remoteName'],
    ['a program', { remote: `ext::sh -c touch% ${ran}` }, 'remoteName'],
    ['another ref', { branch: 'x:refs/heads/main' }, 'branchName'],
    ['all refs', { branch: '*' }, 'branchName'],
    ['a way out', { branch: '../../config' }, 'branchName'],
    ['two lines', { branch: 'x\nrefs/heads/main' }, 'branchName'],
    ['nothing', { branch: '' }, 'branchName'],
  ])('%s: nothing of it reaches git', async (_, more, why) => {
    const store = gitStore(place.remote(place.clone, more), Math.random);
    const before = place.git(place.bare, 'for-each-ref');
    const refused = failsWith('ledgerUnfit', { why });
    await expect(store.append(RECORDS.slice(0, 1), EMPTY_HEAD)).rejects.toThrow(refused);
    await expect(store.read(0)).rejects.toThrow(refused);
    expect([place.git(place.bare, 'for-each-ref'), existsSync(ran)]).toEqual([before, false]);
  });
});

test('a folder in no clone is said to be none', async () => {
  const store = gitStore(place.remote(place.root), Math.random);
  await expect(store.read(0)).rejects.toThrow(failsWith('ledgerUnfit', { why: 'noClone' }));
});

test('what may be a password in an address is not in the name of the place', () => {
  const remote = place.remote(place.clone, { remote: 'https://ada:hush@git.example.com/x.git' });
  expect(remote.place).toBe('https://git.example.com/x.git refs/heads/fleetform-ledger');
});
