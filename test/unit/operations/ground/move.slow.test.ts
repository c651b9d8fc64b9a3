import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const TEAM = 'ledger: {store: git, branch: team-ledger}';
const typesIn = (records: readonly { readonly body: { readonly type: string } }[]) =>
  records.map(({ body }) => body.type).join(' ');

describe('M2 a move of the ledger', () => {
  it('goes back with a second one', async () => {
    const rig = await begunRig();
    rig.merge(TEAM);
    await rig.move();
    await rig.run();
    rig.merge(GIT);
    await expect(rig.run()).rejects.toEqual(refused('groundChanged'));
    expect(await rig.move()).toBe(5);
    await rig.run();
    expect(await rig.recordsAt('fleetform-ledger')).toHaveLength(14);
  });

  it('waits for nobody who is at work', async () => {
    const rig = await begunRig();
    const other = await rig.journal();
    await other.take({ waitMs: 0, takeOver: false, label: 'other' });
    rig.merge(TEAM);
    await expect(rig.move()).rejects.toEqual(refused('locked', { label: 'other' }));
    await other.release();
    await rig.move();
    await rig.run();
  });

  it('completes what an interrupted one has begun', async () => {
    const rig = await begunRig();
    rig.merge(TEAM);
    await rig.move();
    const [tip = ''] = rig.git('ls-remote', 'origin', 'team-ledger').split('\t');
    rig.git('push', '--quiet', '--force', 'origin', `${tip}~1:refs/heads/team-ledger`);
    await expect(rig.run()).rejects.toEqual(refused('ledgerElsewhere'));
    expect(await rig.move()).toBeGreaterThan(0);
    expect(await rig.recordsAt('team-ledger')).toEqual(await rig.recordsAt('fleetform-ledger'));
    await rig.run();
  });

  it('brings a directory of a person along', async () => {
    const rig = new GroundRig();
    rig.commit('');
    await rig.run();
    rig.merge(GIT);
    await expect(rig.run()).rejects.toEqual(refused('groundChanged', { what: 'service.ledger' }));
    expect(await rig.move()).toBeGreaterThan(4);
    await rig.run();
    expect(typesIn(await rig.recordsAt('fleetform-ledger'))).toMatch(
      /^GENESIS LOCK GROUND .*GROUND/,
    );
  });

  it('of a ledger that has records of its own is one that a person adopts', async () => {
    const rig = await begunRig();
    rig.merge(TEAM);
    const pin = { FLEETFORM_LEDGER: 'git:origin#team-ledger' };
    await expect(rig.run(pin)).rejects.toEqual(refused('groundChanged'));
    const other = new GroundRig();
    other.merge(TEAM);
    await other.run();
    const tip = other.git('ls-remote', 'origin', 'team-ledger').slice(0, 40);
    other.git('push', '--quiet', rig.hub, `${tip}:refs/heads/team-ledger`);
    await expect(rig.move()).rejects.toEqual(refused('usage'));
    expect(await rig.move({ isAdopted: true })).toBe(0);
    await expect(rig.run()).rejects.toEqual(refused('ledgerRolledBack'));
    await rig.run({}, rig.clone('another'));
    const old = await rig.recordsAt('fleetform-ledger');
    expect(old.at(-1)?.body).toMatchObject({ type: 'GROUND', ledger: { branch: 'team-ledger' } });
  });

  it('may be of the service alone', async () => {
    const rig = await begunRig();
    rig.merge(GIT, 'baseUrl: https://eu.example.com, organization: acme');
    await expect(rig.run()).rejects.toEqual(
      refused('groundChanged', {
        what: 'service.baseUrl',
        from: 'https://api.example.com',
        to: 'https://eu.example.com',
      }),
    );
    expect(await rig.move()).toBe(0);
    await rig.run();
    rig.merge(GIT);
    await expect(rig.run()).rejects.toEqual(refused('groundChanged', { what: 'service.baseUrl' }));
  });
});
