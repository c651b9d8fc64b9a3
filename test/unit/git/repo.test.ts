import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repo.ts';
import { scratchFolder } from '../../support/scratch.ts';

const root = scratchFolder('git');
const outside = scratchFolder('none');
const env = {
  ...process.env,
  EDITOR: 'vi',
  GIT_ASKPASS: '/bin/false',
  FLEETFORM_CLIENT_SECRET: 'hush',
};

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' });
}

beforeAll(() => {
  git('init', '--quiet');
  mkdirSync(join(root, 'fleet'));
  writeFileSync(join(root, 'fleet', 'fleet.yaml'), 'service: {}\n');
  writeFileSync(join(root, 'other.txt'), 'other\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
});

describe('openRepository', () => {
  it('tells the commit, and that nothing has changed since', async () => {
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await openRepository(root, env).head()).toEqual({ commit, dirty: false });
  });

  it('runs no program that the clone names to find out', async () => {
    const [ran, program] = [join(outside, 'ran'), join(outside, 'program')];
    writeFileSync(program, `#!/bin/sh\ntouch "${ran}"\nexit 1\n`, { mode: 0o755 });
    mkdirSync(join(root, '.git', 'info'), { recursive: true });
    writeFileSync(
      join(root, '.git', 'info', 'attributes'),
      '*.yaml filter=a=b\n*.yaml filter=own\n',
    );
    for (const key of [
      'core.fsmonitor',
      'filter.own.clean',
      'filter.own.process',
      'filter.a=b.clean',
    ])
      git('config', key, program);
    git('config', 'filter.own.required', 'true');
    const text = 'service: {}\n';
    writeFileSync(join(root, 'fleet', 'fleet.yaml'), 'service: {other: 1}\n');
    expect(await openRepository(root, env).head()).toMatchObject({ dirty: true });
    writeFileSync(join(root, 'fleet', 'fleet.yaml'), text);
    expect(await openRepository(root, env).head()).toMatchObject({ dirty: false });
    expect(existsSync(ran)).toBe(false);
    for (const section of ['filter.own', 'filter.a=b']) git('config', '--remove-section', section);
    git('config', '--unset', 'core.fsmonitor');
    rmSync(join(root, '.git', 'info', 'attributes'));
  });

  it('gives the files of one folder as they stand at a commit', async () => {
    writeFileSync(join(root, 'fleet', 'fleet.yaml'), 'service: {changed: true}\n');
    const files = await openRepository(root, env).filesAt('HEAD', 'fleet');
    expect([...(files?.texts ?? [])]).toEqual([['fleet/fleet.yaml', 'service: {}\n']]);
  });

  it('gives files in folders and of any name, names a link that leaves, and has nothing for a folder not there', async () => {
    mkdirSync(join(root, 'fleet', 'emea'));
    writeFileSync(join(root, 'fleet', 'emea', 'Zürich "x".yaml'), 'sites: {}\n');
    symlinkSync('/etc/hostname', join(root, 'fleet', 'link.yaml'));
    git('add', 'fleet');
    git('commit', '--quiet', '-m', 'more');
    const repository = openRepository(root, env);
    const files = await repository.filesAt('HEAD', 'fleet');
    expect([...(files?.texts.keys() ?? [])]).toEqual([
      'fleet/emea/Zürich "x".yaml',
      'fleet/fleet.yaml',
    ]);
    expect(files?.links).toEqual([{ path: 'fleet/link.yaml', problem: 'leaves' }]);
    expect(files?.texts.get('fleet/emea/Zürich "x".yaml')).toBe('sites: {}\n');
    expect(await repository.filesAt('HEAD', 'nowhere')).toEqual({
      texts: new Map(),
      links: [],
    });
    const below = await openRepository(join(root, 'fleet'), env).filesAt('HEAD', 'emea');
    expect([...(below?.texts.keys() ?? [])]).toEqual(['emea/Zürich "x".yaml']);
    rmSync(join(root, 'fleet', 'link.yaml'));
    git('commit', '--quiet', '-am', 'no link');
  });

  it('calls a changed or a new document dirty, but not a change elsewhere', async () => {
    const repository = openRepository(join(root, 'fleet'), env);
    git('checkout', '--quiet', '--', '.');
    writeFileSync(join(root, 'other.txt'), 'changed\n');
    expect((await repository.head())?.dirty).toBe(false);
    writeFileSync(join(root, 'fleet', 'new.yaml'), 'sites: {}\n');
    expect((await repository.head())?.dirty).toBe(true);
    rmSync(join(root, 'fleet', 'new.yaml'));
  });

  it('answers undefined outside a repository and for an unknown commit', async () => {
    expect(await openRepository(outside, env).head()).toBeUndefined();
    expect(await openRepository(root, env).filesAt('no-such-ref', 'fleet')).toBeUndefined();
  });
});
