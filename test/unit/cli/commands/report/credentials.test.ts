import { expect, it } from 'vitest';
import { createNight, EVENING } from '../../../../support/night.ts';
import type { FaultRule } from '../../../../../src/twin/faults/fault.ts';

const DAY = 24 * 3_600_000;

const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 100, tokenRequestsPerMinute: 60}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
windows: {sunday: {timeZone: UTC, allow: [{days: sun, from: "01:00", to: "05:00"}]}}
rollouts: {all: {canary: none, batch: 1, waves: [{name: all, percent: 100%}], stopOn: [{scope: wave, max: 50, action: pause}]}}
exceptions:
  left-out: {type: exclude, select: {device: [dev-5, dev-12]}, until: "2026-12-20", reason: r, owner: o, ticket: T-1}
  held: {type: hold, select: {device: [dev-6, dev-13]}, until: "2026-12-20", reason: r, owner: o, ticket: T-2}
  seen: {type: acknowledge, select: {device: dev-2}, reasons: [quarantined], until: "2026-12-20", reason: r, owner: o, ticket: T-3}
freezes:
  shut: {from: "2026-11-20T00:00:00", to: "2026-12-01T00:00:00", timeZone: UTC, hard: true, select: {device: dev-7}, reason: r, owner: o, ticket: T-4}
rotations:
  aged: {task: rotatePassword, select: {deviceType: camera}, maxAge: 30d, spread: 0d, windows: anytime, rollout: all}
  raised: {task: rotatePassword, select: {device: dev-8}, maxAge: never, rationale: x, generation: 2, windows: sunday, rollout: all, priority: 600}
`;

const failing = (deviceId: string, result: 'failed' | 'rolledBack'): FaultRule => ({
  match: { deviceId, taskType: 'rotatePassword' },
  fault: { type: 'failingDevice', result },
});

const YOUNG = ['dev-10', 'dev-12', 'dev-13'];

const night = createNight({
  devices: 14,
  sites: 1,
  every: ({ id }) => ({
    condition: id === 'dev-9' ? 'dead' : 'well',
    deviceType: 'camera',
    tasks: id === 'dev-11' ? ['upgradeFirmware'] : ['rotatePassword'],
    accounts: [
      {
        userName: 'root',
        lastChanged: EVENING - (YOUNG.includes(id) ? 3 : 139) * DAY,
        expiry: EVENING + 200 * DAY,
      },
    ],
  }),
  faults: [
    failing('dev-1', 'failed'),
    failing('dev-2', 'rolledBack'),
    { match: { deviceId: 'dev-3', taskType: 'rotatePassword' }, fault: { type: 'lostRequest' } },
  ],
});

it('a password that is due and not verified counts as good nowhere, whatever its rotation waits for', async () => {
  night.write('fleet/fleet.yaml', FLEET);
  await night.run('apply --yes');
  await night.run('pause rotations.raised --reason look');
  const { out } = await night.run('report credentials --format csv');
  const [fields = [], ...found] = out
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const shown = ['device', 'passwordState', 'passwordReason'].map((name) => fields.indexOf(name));
  expect(found.map((row) => shown.map((cell) => row[cell]).join(' '))).toEqual([
    'dev-1 overdue notDue.backoff',
    'dev-10 current notDue',
    'dev-11 unknown unsupported.taskUnavailable',
    'dev-12 current exclude',
    'dev-13 current hold',
    'dev-14 current notDue',
    'dev-2 overdue quarantined.retriesUsed',
    'dev-3 unknown inDoubt',
    'dev-4 current notDue',
    'dev-5 excepted exclude',
    'dev-6 overdue hold',
    'dev-7 overdue frozenHard',
    'dev-8 overdue rolloutPaused.person',
    'dev-9 overdue offline',
  ]);
  const alerts = await night.run('report alerts --alert password --format csv');
  expect(alerts.out.match(/dev-[0-9]+/g)).toEqual([
    'dev-1',
    'dev-2',
    'dev-6',
    'dev-7',
    'dev-8',
    'dev-9',
  ]);
  expect((await night.run('report')).out).toMatch(/^Password +14 +5 +6 +1 +2 /m);
});
