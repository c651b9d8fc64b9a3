import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import { findSharedService } from '../../../src/operations/shared-service.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createNight } from '../../support/night.ts';
import { whileUnreadable } from '../../support/unreadable.ts';

const service = (baseUrl: string, organization = 'acme') => `service:
  baseUrl: ${baseUrl}
  organization: ${organization}
  pace: {requestsPerSecond: 100, tokenRequestsPerMinute: 60}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: never, rationale: x, generation: 2, windows: anytime}
`;

it('two fleets for one organization of one service are an error of both, and only what stops goes on (protocol M14)', async () => {
  const night = createNight({ devices: 3, sites: 1 });
  night.write('fleet/acme/fleet.yaml', service('https://twin.test'));
  night.write('fleet/copy/deep/service.yaml', service('HTTPS://Twin.Test:443/'));
  night.write('fleet/globex/fleet.yaml', service('https://twin.test', 'globex'));
  night.write('fleet/other/fleet.yaml', service('https://other.test'));
  night.write('fleet/_shared/old/fleet.yaml', service('https://twin.test'));
  const { exit, out } = await night.run('validate --all-fleets --format json');
  const { fleets } = JSON.parse(out) as {
    readonly fleets: readonly {
      readonly name: string;
      readonly result: { readonly diagnostics: readonly Record<string, unknown>[] };
    }[];
  };
  const found = fleets.flatMap(({ name, result }) =>
    result.diagnostics.map(({ code, params }) => ({ name, code, params })),
  );
  expect(exit).toBe(1);
  expect(found.filter(({ code }) => code === 'serviceShared')).toMatchObject([
    { name: 'acme', params: { folder: 'fleet/copy' } },
    { name: 'copy', params: { folder: 'fleet/acme' } },
  ]);
  for (const command of ['plan', 'apply --yes', 'ci apply']) {
    const { exit, err, requests } = await night.run(`${command} --fleet fleet/acme`);
    expect([exit, requests]).toEqual([1, []]);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'error[serviceShared]: fleet/copy is for the same service and organization: acme.',
    );
  }
  expect((await night.run('plan --fleet fleet/globex')).err).not.toContain('serviceShared');
  const paused = await night.run('pause fleet --reason copied --fleet fleet/acme');
  expect([paused.exit, paused.err]).toEqual([0, expect.not.stringContaining('serviceShared')]);
});

/** What two fleets of one repository, for one organization, say when a command for one of them runs in a folder. */
function twoFleets() {
  const night = createNight({ devices: 1, sites: 1 });
  mkdirSync(join(night.folder, '.git'));
  for (const name of ['acme', 'copy'])
    night.write(`fleet/${name}/fleet.yaml`, service('https://twin.test'));
  const found = async (at: string, fleet: string): Promise<readonly unknown[]> => {
    const loaded = await loadFleet(join(night.folder, 'fleet/acme'));
    return findSharedService({ cwd: join(night.folder, at) } as Shell, fleet, loaded);
  };
  return { night, found };
}

it.each([
  ['the root', '.', 'fleet/acme/', 'fleet/copy'],
  ['the folder of both', 'fleet', 'acme', './copy'],
  ['the fleet itself', 'fleet/acme', '.', '../copy'],
  ['another folder', 'fleet/copy', '../acme', '../copy'],
])('is found from %s, however the folder is written', async (_, at, fleet, folder) => {
  const { found } = twoFleets();
  expect(await found(at, fleet)).toMatchObject([{ params: { folder } }]);
});

it.each(['fleet/copy', 'fleet/copy/fleet.yaml'])(
  'a fleet beside it that this user may not read stops with its path: %s',
  async (path) => {
    const { night, found } = twoFleets();
    chmodSync(night.folder, 0o755);
    const file = join(night.folder, path);
    const result = await whileUnreadable(file, () => found('.', 'fleet/acme'));
    expect(result).toMatchObject({
      code: 'fileUnreadable',
      params: { file, why: 'EACCES' },
    });
  },
);
