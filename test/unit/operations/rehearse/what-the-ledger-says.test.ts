import { describe, expect, it } from 'vitest';
import { runRehearsal } from '../../../../src/operations/rehearse/run-rehearsal.ts';
import { FROM, ledgerOfUpgrades, rehearsalInput, snapshotOf } from '../../../support/rehearsed.ts';

const DOCUMENTS = `service: {baseUrl: "https://service.test", organization: acme, pace: {requestsPerSecond: 10}}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rollouts: {all: {waves: [{name: all, percent: 100%}]}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: nights, rollout: all}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000}}
`;

const FLEET = snapshotOf([
  {
    vendor: 'Axis',
    model: 'P3265-V',
    firmwareVersion: '11.5.64',
    deviceType: 'camera',
    site: 'HQ Berlin',
    targets: [['11.11.160']],
    count: 3,
  },
]);

describe('durations in a rehearsal', () => {
  it.each([
    [600, 10],
    [2_400, 40],
  ])('are those of the ledger: %i seconds', async (seconds, minutes) => {
    const records = ledgerOfUpgrades(seconds);
    const { durations, policies } = await runRehearsal(rehearsalInput(DOCUMENTS, FLEET, records));
    expect(durations).toEqual([
      { task: 'upgradeFirmware', from: 'ledger', samples: 3, medianSeconds: seconds },
    ]);
    const opens = FROM + 5 * 3_600_000;
    const took = ((policies[0]?.finish.p50 ?? 0) - opens) / 60_000;
    expect(took).toBeGreaterThanOrEqual(minutes);
    expect(took).toBeLessThan(minutes + 6);
  });

  it('are those of the simulator where no task is on record', async () => {
    const { durations } = await runRehearsal(rehearsalInput(DOCUMENTS, FLEET));
    expect(durations).toEqual([{ task: 'upgradeFirmware', from: 'simulator' }]);
  });
});
