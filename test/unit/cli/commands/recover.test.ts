import { expect, it } from 'vitest';
import { createNight } from '../../../support/night.ts';

const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: anytime}}
`;

it('M32 a run that only finishes tasks has not read the fleet, and misses none of its devices', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  await night.run('apply --yes');
  await night.run(['pause', 'firmware.axis', '--reason', 'odd']);
  const bare = await night.run('recover');
  expect([bare.exit, bare.out]).toEqual([0, expect.not.stringContaining('REFUSED')]);
  const lifted = await night.run(['unpause', 'firmware.axis', '--reason', 'fine']);
  expect([lifted.exit, lifted.out]).toEqual([0, expect.not.stringContaining('REFUSED')]);
});
