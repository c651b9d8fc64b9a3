import { linePlace, readLine } from '../../../../src/operations/ground/line.ts';
import { join } from 'node:path';
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
  it('without the record of a move lets nothing run, in a request and after its merge', async () => {
    const rig = await copied();
    rig.write(TEAM);
    await expect(rig.read()).rejects.toEqual(left);
    const commit = rig.merge(TEAM);
    await expect(rig.read()).rejects.toMatchObject({ params: { commit: commit.slice(0, 12) } });
    await expect(rig.run()).rejects.toEqual(left);
    expect(await rig.recordsAt('team-ledger')).toHaveLength(4);
  });

  it('is none where it never had a record', async () => {
    const rig = new GroundRig();
    rig.merge(TEAM);
    rig.merge(GIT);
    await rig.run();
    expect(await rig.types()).toEqual(['GENESIS', 'LOCK', 'GROUND', 'RELEASE']);
  });

  it('that cannot be read is passed over only where the job pins the present one', async () => {
    const rig = new GroundRig();
    rig.git('remote', 'add', 'old', join(rig.root, 'old.git'));
    rig.merge('ledger: {store: git, remote: old}');
    rig.merge(GIT);
    await expect(rig.read()).rejects.toEqual(
      refused('placeGone', {
        place: 'git:old#fleetform-ledger',
        pin: 'git:origin#fleetform-ledger',
      }),
    );
    await rig.run({ FLEETFORM_LEDGER: 'git:origin#fleetform-ledger' });
    expect(await rig.types({ FLEETFORM_LEDGER: 'git:origin#fleetform-ledger' })).toHaveLength(4);
  });
});

describe('M1 a clone without its history', () => {
  it('fetches it, and stops where it cannot', async () => {
    const rig = await copied();
    rig.merge(TEAM);
    rig.merge(`${TEAM}, pace: {requestsPerSecond: 2}`);
    await expect(rig.read({}, rig.clone('one', '--depth=1'))).rejects.toEqual(left);
    const away = rig.clone('two', '--depth=1');
    rig.git('-C', away, 'remote', 'set-url', 'origin', '/nowhere');
    await expect(rig.read({}, away)).rejects.toEqual(refused('historyCut'));
  });

  it('fetches that of the documents alone: of the ledger it has what it had', async () => {
    const rig = await begunRig();
    rig.merge('ledger: {store: git}, pace: {requestsPerSecond: 2}');
    const job = rig.clone('job', '--depth=1');
    const count = (...refs: readonly string[]) =>
      rig.git('-C', job, 'rev-list', '--count', ...refs);
    const kept = 'refs/fleetform/ledger/kept';
    const ledger = `+refs/heads/fleetform-ledger:${kept}`;
    rig.git('-C', job, 'fetch', '--quiet', '--depth=1', 'origin', ledger);
    const { shell, documents } = await rig.open(job, { CI: 'true' });
    const place = await linePlace(shell, documents.folder ?? '');
    expect([count('HEAD'), count(kept)]).toEqual(['1', '1']);
    await readLine(place, documents.service.value.ledger);
    expect([count('HEAD'), count(kept)]).toEqual([rig.git('rev-list', '--count', 'main'), '1']);
  });
});
