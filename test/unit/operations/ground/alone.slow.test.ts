import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const OTHER = 'baseUrl: https://other.example.com, organization: acme';

describe('a person who works alone is asked for nothing', () => {
  it('without a remote, whatever changes', async () => {
    const rig = new GroundRig({ remote: false });
    rig.commit('');
    await rig.run();
    rig.commit('', OTHER);
    await rig.run();
    rig.write('');
    await rig.run();
    expect(await rig.types()).toHaveLength(6);
  });

  it('with a ledger in a directory and a remote, in a clone without history, too', async () => {
    const rig = new GroundRig();
    rig.merge('');
    rig.merge('pace: {requestsPerSecond: 2}');
    await rig.run();
    rig.write('pace: {requestsPerSecond: 3}');
    await rig.run();
    const shallow = rig.clone('shallow', '--depth=1');
    rig.git('-C', shallow, 'remote', 'set-url', 'origin', '/nowhere');
    await rig.run({}, shallow);
  });
});

describe('nobody works alone', () => {
  it('whose default branch has a shared ledger, though a branch leaves it', async () => {
    const rig = await begunRig();
    rig.write('', OTHER);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged', { what: 'service.ledger' }));
    rig.git('switch', '--quiet', '--force', '--orphan', 'unrelated');
    mkdirSync(join(rig.folder, 'fleet'), { recursive: true });
    rig.commit('', OTHER);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged', { what: 'service.ledger' }));
  });
});
