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

/** A night with these documents, and what a command prints as one line. */
const night = (documents = FLEET) => {
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
  made.write('fleet/fleet.yaml', documents);
  return async (command: string) => (await made.run(command)).out.replace(/\s+/g, ' ');
};

/** The same with a canary that soaks for two weeks, and with a freeze of other dates. */
const soaking = (from: string, to: string) =>
  FLEET.replace('windows: nights}', 'windows: nights, rollout: slow}')
    .replace('2026-11-20T00:00:00', from)
    .replace('2027-01-04T08:00:00', to)
    .concat(
      'rollouts: {slow: {waves: [{name: canary, size: 2, soak: 14d}, {name: rest, percent: 100%}]}}\n',
    );

const COMMANDS = ['plan', 'status', 'plan --all'];

test.each(COMMANDS)('%s names the freeze that changes wait for now', async (command) => {
  expect(await night()(command)).toContain(
    'freeze christmas until Mon 4 Jan 2027 08:00 Europe/Berlin: 6 changes start later (c)',
  );
});

test.each(COMMANDS)(
  '%s names a freeze ahead in which a later wave would start',
  async (command) => {
    const said = await night(soaking('2026-12-04T00:00:00', '2027-01-04T08:00:00'))(command);
    expect(said).toContain(
      'freeze christmas from Fri 4 Dec 00:00 to Mon 4 Jan 2027 08:00 Europe/Berlin: 4 changes start later (c)',
    );
  },
);

test.each(COMMANDS)(
  '%s names a freeze of the canary with all that wait behind it',
  async (command) => {
    const said = await night(soaking('2026-11-23T22:00:00', '2026-11-28T00:00:00'))(command);
    expect(said).toContain('Sat 28 Nov 00:00 Europe/Berlin: 6 changes start later (c)');
  },
);

test.each(COMMANDS)('%s says nothing of a freeze that moves no change', async (command) => {
  const between = soaking('2026-11-26T00:00:00', '2026-12-03T00:00:00');
  expect(await night(between)(command)).not.toContain('freeze christmas');
});

test('a freeze of sites in two zones begins once in a calendar', async () => {
  const said = await night(FLEET.replace('2026-11-20', '2026-12-20'))('plan --horizon 60d');
  expect(said).toContain('1 freeze begins');
});
