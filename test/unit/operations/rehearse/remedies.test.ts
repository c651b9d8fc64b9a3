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

  it.each([
    [
      'fewer samples of a gate',
      '{soak: 1h, gate: "{checks: [online], consecutiveOk: 6}"}',
      { is: 'fewerSamples', rollout: 'narrow' },
    ],
    [
      'a shorter soak',
      '{soak: 40h, gate: "{checks: []}"}',
      { is: 'shorterSoak', rollout: 'narrow' },
    ],
  ])('is %s where waves wait for each other', async (_, words, remedy) => {
    const [, soak = '', gate = ''] = /soak: (\w+), gate: "(.*)"/.exec(words) ?? [];
    const document = closingAt('23:00')
      .replace('days: [tue]', 'days: mon-sun')
      .replace(
        'waves: [{name: all, percent: 100%}]',
        `gate: ${gate}, waves: [{name: canary, size: 1, soak: ${soak}}, {name: rest, percent: 100%}]`,
      );
    const late = await forecast(document, 20);
    expect(late?.late).toBeGreaterThan(0);
    expect(late?.remedy).toMatchObject(remedy);
    const changed =
      late?.remedy?.is === 'fewerSamples'
        ? document.replace('consecutiveOk: 6', `consecutiveOk: ${late.remedy.value}`)
        : document.replace(
            'soak: 40h',
            `soak: ${late?.remedy?.is === 'shorterSoak' ? late.remedy.soak / 3_600_000 : 0}h`,
          );
    expect(changed).not.toBe(document);
    expect(await forecast(changed)).toMatchObject({ done: 4, late: 0 });
  });

  it('is more time where no change of the documents helps', async () => {
    const document = closingAt('23:00').replace('days: [tue]', 'days: [wed]');
    expect((await forecast(document, 20))?.remedy).toEqual({ is: 'moreTime', by: 86_400_000 });
  });
});
