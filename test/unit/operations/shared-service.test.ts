import { expect, it } from 'vitest';
import { createNight } from '../../support/night.ts';

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
