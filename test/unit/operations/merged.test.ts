import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkMerged } from '../../../src/operations/gate/merged.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

test('N75 only what was merged into the default branch is shown and approved', async () => {
  const place = scratchFolder('merged');
  const [bare, clone] = [join(place, 'hub.git'), join(place, 'clone')];
  gitIn(place, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  gitIn(place, 'init', '--quiet', '--initial-branch=main', clone);
  gitIn(clone, 'remote', 'add', 'origin', bare);
  mkdirSync(join(clone, 'fleet'));
  const commit = (text: string): { readonly commit: string; readonly dirty: boolean } => {
    writeFileSync(join(clone, 'fleet', 'a.yaml'), text);
    gitIn(clone, 'add', '-A');
    gitIn(clone, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', text);
    return { commit: gitIn(clone, 'rev-parse', 'HEAD').trim(), dirty: false };
  };
  const folder = join(clone, 'fleet');
  const service = { value: { ledger: { store: 'git' } } };
  const documents = { folder, service } as unknown as Documents;
  const shell = { cwd: clone, env: process.env } as unknown as Shell;
  const merged = commit('one');
  gitIn(clone, 'push', '--quiet', 'origin', 'main');
  gitIn(clone, 'fetch', '--quiet', 'origin');
  expect(await checkMerged(shell, documents, merged)).toBe(merged.commit);
  const refused = (why?: string) =>
    expect.objectContaining({
      code: 'commitNotMerged',
      params: why === undefined ? expect.anything() : expect.objectContaining({ why }),
    });
  await expect(checkMerged(shell, documents, { ...merged, dirty: true })).rejects.toEqual(
    refused('dirty'),
  );
  await expect(checkMerged(shell, documents, undefined)).rejects.toEqual(refused('noCommit'));
  await expect(checkMerged(shell, documents, commit('two'))).rejects.toEqual(refused());
});
