import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const TEAM = 'ledger: {store: git, branch: team-ledger}';
const typesIn = (records: readonly { readonly body: { readonly type: string } }[]) =>
  records.map(({ body }) => body.type).join(' ');

/** The heads that are kept of a ledger are those of its last record (protocol M12). */
function expectHeads(rig: GroundRig, ledger: string): void {
  const [heads, tip] = [`${ledger}-heads`, ledger].map((branch) =>
    rig.git('ls-remote', 'origin', `refs/heads/${branch}`).slice(0, 40),
  );
  expect(heads, ledger).toBe(tip);
}

describe('M2 a move of the ledger', () => {
  it('is the last record of the old one, and brings the chain along', async () => {
    const rig = await begunRig();
    rig.merge(TEAM);
    expect(await rig.move()).toBe(7);
    const [old, moved] = [
      await rig.recordsAt('fleetform-ledger'),
      await rig.recordsAt('team-ledger'),
    ];
    expect(typesIn(old)).toBe('GENESIS LOCK GROUND RELEASE LOCK RELEASE GROUND');
    expect(moved).toEqual(old);
    expect(old.at(-1)?.body).toMatchObject({
      service: { origin: 'https://api.example.com', organization: 'acme' },
      ledger: { store: 'git', remote: 'origin', branch: 'team-ledger' },
      commit: rig.git('rev-parse', 'HEAD'),
      who: 'Ada',
      why: 'moved',
    });
    for (const ledger of ['fleetform-ledger', 'team-ledger']) expectHeads(rig, ledger);
    await rig.run();
    expect(await rig.recordsAt('team-ledger')).toHaveLength(9);
    expect(await rig.recordsAt('fleetform-ledger')).toHaveLength(7);
  });

  it('then lets nobody append at the old place', async () => {
    const rig = await begunRig();
    const late = await rig.journal();
    await late.take({ waitMs: 0, takeOver: false, label: 'late' });
    await late.release();
    rig.merge(TEAM);
    await rig.move();
    await expect(late.take({ waitMs: 0, takeOver: true, label: 'late' })).rejects.toEqual(
      refused('ledgerElsewhere', { named: expect.stringContaining('team-ledger') }),
    );
    rig.write(GIT);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged'));
  });

  it('is of what was merged alone', async () => {
    const rig = await begunRig();
    rig.write(TEAM);
    await expect(rig.move()).rejects.toEqual(refused('usage'));
    rig.commit(TEAM);
    await expect(rig.move()).rejects.toEqual(refused('usage'));
  });

  it('is nothing where the ledger says all of it', async () => {
    const rig = await begunRig();
    expect(await rig.move()).toBeUndefined();
  });
});
