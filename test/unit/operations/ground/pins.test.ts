import { describe, expect, it } from 'vitest';
import { GroundRig, refused } from '../../../support/ground-rig.ts';

const TEAM = 'ledger: {store: git, branch: team-ledger}';

describe('M4 what a job pins', () => {
  it.each([
    ['FLEETFORM_LEDGER', 'git:origin#fleetform-ledger', 'git:origin#team-ledger'],
    ['FLEETFORM_LEDGER', 'directory:/var/lib/fleetform', 'git:origin#team-ledger'],
    ['FLEETFORM_LEDGER', 'postgres', 'git:origin#team-ledger'],
    ['FLEETFORM_ORGANIZATION', 'globex', 'acme'],
  ])('stops documents that differ: %s=%s', async (variable, pinned, found) => {
    const rig = new GroundRig({ env: { CI: 'true', [variable]: pinned } });
    rig.merge(TEAM);
    await expect(rig.read()).rejects.toEqual(refused('groundPinned', { variable, pinned, found }));
    await expect(rig.run()).rejects.toEqual(refused('groundPinned'));
    expect(await rig.recordsAt('team-ledger')).toEqual([]);
  });

  it('lets documents run that say the same', async () => {
    const env = { FLEETFORM_LEDGER: 'git:origin#team-ledger', FLEETFORM_ORGANIZATION: 'acme' };
    const rig = new GroundRig({ env: { CI: 'true', ...env } });
    rig.merge(TEAM);
    await rig.run();
    expect(await rig.types()).toHaveLength(4);
  });

  it('is a warning outside of a job', async () => {
    const rig = new GroundRig({ env: { FLEETFORM_ORGANIZATION: 'globex' } });
    rig.merge(TEAM);
    const { shell, documents, target, err } = await rig.open();
    const { groundOf } = await import('../../../../src/operations/ground/ground.ts');
    await groundOf({ shell, documents, target });
    await groundOf({ shell, documents, target });
    const text = err.text().replaceAll(/\s+/g, ' ');
    expect(text.match(/warning:/g)).toHaveLength(1);
    expect(text).toContain('FLEETFORM_ORGANIZATION is globex, but the documents say acme.');
  });
});
