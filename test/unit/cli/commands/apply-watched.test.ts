import { expect, it } from 'vitest';
import { createNight } from '../../../support/night.ts';

const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme, ledger: {store: directory, path: ledger}}
sites: {HQ Berlin: {timeZone: Europe/Berlin}}
rollouts: {quick: {gate: {consecutiveOk: 1}, waves: [{name: canary, size: 1, soak: 1m}, {name: rest, percent: 100%}]}}
firmware: {axis: {select: {device: [dev-1, dev-2]}, version: "11.11.160", rollout: quick, windows: anytime}}
`;

it.each([
  [['dev-1', 'dev-2'], 'yes', {}, 'apply'],
  [['dev-1', 'dev-2'], 'yes', {}, 'apply --yes'],
  [1, 'yes', {}, 'apply --wait 0s'],
  [1, 'yes', { CI: 'true' }, 'apply --yes --lock-wait 0s'],
  [1, undefined, {}, 'apply --yes'],
] as const)('changes %j: with the answer %s and %j, `%s`', async (changed, answer, env, line) => {
  const night = createNight({
    devices: 2,
    sites: 1,
    every: () => ({
      vendor: 'Axis',
      model: 'P3265-LVE',
      deviceType: 'camera',
      firmwareVersion: '11.8.61',
      condition: 'well',
      maintenance: false,
      silent: false,
    }),
    env,
    ...(answer !== undefined && { answer }),
  });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const { out, err } = await night.run(line);
  const done = ['dev-1', 'dev-2'].filter(
    (id) => night.twin.world.device(id)?.firmwareVersion === '11.11.160',
  );
  expect(typeof changed === 'number' ? done.length : done, out + err).toEqual(changed);
});
