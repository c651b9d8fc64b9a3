import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitIn } from '../../../support/blackbox-record.ts';
import { createNight } from '../../../support/night.ts';

const SERVICE = 'service: {baseUrl: "https://twin.test", organization: acme}\n';
const AXIS = 'axis: {select: {vendor: Axis}, version: "11.11.160", windows: anytime}';

it('M26 a policy that wins the devices of a paused one says that it passes the pause', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  night.write('fleet/fleet.yaml', `${SERVICE}firmware: {${AXIS}}\n`);
  await night.run(['pause', 'firmware.axis', '--reason', 'odd']);
  const held = await night.run('plan');
  expect(held.out).not.toContain('the pause of');
  const other = AXIS.replace('axis:', 'other:').replace('windows:', 'priority: 700, windows:');
  night.write('fleet/fleet.yaml', `${SERVICE}firmware: {${AXIS}, ${other}}\n`);
  const decoy = await night.run('plan');
  expect(decoy.out).toContain('the pause of firmware.axis (firmware.other)');
});

it('--detailed-exitcode ends with 2 where all that is left needs a person', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const nights = 'windows: {nights: {allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}';
  const policy = AXIS.replace('anytime', 'nights');
  night.write('fleet/fleet.yaml', `${SERVICE}${nights}\nfirmware: {${policy}}\n`);
  const { exit, out } = await night.run('plan --detailed-exitcode');
  expect(out).toContain('need a person');
  expect(exit).toBe(2);
  expect((await night.run('plan')).exit).toBe(0);
});

it('M33 a run that leaves nothing but what is acknowledged ends with 0, as its plan does', async () => {
  const night = createNight({ devices: 60, sites: 2 });
  const service = SERVICE.replace('acme', 'acme, needsYouAfter: 1h');
  const rotation =
    'pw: {task: rotatePassword, select: {deviceType: camera}, maxAge: 3650d, generation: 2, windows: anytime}';
  const free =
    'rollouts: {default: {canary: none, waves: [{name: all, percent: 100%}]}}\nbudgets: {default-site: {per: site, maxUnavailable: 100%}}\nguardrails: {default: {maxPercentOfFleet: 100%}}';
  const documents = `${service}rotations: {${rotation}}\n${free}\n`;
  night.write('fleet/fleet.yaml', documents);
  const first = await night.run('apply --yes');
  expect([first.exit, first.out]).toEqual([4, expect.stringContaining('offline')]);
  const why = 'until: "2027-01-31T00:00:00Z", reason: r, owner: o, ticket: T-1';
  const exceptions = `exceptions: {known: {type: acknowledge, select: {deviceType: camera}, reasons: [offline, maintenanceMode, unknown, quarantined], ${why}}}`;
  night.write('fleet/fleet.yaml', `${documents}${exceptions}\n`);
  const plan = await night.run('plan --detailed-exitcode');
  expect([plan.exit, plan.err + plan.out]).toEqual([0, expect.stringContaining('acknowledged')]);
  const { exit, out } = await night.run('apply --yes');
  expect(out).toContain('2 acknowledged');
  expect(exit).toBe(0);
});

it('D7 nothing starts while a freeze names a site that has another name now', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const freeze = (site: string) =>
    `freezes: {hq: {from: "2020-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z", maxLength: 7000d, select: {site: [${site}]}, reason: r, owner: o, ticket: T-1}}\n`;
  const documents = (site: string) => `${SERVICE}firmware: {${AXIS}}\n${freeze(site)}`;
  night.write('fleet/fleet.yaml', documents('Zentrale'));
  const { exit, err, out } = await night.run('apply --yes');
  expect(err + out).toContain('"Zentrale"');
  expect(err + out).toContain('What freezes.hq keeps from tasks may have another name now');
  expect(exit).not.toBe(0);
  expect(err + out).not.toContain('verified');
  const why = await night.run('why dev-1');
  expect(why.err).toMatch(
    /freezes\.hq keeps from tasks may have another name now: nothing\s+starts/,
  );
});

it('K27 status shows where everything stands while an error stops the plan, and ends with 1', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const documents = `${SERVICE}firmware: {${AXIS}}\n`;
  night.write('fleet/fleet.yaml', documents);
  await night.run('apply --yes');
  const budget = 'budgets: {hq: {select: {site: Zentrale}, per: site, maxUnavailable: 1}}';
  night.write('fleet/fleet.yaml', `${documents.replace('11.160', '11.164')}${budget}\n`);
  const { exit, out } = await night.run('status');
  expect(exit).toBe(1);
  expect(out).toMatch(/firmware\.axis .* refused +refused/);
  expect(out).toContain('Needs you:');
  expect(out).toContain('Refused: The service returns no site named "Zentrale"');
  expect(out).toMatch(/Since yesterday: \d+ devices verified/);
  expect(out).toMatch(/next: mend fleet.fleet.yaml:3 .firmware.axis is refused: no such name/);
  const json = await night.run('status --format json');
  expect([json.exit, JSON.parse(json.out)]).toMatchObject([1, { outcome: 1 }]);
});

it('K27 a request that refuses a policy ends with 1, and one that mends it, or has nothing to do with it, does not', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const git = (...args: readonly string[]) =>
    gitIn(night.folder, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args);
  const tie = `${AXIS}, ${AXIS.replace('axis:', 'other:').replace('160', '164')}`;
  const commit = (policies: string, subject: string): void => {
    night.write('fleet/fleet.yaml', `${SERVICE}firmware: {${policies}}\n`);
    git('add', 'fleet');
    git('commit', '--quiet', '-m', subject);
  };
  git('init', '--quiet', '--initial-branch=trunk', '.');
  commit(AXIS, 'One policy');
  commit(tie, 'Two that tie');
  const request = await night.run('plan --base HEAD~1 -o plan.json');
  expect(request.out).toContain('With this request firmware.axis and 1 more are refused.');
  expect(request.exit).toBe(1);
  expect((await night.run('show plan.json --format md')).exit).toBe(1);
  expect((await night.run('plan')).exit).toBe(0);
  commit(`${tie} `, 'A space');
  expect((await night.run('plan --base HEAD~1')).exit).toBe(0);
  commit(AXIS, 'One again');
  expect((await night.run('plan --base HEAD~1')).exit).toBe(0);
});

it('D7 a policy starts nothing while its `not` names a site that has another name now', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const axis = AXIS.replace('vendor: Axis', '$&, not: {site: Zentrale}');
  night.write('fleet/fleet.yaml', `${SERVICE}firmware: {${axis}}\n`);
  const { exit, out } = await night.run('apply --yes');
  expect(out).toMatch(/What\s+firmware\.axis\s+leaves out may\s+have another name now/);
  expect(out).toContain('policy refused: The service returns no site named "Zentrale"');
  expect(exit).toBe(4);
});

it('M31 a run leaves a listed device that is not discovered, as its plan says; no drift is found in nothing', async () => {
  const night = createNight({ devices: 0, sites: 1 });
  const listed = 'onboarding: {hq: {devices: [{serial: NEVER-1}], windows: anytime}}';
  night.write('fleet/fleet.yaml', `${SERVICE}${listed}\n`);
  const plan = await night.run('plan --format json');
  expect(JSON.parse(plan.out)).toMatchObject({ outcome: 7 });
  const { exit, out } = await night.run('apply --yes');
  expect([exit, out]).toEqual([
    7,
    expect.stringContaining('when 1 change of onboarding.hq can start'),
  ]);
  const drift = await night.run('drift');
  expect([drift.exit, drift.out]).toEqual([4, expect.stringContaining('Nothing is covered')]);
});

it('Y10 a run on a clock that is hours off ends with 9 and records nothing, also where nothing is to start', async () => {
  const night = createNight({
    devices: 40,
    sites: 2,
    through: async (request, handle) => {
      const answer = await handle(request);
      const date = new Date(Date.parse(answer.headers.get('Date') ?? '') + 3 * 3_600_000);
      answer.headers.set('Date', date.toUTCString());
      return answer;
    },
  });
  const nights = 'windows: {nights: {allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}';
  const closed = AXIS.replace('anytime', 'nights');
  night.write('fleet/fleet.yaml', `${SERVICE}${nights}\nfirmware: {${closed}}\n`);
  expect((await night.run('plan')).exit).toBe(9);
  const { exit, err } = await night.run('apply --yes');
  expect([exit, err]).toEqual([
    9,
    expect.stringContaining('clocks of this machine and the service'),
  ]);
  const { out } = await night.run('audit --format json');
  expect(out).not.toMatch(/"FACTS"|"SEEN"/);
});

it('M30 a policy that has lost all of its devices is no success', async () => {
  const night = createNight({ devices: 40, sites: 2 });
  const other = 'bosch: {select: {vendor: Hikvision}, version: "9.9.9", windows: anytime}';
  const documents = (vendor: string) =>
    `${SERVICE}firmware: {${AXIS.replace('vendor: Axis', `vendor: ${vendor}`)}, ${other}}\n`;
  night.write('fleet/fleet.yaml', documents('Axis'));
  await night.run('apply --yes');
  night.write('fleet/fleet.yaml', documents('Axiss'));
  for (const command of ['plan', 'apply --yes', 'status']) {
    const { exit, out } = await night.run(command);
    expect(out).toMatch(/firmware\.axis\s+selects\s+no\s+device\s+any\s+more/);
    expect(exit).toBe(command === 'apply --yes' ? 4 : 0);
  }
});

it('-o refuses a pipe or a device, and leaves it in its place', async () => {
  const night = createNight({ devices: 10, sites: 1 });
  night.write('fleet/fleet.yaml', `${SERVICE}firmware: {${AXIS}}\n`);
  execFileSync('mkfifo', [join(night.folder, 'pipe')]);
  const { exit, err } = await night.run('plan -o pipe');
  expect([exit, err]).toEqual([1, expect.stringContaining('fileRefused')]);
  expect(statSync(join(night.folder, 'pipe')).isFIFO()).toBe(true);
});
