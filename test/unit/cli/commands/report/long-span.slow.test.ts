import { expect, it } from 'vitest';
import { createNight } from '../../../../support/night.ts';

const HOUR = 3_600_000;
/** A reading every sixth day for two months; a state holds until the next one. */
const STEP = 6 * 24;
const STEPS = 10;
const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600}
sites: {HQ Berlin: {timeZone: Europe/Berlin}}
`;

/** Four cameras at one site: the second is in maintenance in steps 0 and 5, the third down in the last two. */
async function readTwoMonths() {
  const night = createNight({
    devices: 4,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', silent: false, maintenance: false }),
  });
  night.write('fleet/fleet.yaml', FLEET);
  const files: string[] = [];
  for (let step = 0; step <= STEPS; step += 1) {
    const [, second, third] = night.twin.world.state.devices;
    if (!second || !third) throw new Error('no devices');
    second.maintenance = step % 5 === 0;
    third.condition = step >= STEPS - 2 ? 'dead' : 'well';
    const { exit, err } = await night.run(`plan --save-snapshot step-${step}.snapshot`);
    expect(exit, err).toBe(0);
    files.push('--snapshot', `step-${step}.snapshot`);
    night.skip(STEP * HOUR);
  }
  return { night, files };
}

it('availability over two months of real snapshots leaves maintenance out and counts what was down', async () => {
  const { night, files } = await readTwoMonths();
  const command = ['report', 'availability', ...files, '--max-gap', '145h', '--format', 'json'];
  const { totals } = JSON.parse((await night.run(command)).out) as {
    readonly totals: readonly Readonly<Record<string, number>>[];
  };
  const [all] = totals;
  const whole = 4 * STEP * STEPS;
  const maintenance = 2 * STEP;
  const down = 2 * STEP;
  const hours = (name: string): number => Math.round((all?.[name] ?? 0) / 24) * 24;
  expect(hours('maintenanceHours')).toBe(maintenance);
  expect(hours('downHours')).toBe(down);
  expect(hours('upHours')).toBe(whole - maintenance - down);
  const share = (100 * (whole - maintenance - down)) / (whole - maintenance);
  expect(all?.['availability']).toBeCloseTo(share, 0);
  const { out } = await night.run(['report', 'availability', ...files, '--max-gap', '145h']);
  expect(out).toContain('and 6 more snapshots');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
