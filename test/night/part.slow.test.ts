import { describe, expect, it } from 'vitest';
import { createNight, type Night } from '../support/night.ts';
import { CAMERA } from '../support/night-leak.ts';

const PATIENCE = { timeout: 600_000 };

/** Firmware for all cameras at once, and passwords that a single read decides about. */
const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme}
rollouts: {at-once: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 50}}
budgets: {default-site: {per: site, maxUnavailable: 100%}, default-fleet: {per: fleet, maxInFlight: 50}}
guardrails: {default: {maxPercentOfFleet: 100%, maxPercentOfSite: 100%, maxSitesAtOnce: 100}}
rotations: {passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, spread: 0d, rollout: at-once, windows: anytime}}
`;

/** 600 cameras at six sites whose passwords are all too old. */
function sixSites(): Night {
  const night = createNight({
    devices: 600,
    sites: 6,
    every: () => ({
      ...CAMERA,
      accounts: [
        {
          userName: 'root',
          lastChanged: Date.parse('2026-05-01T08:00:00Z'),
          expiry: Date.parse('2036-05-01T08:00:00Z'),
        },
      ],
    }),
  });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  return night;
}

const singles = (requests: readonly string[]): readonly string[] =>
  requests.flatMap((path) => /^GET \/v1\/devices\/([^/]+)\/\w+/.exec(path)?.[1] ?? []);

describe('a part of the fleet at one request a second', PATIENCE, () => {
  it('N36 is planned in two minutes, where the whole takes ten', async () => {
    const night = sixSites();
    const part = await night.run(['plan', '--site', siteName(night, 1), '-o', 'part.json']);
    expect(part.exit, part.err).toBe(0);
    const here = at(night, 1);
    expect(new Set(singles(part.requests))).toEqual(here);
    expect(part.requests.length).toBeLessThanOrEqual(here.size + 6);
    expect(part.took).toBeLessThan(125_000);
    const whole = await night.run('plan --max-reads 10000');
    // What the part has read is known: only the others are read.
    expect(singles(whole.requests).filter((id) => here.has(id))).toEqual([]);
    expect(whole.took).toBeGreaterThan(450_000);
  });

  it('N40 is done with exit 0, although the rest of the fleet is not', async () => {
    const night = sixSites();
    const apply = await night.run(['apply', '--site', siteName(night, 1), '--yes']);
    expect(apply.exit, apply.out).toBe(0);
    expect(devicesWithTasks(night)).toEqual(at(night, 1));
    expect(apply.out).toContain(' 100 devices verified');
  });

  it('N35 of a saved part only what is narrowed runs, and nothing of another part', async () => {
    const night = sixSites();
    await night.run(['plan', '--site', siteName(night, 1), '-o', 'part.json']);
    const [first = '', second = ''] = at(night, 1);
    const [other = ''] = at(night, 2);
    const narrow = ['--device', first, '--device', second, '--device', other];
    const apply = await night.run(['apply', 'part.json', ...narrow, '--yes']);
    expect(apply.exit, apply.out).toBe(0);
    expect(devicesWithTasks(night)).toEqual(new Set([first, second]));
    const hinted = /next: (.*)/.exec(apply.out)?.[1] ?? '';
    expect(hinted).not.toContain('undefined');
  });

  it('N36 ci plan saves the part, and its report and plan say so', async () => {
    const night = sixSites();
    const ci = await night.run(['ci', 'plan', '--site', siteName(night, 1), '--out', 'ci.json']);
    expect(ci.exit, ci.err).toBe(0);
    const shown = await night.run('show ci.json --format md');
    expect(shown.out).toContain('Only a part of the fleet');
    const text = await night.run('show ci.json');
    expect(text.out).toContain('500 devices are outside this part');
  });

  it('N29 a file that cannot be written ends a command before any request', async () => {
    const night = sixSites();
    for (const command of [
      'plan -o nowhere/plan.json',
      'plan --save-snapshot nowhere/fleet.snapshot',
      'drift -o nowhere/plan.json',
      'drift --save-snapshot nowhere/fleet.snapshot',
      'ci plan --out nowhere/plan.json',
      'ci plan --report nowhere/plan.html',
      'ci drift --out nowhere/plan.json',
    ]) {
      const { exit, err, requests } = await night.run(command);
      expect([command, exit, requests], err).toEqual([command, 1, []]);
      expect(err).toContain('error[fileRefused]');
    }
  });

  it('N85 the command of the next step keeps the part and the limits of reading', async () => {
    const night = sixSites();
    const limits = ['--max-reads', '7', '--max-age', '3d'];
    const apply = await night.run(['apply', '--site', siteName(night, 1), '--yes', ...limits]);
    expect(apply.out).toContain('Later: 93');
    expect(apply.out.replaceAll(/\s+/g, ' ')).toContain('--max-reads 7 --max-age 3d` reads 93');
    const held =
      'freezes: {now: {from: "2026-11-20T00:00:00Z", to: "2026-11-25T00:00:00Z", reason: r, owner: o, ticket: T-1}}';
    night.write('fleet/beside.yaml', `${held}\n`);
    const again = await night.run(['apply', '--site', siteName(night, 2), '--yes', ...limits]);
    expect(again.out).toContain('--max-reads 7 --max-age 3d');
  });

  it('N36 a pause holds a part as it holds the whole', async () => {
    const night = sixSites();
    await night.run(['pause', 'rotations.passwords', '--reason', 'wrong list']);
    await night.run(['apply', '--site', siteName(night, 1), '--yes']);
    expect(devicesWithTasks(night)).toEqual(new Set());
  });

  it('N34 what names nothing ends before any single read', async () => {
    const night = sixSites();
    for (const part of ['--site Nowhere', '--device dev-9999', '--only firmware.none']) {
      const plan = await night.run(`plan ${part}`);
      expect(plan.exit).toBe(1);
      expect(singles(plan.requests)).toEqual([]);
    }
  });
});

function siteName({ twin }: Night, id: number): string {
  return twin.world.state.sites.find((site) => site.id === id)?.name ?? '';
}

function at({ twin }: Night, siteId: number): ReadonlySet<string> {
  const here = twin.world.state.devices.filter((device) => device.siteId === siteId);
  return new Set(here.map(({ id }) => id));
}

function devicesWithTasks({ twin }: Night): ReadonlySet<string> {
  const tasks = twin.world.state.tasks.flatMap(({ deviceTasks }) => deviceTasks);
  return new Set(tasks.map(({ deviceId }) => deviceId));
}
