import { describe, expect, it } from 'vitest';
import { tenantFingerprint } from '../../src/ledger/ground-due.ts';
import { createNight, EVENING, type Night } from '../support/night.ts';
import { CAMERA } from '../support/night-leak.ts';

const PATIENCE = { timeout: 600_000 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEVICES = 4_000;

/** A password rotation, a certificate rotation and a firmware policy on every camera. */
const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
firmware: {all: {select: {deviceType: camera}, version: approved, windows: nights}}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, spread: 0d, windows: nights}
  certificates: {task: rotateSslCertificate, select: {deviceType: camera}, renewBefore: 30d, spread: 0d, windows: nights}
`;

/** Cameras whose passwords and certificates are young, but for the first so many. */
function fleetOf(devices: number, due = 0): Night {
  const night = createNight({
    devices,
    sites: 20,
    every: ({ accounts: _ }, index) => ({
      ...CAMERA,
      accounts: [
        {
          userName: 'root',
          // Those that are due become so in three days and a half.
          lastChanged: EVENING - (index < due ? 177 : 10) * DAY + DAY / 2,
          expiry: EVENING + 3_650 * DAY,
        },
      ],
      ssl: { serial: `s${index}`, notBefore: EVENING - 10 * DAY, notAfter: EVENING + 300 * DAY },
    }),
  });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  return night;
}

const singles = (requests: readonly string[]): readonly string[] =>
  requests.filter((path) => /^GET \/v1\/devices\/[^/]+\/\w+/.test(path));

const notRead = (text: string): number =>
  Number(/([\d,]+)\s+not\s+read\s+yet/.exec(text)?.[1]?.replace(',', '') ?? 0);

describe('known facts at one request a second', PATIENCE, () => {
  it('N18 a second plan of 4,000 devices makes the lists and what is due today', async () => {
    const night = fleetOf(DEVICES, 12);
    const first = await night.run('plan --max-reads 20000');
    expect(first.requests.length).toBeGreaterThan(DEVICES);
    expect(first.took).toBeGreaterThan(HOUR);
    const most = Math.ceil(DEVICES / 990) + 10;
    const second = await night.run('plan');
    expect(second.requests.length).toBeLessThanOrEqual(most);
    expect(second.took).toBeLessThan(20_000);
    // Three days later twelve passwords are due within the day: they are read again, and no others.
    night.skip(2 * DAY + 20 * HOUR);
    const third = await night.run('plan');
    expect(singles(third.requests)).toHaveLength(12);
    expect(third.requests.length).toBeLessThanOrEqual(most + 12);
    expect(third.err.replace(/\s+/g, ' ')).toContain(
      '12 single reads at 1 a second: about 12 seconds (service.pace); 12 of them needed today',
    );
  });

  it('N23 1,700 keys are known after six plans, or three runs of apply', async () => {
    const byPlan = fleetOf(1_700);
    const left: number[] = [];
    for (let run = 0; run < 6; run += 1) left.push(notRead((await byPlan.run('plan --all')).out));
    expect(left.at(-2)).toBeGreaterThan(0);
    expect(left.at(-1)).toBe(0);
    const byApply = fleetOf(1_700);
    for (let run = 0; run < 3; run += 1) await byApply.run('apply --yes');
    expect(notRead((await byApply.run('plan --all --max-reads 0')).out)).toBe(0);
  });

  it('N8 what was read in one hour does not grow too old in one hour', async () => {
    const night = fleetOf(500);
    await night.run('plan --max-reads 5000');
    const reads: number[] = [];
    for (let hour = 0; hour < 8; hour += 1) {
      night.skip(hour === 0 ? 5.25 * DAY : 5 * HOUR);
      reads.push(singles((await night.run('plan --max-reads 5000')).requests).length);
    }
    // Over a quarter of seven days: no reading has more than a third of them.
    expect(Math.max(...reads)).toBeLessThan(350);
    expect(reads.filter((count) => count > 0).length).toBeGreaterThanOrEqual(6);
  });

  it('N19 twenty new devices beside 4,000 known ones are read in the first run', async () => {
    const night = fleetOf(DEVICES);
    await night.run('plan --max-reads 20000');
    for (const device of night.twin.world.state.devices.slice(0, 20)) device.model = 'M3086-V';
    const plan = await night.run('plan --all --max-reads 100');
    expect(notRead(plan.out)).toBe(0);
    expect(singles(plan.requests).length).toBeLessThanOrEqual(61);
  });
});

it('M25 48 false values, one contradicted: the next run believes none', PATIENCE, async () => {
  const night = fleetOf(48);
  night.write(
    'fleet/fleet.yaml',
    DOCUMENTS.replace(/^ {2}certificates: .*$/m, '').replace(/^firmware: .*$/m, ''),
  );
  await night.run('apply --yes');
  const tenant = tenantFingerprint({ origin: 'https://twin.test', organization: 'acme' });
  const file = `.fleetform/${tenant.slice(0, 12)}/facts.jsonl`;
  night.skip(DAY);
  night.write(
    file,
    night.read(file).replaceAll(/"changed":"[^"]*"/g, '"changed":"2026-11-23T19:00:00Z"'),
  );
  expect(notRead((await night.run('plan --all --max-reads 0')).out)).toBe(0);
  await night.run('apply --yes --max-reads 1');
  night.skip(HOUR);
  const { err } = await night.run('apply --yes --max-reads 1');
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(
    /second read contradicts .* No longer believed: 4\d stored dates/,
  );
  const next = await night.run('plan --all --max-reads 0');
  expect(next.out).toMatch(/^No changes so far: \d of 48 devices are read\./);
  expect(notRead(next.out)).toBeGreaterThan(40);
});
