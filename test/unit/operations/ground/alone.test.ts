import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const OTHER = 'baseUrl: https://other.example.com, organization: acme';

describe('a person who works alone is asked for nothing', () => {
  it('outside of a repository, and before the first commit', async () => {
    const rig = new GroundRig({ remote: false });
    rig.write('');
    await rig.run();
    rmSync(join(rig.folder, '.git'), { recursive: true });
    await rig.run();
    rig.write('', OTHER);
    await rig.run();
    expect(await rig.types()).toHaveLength(4);
  });

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

describe('a request chooses no service for a person who works alone', () => {
  it('M3 whose clone knows the default branch: the newest commit there names it', async () => {
    const rig = new GroundRig();
    rig.merge('');
    await rig.run();
    rig.write('', OTHER);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged', { what: 'service.baseUrl' }));
    await expect(rig.run()).rejects.toEqual(refused('groundChanged', { what: 'service.baseUrl' }));
    rig.merge('', OTHER);
    await rig.run();
  });

  it('M3 by another folder, or a link to one: the folders of the default branch name it', async () => {
    for (const ledger of ['', 'ledger: {store: git}']) {
      const rig = new GroundRig();
      rig.merge(ledger);
      rig.git('mv', 'fleet', 'docs-x');
      symlinkSync('docs-x', join(rig.folder, 'fleet'));
      await rig.read();
      rig.write(ledger, OTHER);
      const changed = refused('groundChanged', { what: 'service.baseUrl' });
      await expect(rig.read()).rejects.toEqual(changed);
      await expect(rig.run()).rejects.toEqual(changed);
    }
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

  it('in a job', async () => {
    const rig = new GroundRig({ env: { CI: 'true' } });
    rig.merge('ledger: {path: records}');
    await rig.run();
    rig.write('ledger: {path: records}', OTHER);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged', { what: 'service.baseUrl' }));
  });
});
