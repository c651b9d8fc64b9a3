import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { remoteGit, requireReadable, unknownRef } from '../../../src/git/git.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { GitPlace } from '../../support/git-place.ts';

const NOWHERE = { PATH: '/nonexistent' };

it('a base that no git can look for is not said to be unknown', async () => {
  using place = new GitPlace();
  const git = (env: NodeJS.ProcessEnv) => remoteGit(place.clone, env, { silence: 60_000 });
  expect(await unknownRef(git(NOWHERE), 'main')).toMatchObject({ code: 'gitMissing' });
  expect(await unknownRef(git(process.env), 'main')).toMatchObject({ code: 'refUnknown' });
});

it('a ledger in git that no git can reach says so, and not that its branch has a bad name', async () => {
  using place = new GitPlace();
  const remote = place.remote(place.clone, { env: NOWHERE, branch: 'a-branch-that-no-test-has' });
  const refused = { code: 'ledgerUnfit', params: { why: 'noGit' } };
  await expect(gitStore(remote, Math.random).read(0)).rejects.toMatchObject(refused);
});

it('a clone that git does not read is not taken for a folder outside of one', async () => {
  using place = new GitPlace();
  const git = (env: NodeJS.ProcessEnv, more = {}) =>
    remoteGit(place.clone, env, { more, silence: 60_000 });
  const below = join(place.clone, 'fleet');
  await requireReadable(git(process.env), below);
  await expect(requireReadable(git(NOWHERE), below)).rejects.toMatchObject({
    code: 'gitMissing',
    params: { path: place.clone },
  });
  const ofAnother = git(process.env, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
  await expect(requireReadable(ofAnother, below)).rejects.toMatchObject({
    code: 'cloneUnreadable',
    params: { path: place.clone, foreign: place.clone },
  });
  await requireReadable(git(NOWHERE), tmpdir());
});
