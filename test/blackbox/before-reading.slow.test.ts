import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { builtEntry } from '../support/blackbox-build.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const hub = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(hub, { devices: 3000 });
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

describe('a command that cannot come to anything', () => {
  it('is told so before a single device is read: a name of several devices', async () => {
    const { code, err } = await hub.run('why dock-cam-01 --trace why.jsonl', twin.as('admin'));
    expect([code, err]).toEqual([1, expect.stringContaining('error[deviceUnknown]')]);
    const paths = hub.trace('why.jsonl').map(({ path }) => path);
    expect(paths).toContain('/v1/devices');
    expect(paths.filter((path) => path.startsWith('/v1/devices/'))).toEqual([]);
  });

  it.each(['nowhere/plan.json', 'fleet'])('sends nothing: plan -o %s', async (file) => {
    const { code, err } = await hub.run(`plan -o ${file} --trace out.jsonl`, twin.as('admin'));
    expect([code, err]).toEqual([1, expect.stringContaining('error[fileRefused]')]);
    expect(hub.trace('out.jsonl')).toEqual([]);
  });
});

describe('a command that only reads, in a repository without the remote of its ledger', () => {
  it('says so, takes the ledger for empty, and is not saved', async () => {
    using place = createPlace();
    spawnSync('git', ['init', '--quiet', place.folder]);
    place.edit(
      'fleet/service.yaml',
      'organization: acme',
      'organization: acme\n  ledger: {store: git}',
    );
    const plain = await place.run('plan --all', twin.as('admin'));
    expect([plain.code, plain.err]).toEqual([0, expect.stringContaining('lacks the remote')]);
    expect(plain.out).toContain('  service    acme at ');
    for (const reading of ['status', 'drift', 'why dev-1']) {
      const { code, out, err } = await place.run(reading, twin.as('admin'));
      const told = expect.stringContaining('lacks the remote');
      expect([reading, code, err]).toEqual([reading, 0, told]);
      expect(out).not.toBe('');
    }
    const drift = await place.run('drift -o plan.json', twin.as('admin'));
    expect([drift.code, existsSync(place.path('plan.json'))]).toEqual([9, false]);
    const apply = await place.run('apply --yes', twin.as('admin'));
    expect(apply.code).toBe(9);
    const saved = await place.run('plan -o plan.json', twin.as('admin'));
    expect([saved.code, existsSync(place.path('plan.json'))]).toEqual([9, false]);
    spawnSync('git', ['-C', place.folder, 'remote', 'add', 'origin', place.path('none.git')]);
    expect((await place.run('plan', twin.as('admin'))).code).toBe(9);
  });
});

describe('a reader who has seen enough', () => {
  it('ends get silently, and with 0', PATIENCE, () => {
    const get = `"${process.execPath}" "${builtEntry()}" get devices -o ndjson`;
    const line = `{ ${get}; echo "exit $?" >&2; } | head -n 1`;
    const env = { PATH: process.env['PATH'], HOME: hub.folder, ...twin.as('admin') };
    const { stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: hub.folder,
      encoding: 'utf8',
      env,
    });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('exit 0\n');
  });
});
