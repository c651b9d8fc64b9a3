import { expect, it } from 'vitest';
import { createNight, type Command } from '../../../support/night.ts';

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
  // The paused changes wait, and it has not looked.
  expect(bare.out).toContain('next: `fleetform plan` shows what is left');
  const lifted = await night.run(['unpause', 'firmware.axis', '--reason', 'fine']);
  expect([lifted.exit, lifted.out]).toEqual([0, expect.not.stringContaining('REFUSED')]);
});

const TWO = `service: {baseUrl: "https://twin.test", organization: acme, ledger: {store: directory, path: ledger}}
windows: {nights: {timeZone: UTC, allow: [{from: "20:05", to: "02:00"}]}}
firmware:
  axis: {select: {device: [dev-1, dev-2]}, version: "11.11.160", windows: anytime}
  late: {select: {device: dev-3}, version: "11.11.160", windows: nights}
`;

const AXIS = {
  vendor: 'Axis',
  model: 'P3265-LVE',
  deviceType: 'camera',
  firmwareVersion: '11.8.61',
  condition: 'well',
  maintenance: false,
} as const;

it.each(['text', 'json'])(
  'N64 goes through while a run is at work, and leaves the open tasks to that run (%s)',
  async (format) => {
    const lines: Promise<Command>[] = [];
    let isDue = false;
    const night = createNight({
      devices: 3,
      sites: 1,
      every: () => AXIS,
      async through(request, handle) {
        if (isDue && new URL(request.url).pathname === '/v1/sites') {
          isDue = false;
          lines.push(night.run(unpause), night.run('audit'));
        }
        return handle(request);
      },
    });
    night.write('fleet/fleet.yaml', TWO);
    await night.run(['pause', 'firmware.axis', '--reason', 'odd']);
    const unpause = ['unpause', 'firmware.axis', '--reason', 'fine', '--format', format];
    isDue = true;
    const applied = await night.run('apply --yes --wait 10m');
    const [unpaused, audit] = await Promise.all(lines);
    expect(unpaused?.exit, unpaused?.err).toBe(0);
    expect(unpaused?.err).toContain('Unpaused: firmware.axis (paused by operator 1).');
    expect(unpaused?.err).toContain('has been running since');
    const lifted = { lifted: [{ scope: 'firmware.axis', what: 'pause' }] };
    if (format === 'json') expect(JSON.parse(unpaused?.out ?? '')).toMatchObject(lifted);
    expect(audit?.out).toMatch(/^Run 1 \(operator 2 .* has been running since/m);
    expect(applied.err).toContain('started: firmware.axis');
    expect((await night.run('audit')).out).not.toMatch(/running|did not end/);
  },
);
