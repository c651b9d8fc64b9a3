import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GroundRig, refused } from '../../../support/ground-rig.ts';

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
  it('in a job', async () => {
    const rig = new GroundRig({ env: { CI: 'true' } });
    rig.merge('ledger: {path: records}');
    await rig.run();
    rig.write('ledger: {path: records}', OTHER);
    await expect(rig.read()).rejects.toEqual(refused('groundChanged', { what: 'service.baseUrl' }));
  });
});
