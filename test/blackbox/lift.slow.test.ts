import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const match = { taskType: 'upgradeFirmware' };
const FAILING = [{ match, fault: { type: 'failingDevice', result: 'failed' } }];

/** The default rollout, whose canary pauses on its first failure. */
const DOCUMENTS = [
  'service: {baseUrl: https://api.example.com, organization: acme, pace: {requestsPerSecond: 100, pollEvery: 1s}}',
  'firmware: {axis: {select: {vendor: Axis}, version: approved, windows: anytime}}',
  '',
].join('\n');

it('says what was lifted and what comes next, as status does', PATIENCE, async () => {
  using place = createPlace();
  rmSync(place.path('fleet'), { recursive: true });
  mkdirSync(place.path('fleet'));
  place.write('fleet/fleet.yaml', DOCUMENTS);
  const twin = await startTwin(place, { faults: FAILING });
  const admin = twin.as('admin');
  const lift = (scope: string) =>
    place.run(`unpause ${scope} --ticket CHG-1 --reason looked`, admin);

  const early = await lift('firmware.axis');
  expect([early.code, early.err]).toEqual([0, expect.stringContaining('Nothing is paused.')]);
  expect(early.err).toMatch(/^next: fleetform apply$/m);
  expect(early.err).not.toContain('--help');

  expect((await place.run('apply --yes', admin)).code).toBe(4);
  const other = await lift('fleet');
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('firmware.axis (rule')]);

  const listed = await place.run('unpause', admin);
  expect([listed.code, listed.err]).toEqual([0, expect.stringContaining('firmware.axis (rule')]);

  const lifted = await lift('firmware.axis');
  expect([lifted.code, lifted.err]).toEqual([
    0,
    expect.stringContaining('Unpaused under CHG-1: firmware.axis'),
  ]);
  const [, next = ''] = /^next: ([^\0]*)/m.exec(lifted.err) ?? [];
  const status = await place.run('status', admin);
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  expect(next).not.toBe('');
  // The report of what it finished has no other next step beside it.
  expect(lifted.out).not.toContain('next:');
  expect(flat(status.out)).toContain(`next: ${flat(next)}`);
});
