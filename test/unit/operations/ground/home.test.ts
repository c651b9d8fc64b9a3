import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

/** A bare repository with all branches of another one. */
function mirror(rig: GroundRig): string {
  const path = join(rig.root, 'mirror.git');
  rig.git('clone', '--quiet', '--mirror', rig.hub, path);
  return path;
}

describe('M13 the place of a ledger', () => {
  it('is its host and path, by whatever way', async () => {
    const rig = await begunRig();
    const [ground] = (await rig.read()).flatMap(({ body }) =>
      body.type === 'GROUND' ? [body] : [],
    );
    expect(ground?.ledger).toEqual({
      store: 'git',
      remote: 'origin',
      at: join(rig.root, 'hub'),
      branch: 'fleetform-ledger',
    });
    rig.git('remote', 'set-url', 'origin', `file://${rig.hub}/`);
    expect(await rig.types()).toHaveLength(4);
    rig.git('remote', 'add', 'upstream', rig.hub);
    rig.write('ledger: {store: git, remote: upstream}');
    expect(await rig.types()).toHaveLength(4);
  });

  it('is not that of a mirror, from its first record on', async () => {
    const rig = await begunRig();
    rig.git('remote', 'set-url', 'origin', mirror(rig));
    await expect(rig.run()).rejects.toEqual(
      refused('ledgerElsewhere', {
        named: expect.stringContaining('hub'),
        found: expect.stringContaining('mirror'),
      }),
    );
    await expect(rig.read()).rejects.toEqual(refused('ledgerElsewhere'));
  });
});

describe('M13 the commit of a ground', () => {
  it('is in the history of the default branch: other documents have another ledger', async () => {
    const rig = await begunRig();
    const other = new GroundRig();
    other.merge(`ledger: {store: git, remote: "${rig.hub}"}`);
    await expect(other.read()).rejects.toEqual(refused('commitForeign'));
    await expect(other.run()).rejects.toEqual(refused('commitForeign'));
    expect(await rig.recordsAt('fleetform-ledger')).toHaveLength(4);
  });

  it('is not asked for where the ground was recorded outside a repository', async () => {
    const rig = new GroundRig();
    rig.write('');
    await rig.run();
    rig.commit('');
    expect(await rig.types()).toHaveLength(4);
  });
});
