import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  isNewestCommit,
  readDefaultBranch,
  requireClear,
  checkMerged as checkMergedInto,
} from '../../../src/operations/gate/default-branch.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';
import type { Here } from '../../../src/operations/here.ts';

/** A bare repository and a clone of it with one merged commit. */
function playground() {
  const place = scratchFolder('merged');
  const [bare, clone] = [join(place, 'hub.git'), join(place, 'clone')];
  gitIn(place, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  gitIn(place, 'init', '--quiet', '--initial-branch=main', clone);
  gitIn(clone, 'remote', 'add', 'origin', bare);
  mkdirSync(join(clone, 'fleet'));
  const commit = (text: string, at = clone): Head => {
    writeFileSync(join(at, 'fleet', 'a.yaml'), text);
    gitIn(at, 'add', '-A');
    gitIn(at, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', text);
    return { commit: gitIn(at, 'rev-parse', 'HEAD').trim(), dirty: false };
  };
  const merged = commit('one');
  gitIn(clone, 'push', '--quiet', 'origin', 'main');
  gitIn(clone, 'fetch', '--quiet', 'origin');
  return { place, bare, clone, commit, merged };
}

interface Head {
  readonly commit: string;
  readonly dirty: boolean;
}

function world(clone: string, ledger: object = { store: 'git' }) {
  const documents = { folder: join(clone, 'fleet'), service: { value: { ledger } } };
  const shell = { cwd: clone, env: process.env };
  return { shell, documents } as unknown as Here;
}

async function checkMerged(here: Here, head: Head | undefined) {
  const branch = requireClear(await readDefaultBranch(here, { isFetched: true }));
  return checkMergedInto(here, head, branch);
}

const refused = (why?: string) =>
  expect.objectContaining({
    code: 'commitNotMerged',
    params: why === undefined ? expect.anything() : expect.objectContaining({ why }),
  });

test('N75 only what was merged into the default branch is shown and approved', async () => {
  const { clone, commit, merged } = playground();
  const here = world(clone);
  expect(await checkMerged(here, merged)).toBe(merged.commit);
  await expect(checkMerged(here, { ...merged, dirty: true })).rejects.toEqual(refused('dirty'));
  await expect(checkMerged(here, undefined)).rejects.toEqual(refused('noCommit'));
  await expect(checkMerged(here, commit('two'))).rejects.toEqual(refused());
});

test('N75 a clone of one branch takes the default branch from the remote', async () => {
  const { place, bare, clone, commit, merged } = playground();
  gitIn(clone, 'checkout', '--quiet', '-b', 'side');
  const side = commit('never merged');
  gitIn(clone, 'push', '--quiet', 'origin', 'side');
  gitIn(place, 'clone', '--quiet', '--single-branch', '--branch=side', bare, 'single');
  const single = join(place, 'single');
  expect(await isNewestCommit(world(single), side.commit)).toBe(false);
  await expect(checkMerged(world(single), side)).rejects.toEqual(refused());
  expect(await checkMerged(world(single), merged)).toBe(merged.commit);
});

test('N75 nothing counts as merged where the remote cannot be fetched', async () => {
  const { clone, merged } = playground();
  gitIn(clone, 'remote', 'set-url', 'origin', join(clone, 'gone.git'));
  await expect(checkMerged(world(clone), merged)).rejects.toMatchObject({
    code: 'branchUnclear',
  });
  gitIn(clone, 'remote', 'remove', 'origin');
  expect(await checkMerged(world(clone), merged)).toBe(merged.commit);
});

test('N75 a remote with nothing but the ledger has no default branch', async () => {
  const { place, clone, commit } = playground();
  const records = join(place, 'records.git');
  gitIn(place, 'init', '--quiet', '--bare', '--initial-branch=fleetform-ledger', records);
  gitIn(clone, 'remote', 'add', 'records', records);
  gitIn(clone, 'push', '--quiet', 'records', 'main:fleetform-ledger');
  const here = world(clone, { store: 'git', remote: 'records' });
  await expect(checkMerged(here, commit('two'))).rejects.toEqual(refused());
});

test('N77 a clone that has not fetched is not of the newest commit', async () => {
  const { place, bare, clone, commit, merged } = playground();
  expect(await isNewestCommit(world(clone), merged.commit)).toBe(true);
  gitIn(place, 'clone', '--quiet', bare, 'other');
  const other = join(place, 'other');
  commit('two', other);
  gitIn(other, 'push', '--quiet', 'origin', 'main');
  expect(await isNewestCommit(world(clone), merged.commit)).toBe(false);
});
