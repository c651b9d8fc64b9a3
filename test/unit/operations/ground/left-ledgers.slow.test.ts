import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const TEAM = 'ledger: {store: git, branch: team-ledger}';

/** A ledger with records, and a copy of it on a branch that anybody may push to. */
async function copied() {
  const rig = await begunRig();
  const [tip = ''] = rig.git('ls-remote', 'origin', 'fleetform-ledger').split('\t');
  rig.git('push', '--quiet', 'origin', `${tip}:refs/heads/team-ledger`);
  return rig;
}

const left = refused('groundChanged', {
  what: 'service.ledger',
  from: 'git:origin#fleetform-ledger',
  to: 'git:origin#team-ledger',
});

describe('M1 a ledger that the documents have left', () => {
  it('counts at any commit before, however long ago, also after a merge of a branch', async () => {
    const rig = await copied();
    rig.git('switch', '--quiet', '--create', 'side');
    rig.commit(TEAM);
    rig.git('switch', '--quiet', 'main');
    rig.git('merge', '--quiet', '--no-ff', '-m', 'merged', 'side');
    rig.merge(`${TEAM}, pace: {requestsPerSecond: 2}`);
    await expect(rig.read()).rejects.toEqual(left);
  });

  it('is not followed along the commits of a branch that was merged later', async () => {
    const rig = await copied();
    rig.git('switch', '--quiet', '--create', 'side');
    rig.commit(TEAM);
    rig.commit(GIT);
    rig.git('switch', '--quiet', 'main');
    rig.git('merge', '--quiet', '--no-ff', '-m', 'merged', 'side');
    rig.git('push', '--quiet', 'origin', 'main');
    expect(await rig.types()).toHaveLength(4);
  });

  it('counts where the commit that left it could not be read, from the next on', async () => {
    const rig = await copied();
    rig.merge(`${TEAM}, nonsense: 1`);
    rig.merge(TEAM);
    await expect(rig.read()).rejects.toEqual(left);
  });

  it('on the disk of another runner cannot be read', async () => {
    const rig = new GroundRig({ env: { CI: 'true' } });
    rig.merge('ledger: {path: /nowhere/ledger}');
    rig.merge(GIT);
    await expect(rig.read()).rejects.toEqual(
      refused('placeGone', { place: 'directory:/nowhere/ledger' }),
    );
  });
});

describe('M1 a clone without its history', () => {
  it('runs as any other where it could fetch it', async () => {
    const rig = new GroundRig();
    rig.merge(GIT);
    rig.merge(`${GIT}, pace: {requestsPerSecond: 2}`);
    await rig.run({}, rig.clone('shallow', '--depth=1'));
    expect(await rig.types()).toEqual(['GENESIS', 'LOCK', 'GROUND', 'RELEASE']);
  });
});
