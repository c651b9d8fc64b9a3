import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  branchForJobs,
  isNewestCommit,
  readDefaultBranch,
  requireClear,
} from '../../../src/operations/gate/default-branch.ts';
import { createClone, serviceText, type Clone } from '../../support/clone.ts';
import { gitIn } from '../../support/blackbox-record.ts';

const GITHUB = { GITHUB_ACTIONS: 'true', CI: 'true' };

/** What a command of this clone takes for the default branch. */
function branchOf(clone: Clone, env: Readonly<Record<string, string>> = {}) {
  return readDefaultBranch(
    { shell: clone.shell(env), documents: clone.documents },
    { isFetched: true },
  );
}

/** Why it is unclear. */
async function whyUnclear(clone: Clone, env: Readonly<Record<string, string>> = {}) {
  const found = await branchOf(clone, env);
  return found !== 'none' && 'unclear' in found ? found.unclear.params : found;
}

function eventFile(clone: Clone, branch: string): string {
  const path = join(clone.place, 'event.json');
  writeFileSync(path, JSON.stringify({ repository: { default_branch: branch } }));
  return path;
}

describe('M7 the default branch comes from the forge', () => {
  const clone = createClone('default-branch');
  const trunk = clone.git('rev-parse', 'HEAD');
  clone.write('fleet/fleet.yaml', `${serviceText()}freezes: {}\n`);
  clone.commit('somebody pushes main');
  clone.push('main');
  clone.git('fetch', '--quiet', 'origin');

  test('and not from whoever pushes a branch with the usual name', async () => {
    expect(await branchOf(clone)).toEqual({ remote: 'origin', name: 'trunk', tip: trunk });
    expect(await isNewestCommit({ shell: clone.shell(), documents: clone.documents }, trunk)).toBe(
      true,
    );
  });

  test('nor from what the clone remembers of the remote', async () => {
    clone.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    expect(await branchOf(clone)).toMatchObject({ name: 'trunk' });
  });

  test.each([
    ['the event', { GITHUB_EVENT_PATH: eventFile(clone, 'trunk'), ...GITHUB }],
    [
      'the ref of a schedule',
      { GITHUB_EVENT_NAME: 'schedule', GITHUB_REF: 'refs/heads/trunk', ...GITHUB },
    ],
    ['the variable of GitLab', { CI_DEFAULT_BRANCH: 'trunk', GITLAB_CI: 'true', CI: 'true' }],
  ])('in a job from %s, whatever the HEAD of the remote', async (_, env) => {
    gitIn(clone.bare, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    expect(await branchOf(clone, env)).toMatchObject({ name: 'trunk', tip: trunk });
    gitIn(clone.bare, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
  });

  test('the ref of a push and of a run by hand says nothing', async () => {
    for (const GITHUB_EVENT_NAME of ['push', 'workflow_dispatch'])
      expect(
        await branchOf(clone, { ...GITHUB, GITHUB_EVENT_NAME, GITHUB_REF: 'refs/heads/main' }),
      ).toMatchObject({ name: 'trunk' });
  });

  test('FLEETFORM_BRANCH alone decides where it is set', async () => {
    const env = {
      ...GITHUB,
      GITHUB_EVENT_PATH: eventFile(clone, 'trunk'),
      FLEETFORM_BRANCH: 'main',
    };
    expect(await branchOf(clone, env)).toMatchObject({ name: 'main' });
  });

  test('two that differ make it unclear', async () => {
    const env = { ...GITHUB, GITHUB_EVENT_PATH: eventFile(clone, 'main') };
    const schedule = { GITHUB_EVENT_NAME: 'schedule', GITHUB_REF: 'refs/heads/trunk' };
    expect(await whyUnclear(clone, { ...env, ...schedule })).toEqual({
      remote: 'origin',
      why: 'differ',
      names: 'main (the event), trunk (the schedule)',
    });
  });

  test('so does a remote without one, or one that cannot be fetched', async () => {
    expect(await whyUnclear(clone, { FLEETFORM_BRANCH: 'gone' })).toMatchObject({ why: 'unread' });
    gitIn(clone.bare, 'symbolic-ref', 'HEAD', 'refs/heads/unborn');
    const found = await branchOf(clone);
    expect(await whyUnclear(clone)).toEqual({ remote: 'origin', why: 'none' });
    expect(() => requireClear(found)).toThrow(expect.objectContaining({ code: 'branchUnclear' }));
    expect(await isNewestCommit({ shell: clone.shell(), documents: clone.documents }, trunk)).toBe(
      false,
    );
    clone.git('remote', 'remove', 'origin');
    expect(await branchOf(clone)).toBe('none');
  });
});

describe('M7 a remote that has nothing but the ledger', () => {
  const service = serviceText('', 'records');
  const clone = createClone('default-branch-records', { service });
  const records = join(clone.place, 'records.git');
  gitIn(clone.place, 'init', '--quiet', '--bare', '--initial-branch=fleetform-ledger', records);
  clone.git('remote', 'add', 'records', records);
  clone.git('push', '--quiet', 'records', 'trunk:fleetform-ledger');

  test('has no default branch, even if somebody pushes one of that name to it', async () => {
    expect(await branchOf(clone)).toMatchObject({ remote: 'origin', name: 'trunk' });
    clone.git('push', '--quiet', 'records', 'trunk:main', 'trunk:trunk');
    for (const env of [{}, { FLEETFORM_BRANCH: 'trunk' }, { ...GITHUB, FLEETFORM_BRANCH: 'trunk' }])
      expect(await branchOf(clone, env)).toMatchObject({ remote: 'origin', name: 'trunk' });
  });
});

describe('M7 the branch that jobs are written for is the default one, whatever is checked out', () => {
  function onFeature(): Clone {
    const clone = createClone('branch-for-jobs', { branch: 'main' });
    clone.git('switch', '--quiet', '--create', 'feature');
    clone.push('feature');
    return clone;
  }
  const chosen = ({ shell, folder }: Clone) => branchForJobs(shell(), folder);
  const point = ({ bare }: Clone, branch: string): void =>
    void gitIn(bare, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);

  test('by the remote, over what the clone remembers', async () => {
    const clone = onFeature();
    clone.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/feature');
    expect(await chosen(clone)).toBe('main');
  });

  test('by the clone where the remote does not answer', async () => {
    const clone = onFeature();
    clone.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    clone.git('remote', 'set-url', 'origin', `${clone.bare}-gone`);
    expect(await chosen(clone)).toBe('main');
  });

  test('main where the HEAD of the remote names a branch that nobody pushed', async () => {
    const clone = onFeature();
    point(clone, 'gone');
    expect(await chosen(clone)).toBe('main');
    clone.push('master');
    await expect(chosen(clone)).rejects.toMatchObject({
      code: 'usage',
      params: { message: expect.stringMatching(/feature, main, master\); add `--branch NAME`$/) },
    });
  });

  test('and before the first push by the branches of the clone', async () => {
    const clone = onFeature();
    clone.git('remote', 'remove', 'origin');
    expect(await chosen(clone)).toBe('main');
    clone.git('branch', '--move', 'main', 'trunk');
    await expect(chosen(clone)).rejects.toMatchObject({ code: 'usage' });
    clone.git('branch', '--delete', '--force', 'trunk');
    expect(await chosen(clone)).toBe('feature');
  });
});
