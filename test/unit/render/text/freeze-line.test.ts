import { expect, test } from 'vitest';
import { createNight } from '../../../support/night.ts';

const FLEET = `service: {baseUrl: "https://twin.test", organization: acme}
sites:
  HQ Berlin: {timeZone: Europe/Berlin}
  Plant Gdansk: {timeZone: Europe/Helsinki}
windows: {nights: {allow: [{days: [mon, tue, wed, thu, fri, sat, sun], from: "01:00", to: "05:00"}]}}
firmware:
  axis: {select: {deviceType: camera}, version: approved, windows: nights}
freezes:
  christmas: {from: "2026-11-20T00:00:00", to: "2027-01-04T08:00:00", reason: c, owner: secops, ticket: T-1}
`;

const night = () => {
  const made = createNight({
    devices: 6,
    sites: 1,
    every: () => ({
      condition: 'well',
      deviceType: 'camera',
      vendor: 'Axis',
      model: 'P3265-LVE',
      firmwareVersion: '11.8.61',
    }),
  });
  made.write('fleet/fleet.yaml', FLEET);
  return made;
};

test.each(['plan', 'status'])(
  '%s names the freeze that later changes wait for',
  async (command) => {
    const { out } = await night().run(command);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Freeze christmas until Mon 4 Jan 2027 08:00 Europe/Berlin: 6 changes wait',
    );
  },
);

test('a freeze of sites in two zones begins once in a calendar', async () => {
  const started = night();
  started.write('fleet/fleet.yaml', FLEET.replace('2026-11-20', '2026-12-20'));
  const { out } = await started.run('plan --horizon 60d');
  expect(out.replace(/\s+/g, ' ')).toContain('1 freeze begins');
});
