import { expect, it } from 'vitest';
import { createNight } from '../../../support/night.ts';

const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme, ledger: {store: directory, path: ledger}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", rollout: all, windows: anytime}}
rollouts: {all: {canary: none, waves: [{name: all, percent: 100%}]}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;

const AXIS = {
  vendor: 'Axis',
  model: 'P3265-LVE',
  deviceType: 'camera',
  firmwareVersion: '11.8.61',
  condition: 'well',
  maintenance: false,
} as const;

it('a site alone is paused and unpaused: all policies there, and nothing elsewhere', async () => {
  const night = createNight({ devices: 6, sites: 2, every: () => AXIS });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const [site = ''] = (await night.run('get sites --format ndjson')).out.split('\n');
  const { name } = JSON.parse(site);
  const paused = await night.run(['pause', '--site', name, '--reason', 'network work']);
  expect(paused.exit, paused.err).toBe(0);
  const during = await night.run('apply --yes --format json');
  expect(JSON.parse(during.out).counts).toMatchObject({ verified: 3 });
  const unpaused = await night.run(['unpause', '--site', name, '--reason', 'done']);
  expect(unpaused.exit, unpaused.err).toBe(0);
  const after = await night.run('apply --yes --format json');
  expect(JSON.parse(after.out).counts).toMatchObject({ verified: 3 });
});

it('several sites are paused and unpaused together, or none of them', async () => {
  const night = createNight({ devices: 6, sites: 3, every: () => AXIS });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const rows = (await night.run('get sites --format ndjson')).out.trim().split('\n');
  const [first, second, third] = rows.map((row) => (JSON.parse(row) as { name: string }).name);
  const atTwo = ['--site', String(first), '--site', String(second)];
  const wrong = await night.run(['pause', ...atTwo, '--site', 'Atlantis', '--reason', 'odd']);
  expect([wrong.exit, wrong.err]).toEqual([1, expect.stringMatching(/site\s+"Atlantis"/)]);
  const paused = await night.run(['pause', ...atTwo, '--reason', 'network work']);
  expect(paused.exit, paused.err).toBe(0);
  const during = await night.run('apply --yes --format json');
  expect(JSON.parse(during.out).counts).toMatchObject({ verified: 2 });
  const beside = ['unpause', ...atTwo, '--site', String(third), '--reason', 'done'];
  const refused = await night.run(beside);
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('nothingLifted')]);
  const unpaused = await night.run(['unpause', ...atTwo, '--reason', 'done']);
  expect(unpaused.exit, unpaused.err).toBe(0);
  const after = await night.run('apply --yes --format json');
  expect(JSON.parse(after.out).counts).toMatchObject({ verified: 4 });
});

it('neither a policy nor a site is no pause', async () => {
  const night = createNight({ devices: 2, sites: 1 });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const { exit, err } = await night.run(['pause', '--reason', 'odd']);
  expect([exit, err]).toEqual([1, expect.stringContaining('or --site with a site')]);
});

it('the name of a site as SCOPE is answered with the command that pauses the site', async () => {
  const night = createNight({ devices: 2, sites: 1 });
  night.write('fleet/fleet.yaml', `${DOCUMENTS}sites: {HQ Berlin: {timeZone: Europe/Berlin}}\n`);
  const pause = ['pause', 'HQ Berlin', '--reason', 'black picture', '--ticket', 'OPS-7'];
  const { exit, err } = await night.run(pause);
  expect(exit).toBe(1);
  const [again = ''] = /(?<=fleetform )pause[^`]+/.exec(err.replaceAll(/[\s\\]+/g, ' ')) ?? [];
  expect(again.trim()).toBe('pause --site "HQ Berlin" --reason "black picture" --ticket "OPS-7"');
  const pasted = again.match(/"[^"]*"|\S+/g)?.map((part) => part.replaceAll('"', ''));
  expect(await night.run(pasted ?? [])).toMatchObject({ exit: 0 });
});

it('a site that is misspelt is answered with the nearest name', async () => {
  const night = createNight({ devices: 2, sites: 1 });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const [row = ''] = (await night.run('get sites --format ndjson')).out.split('\n');
  const { name } = JSON.parse(row) as { name: string };
  const { exit, err } = await night.run(['pause', '--site', `${name}x`, '--reason', 'odd']);
  expect([exit, err]).toEqual([1, expect.stringContaining(`Did you mean "${name}"?`)]);
});

it('--until takes a date as documents do: its start in UTC, which the answer names', async () => {
  const night = createNight({ devices: 2, sites: 1 });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  const year = new Date(night.now()).getUTCFullYear() + 1;
  const order = (until: string) => ['pause', 'fleet', '--until', until, '--reason', 'odd'];
  const { exit, out, err } = await night.run(order(`${year}-02-01`));
  expect([exit, out], err).toEqual([0, expect.stringContaining(`1 Feb ${year} 00:00 UTC`)]);
  const wrong = await night.run(order(`${year}-02-31`));
  expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining('Write a date')]);
});

it('unpause without a SCOPE lists pauses as text; asked for JSON, it names the command that has it', async () => {
  const night = createNight({ devices: 2, sites: 1 });
  night.write('fleet/fleet.yaml', DOCUMENTS);
  expect(await night.run('unpause')).toMatchObject({ exit: 0 });
  const { exit, out } = await night.run('unpause --format json');
  expect([exit, JSON.parse(out).error]).toMatchObject([1, { code: 'usage' }]);
});
