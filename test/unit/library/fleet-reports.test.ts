import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apply, plan, rehearse, report, type FleetOptions } from '../../../src/index.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { rig } from '../../support/twin-rig.ts';
import { overFetch } from '../../../src/model/http.ts';

const DOCUMENTS = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 30s}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 90d, windows: nights}
`;

function fleet(name: string): FleetOptions & { readonly posts: () => number } {
  const directory = scratchFolder(name);
  mkdirSync(join(directory, 'fleet'));
  writeFileSync(join(directory, 'fleet/fleet.yaml'), DOCUMENTS);
  const { twin } = rig({ devices: 120 });
  let posts = 0;
  return {
    directory,
    env: { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin },
    posts: () => posts,
    transport: overFetch((request) => {
      if (request.method === 'POST' && request.url.includes('tasks')) posts += 1;
      return twin.handle(request);
    }),
  };
}

it('the library rehearses a fleet as the command does, and sends no task', async () => {
  const heard: number[] = [];
  const { posts, ...options } = fleet('library-rehearse');
  const onProgress = (done: number): void => void heard.push(done);
  const from = '2026-12-01T00:00:00Z';
  const once = { ...options, from, horizon: '2d', runs: 1 };
  const first = await rehearse({ ...once, saveSnapshot: 'fleet.snapshot', onProgress });
  expect(first).toMatchObject({ courses: 1, seed: 1, from: Date.parse(from) });
  expect(first.until - first.from).toBe(2 * 86_400_000);
  expect(first.policies.map(({ policy }) => policy)).toEqual(['rotations.passwords']);
  expect(heard.length).toBeGreaterThan(0);
  expect(posts()).toBe(0);
  const { transport: _, ...offline } = once;
  expect(await rehearse({ ...offline, snapshot: 'fleet.snapshot' })).toEqual(first);
});

it('the library reports on a fleet that is read, and on snapshots alike', async () => {
  const { posts, ...options } = fleet('library-report');
  const live = await report({ ...options, saveSnapshot: 'fleet.snapshot', maxCveReads: 0 });
  const { transport: _, ...offline } = options;
  const recorded = await report({ ...offline, snapshots: ['fleet.snapshot'], alerts: ['offline'] });
  expect(recorded.totals).toEqual(live.totals);
  expect(recorded.devices).toHaveLength(live.devices.length);
  expect(recorded.alerts.every(({ alert }) => alert === 'offline')).toBe(true);
  expect(posts()).toBe(0);
});

it.each([
  ['a rehearsal', () => rehearse({ horizon: 'two days' }), 'Option "horizon" is "two days"'],
  ['a rehearsal', () => rehearse({ from: '2026-12-01' }), 'Option "from" is "2026-12-01"'],
  ['a report', () => report({ within: 'soon' }), 'Option "within" is "soon"'],
  ['a report', () => report({ severity: 'bad' }), 'one of critical, high, medium, low'],
  ['a plan', () => plan({ expires: 'never', fleet: 'fleet' }), 'Option "expires" is "never"'],
  ['a run', () => apply({ ...fleet('library-wait'), wait: 'long' }), 'Option "wait" is "long"'],
])('an option of %s that cannot be read is an error, and not zero', async (_, call, message) => {
  await expect(call()).rejects.toMatchObject({
    code: 'usage',
    params: { message: expect.stringContaining(message) as string },
  });
});
