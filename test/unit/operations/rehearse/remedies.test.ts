import { describe, expect, it } from 'vitest';
import type { PolicyForecast } from '../../../../src/model/report/rehearsal.ts';
import { rehearse } from '../../../../src/operations/rehearse/run-rehearsal.ts';
import { FROM, ledgerOfUpgrades, rehearsalInput, snapshotOf } from '../../../support/rehearsed.ts';

const FLEET = snapshotOf([
  {
    vendor: 'Axis',
    model: 'P3265-V',
    firmwareVersion: '11.5.64',
    deviceType: 'camera',
    site: 'HQ Berlin',
    targets: [['11.11.160']],
    count: 4,
  },
]);

/** One upgrade at a time, 40 minutes each, in a window on one night that closes then. */
function closingAt(to: string): string {
  return `service: {baseUrl: "https://service.test", organization: acme, pace: {requestsPerSecond: 10}}
windows: {short: {timeZone: UTC, cutoff: 10m, allow: [{days: [tue], from: "01:00", to: "${to}"}]}}
rollouts: {narrow: {waves: [{name: all, percent: 100%}], maxInFlight: 1, batch: 1}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: short, rollout: narrow}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000}}
`;
}

async function forecast(document: string, trials = 0): Promise<PolicyForecast | undefined> {
  const { policies } = await rehearse({
    ...rehearsalInput(document, FLEET, ledgerOfUpgrades(2_400)),
    until: FROM + 86_400_000,
    trials,
  });
  return policies[0];
}

/** The time of day so long after half past one. */
function later(ms: number): string {
  return new Date(Date.UTC(2026, 0, 1, 1, 30) + ms).toISOString().slice(11, 16);
}

const HALF_HOUR = 1_800_000;

describe('the smallest change that makes late work fit', () => {
  it('fits once it is written into the document, and half an hour less does not', async () => {
    const short = await forecast(closingAt(later(0)), 8);
    expect(short?.late).toBeGreaterThan(0);
    expect(short?.remedy).toMatchObject({ is: 'longerWindow', window: 'short' });
    const by = short?.remedy?.is === 'longerWindow' ? short.remedy.by : 0;
    expect(by).toBeGreaterThan(HALF_HOUR);
    expect(await forecast(closingAt(later(by)))).toMatchObject({ done: 4, late: 0 });
    expect((await forecast(closingAt(later(by - HALF_HOUR))))?.late).toBeGreaterThan(0);
  });

  it('is not looked for without trials', async () => {
    expect((await forecast(closingAt(later(0))))?.remedy).toBeUndefined();
  });
});
