import { cpSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';

/** A bare repository with all branches of another one. */
function mirror(rig: GroundRig): string {
  const path = join(rig.root, 'mirror.git');
  rig.git('clone', '--quiet', '--mirror', rig.hub, path);
  return path;
}

describe('M13 the place of a ledger', () => {
  it('M1 may have another name in the record of an earlier move, too', async () => {
    const rig = await begunRig();
    rig.merge('ledger: {store: git, branch: records}');
    expect(await rig.move()).toBeGreaterThan(0);
    await rig.run();
    const renamed = join(rig.root, 'renamed.git');
    renameSync(rig.hub, renamed);
    symlinkSync(renamed, rig.hub);
    rig.git('remote', 'set-url', 'origin', renamed);
    await rig.run();
    rig.git('remote', 'set-url', 'origin', `file://${rig.root}/clone/../hub.git`);
    await rig.run();
  });

  it('is not that of a copy of an earlier day', async () => {
    const rig = await begunRig();
    const copy = mirror(rig);
    await rig.run();
    rig.git('remote', 'set-url', 'origin', copy);
    await expect(rig.read()).rejects.toEqual(refused('ledgerElsewhere'));
  });

  it('can be another one from a move on', async () => {
    const rig = await begunRig();
    rig.git('remote', 'set-url', 'origin', mirror(rig));
    expect(await rig.move()).toBeGreaterThan(0);
    await rig.run();
    rig.git('remote', 'set-url', 'origin', rig.hub);
    await expect(rig.run()).rejects.toEqual(refused('ledgerElsewhere'));
  });

  it('may have another name for one repository', async () => {
    const rig = await begunRig();
    const renamed = join(rig.root, 'renamed.git');
    renameSync(rig.hub, renamed);
    symlinkSync(renamed, rig.hub);
    rig.git('remote', 'set-url', 'origin', renamed);
    await rig.run();
    expect(await rig.types()).toHaveLength(6);
  });
});

describe('M13 the commit of a ground', () => {
  it('is looked for at the remote by a clone that has not fetched it', async () => {
    const rig = await begunRig();
    const stale = rig.clone('stale');
    rig.merge(`${GIT}, approval: plan`);
    await rig.run();
    expect(await rig.read({}, stale)).toHaveLength(7);
  });
});

describe('M13 a ledger in another repository than the documents', () => {
  it('runs in a folder deep in a repository, and in a submodule', async () => {
    const rig = new GroundRig();
    rig.merge(GIT);
    const outer = join(rig.root, 'outer');
    rig.git('init', '--quiet', outer);
    rig.git(
      '-C',
      outer,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '--quiet',
      `file://${rig.hub}`,
      'sites/fleet-repo',
    );
    rig.git('-C', outer, 'commit', '--quiet', '-m', 'outer');
    await rig.run({}, join(outer, 'sites/fleet-repo'));
    expect(await rig.types()).toHaveLength(4);
    const deep = new GroundRig();
    cpSync(join(rig.folder, 'fleet'), join(deep.folder, 'infra/cameras/fleet'), {
      recursive: true,
    });
    deep.git('add', '--all');
    deep.git('commit', '--quiet', '-m', 'deep');
    deep.git('push', '--quiet', 'origin', 'main');
    await deep.run({}, join(deep.folder, 'infra/cameras'));
    expect(await deep.recordsAt('fleetform-ledger')).toHaveLength(4);
  });

  it('runs as any other', async () => {
    const [rig, records] = [new GroundRig(), join(new GroundRig().root, 'records.git')];
    rig.git('init', '--quiet', '--bare', '--initial-branch=fleetform-ledger', records);
    rig.git('remote', 'add', 'records', records);
    rig.merge('ledger: {store: git, remote: records}');
    await rig.run();
    await rig.run();
    expect(await rig.types()).toHaveLength(6);
    rig.git('worktree', 'add', '--quiet', join(rig.root, 'tree'), '-b', 'other');
    expect(await rig.read({}, join(rig.root, 'tree'))).toHaveLength(6);
  });
});
