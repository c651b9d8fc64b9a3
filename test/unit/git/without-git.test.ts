import { expect, it } from 'vitest';
import { remoteGit, unknownRef } from '../../../src/git/git.ts';
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
