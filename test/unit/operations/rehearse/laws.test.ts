import { array, assert, asyncProperty, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRehearsal, quantile } from '../../../../src/operations/rehearse/run-rehearsal.ts';
import { NO_WAY } from '../../../../src/rehearse/simulator.ts';
import { rehearsalInput, rehearseFolder, snapshotOf } from '../../../support/rehearsed.ts';
import { request } from '../../../support/http.ts';

const WAVES = 'waves-finish-one-after-the-other';
const SHORT = { courses: 2, until: Date.parse('2026-11-25T06:00:00Z') };

describe('every rehearsal', () => {
  it('gives the same bytes for the same seed, and others for another', async () => {
    const take = async (seed: number): Promise<string> =>
      JSON.stringify(await rehearseFolder(WAVES, { ...SHORT, seed }));
    const [first, again, other] = [await take(1), await take(1), await take(7)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('has no way to the service beside the simulator', async () => {
    await expect(NO_WAY(request('https://service.test/v1/devices'))).rejects.toMatchObject({
      phase: 'unsent',
    });
  });

  it('has p50 no later than p95, for any counts and seeds', async () => {
    await assert(
      asyncProperty(
        integer({ min: 1, max: 6 }),
        integer({ min: 1, max: 4 }),
        integer({ min: 0, max: 1_000 }),
        async (count, courses, seed) => {
          const { policies, requests } = await runRehearsal({
            ...rehearsalInput(DOCUMENTS, snapshotOf([{ ...CAMERA, count }])),
            until: SHORT.until,
            courses,
            seed,
          });
          const finishes = policies.flatMap((each) => [each, ...each.waves]);
          for (const { finish } of finishes)
            expect(finish.p50 ?? Infinity).toBeLessThanOrEqual(finish.p95 ?? Infinity);
          expect(requests.p50).toBeLessThanOrEqual(requests.p95);
          for (const { devices, done, failed, late, blocked } of policies)
            expect(courses > 1 || devices === done + failed + late + blocked).toBe(true);
        },
      ),
      { numRuns: 5, seed: 17 },
    );
  });

  it('says the same with more runs while a gate waits for devices that are away', async () => {
    const devices = [
      { ...CAMERA, count: 2 },
      { ...CAMERA, count: 2, site: 'Lab', name: 'rest' },
      { ...CAMERA, count: 8, status: 'offline', name: 'away' },
    ];
    const input = rehearsalInput(GATED, snapshotOf(devices));
    const take = async (more: object) => {
      const { runs, requests, policies, stops } = await runRehearsal({ ...input, ...more });
      const told = policies.map(({ policy, done, failed, late, blocked, heldBy }) => {
        return { policy, done, failed, late, blocked, heldBy };
      });
      return { runs, requests: requests.p50, told, stops };
    };
    const few = await take({});
    const often = await take({ atMost: 6 * 3_600_000 });
    expect(few.told).toEqual([expect.objectContaining({ done: 2, late: 2, blocked: 8 })]);
    expect(few.told[0]?.heldBy.map(({ code }) => code)).toContain('gatePending');
    expect([often.told, often.stops]).toEqual([few.told, few.stops]);
    expect(few.runs).toBeLessThan(often.runs / 2);
    expect(few.requests).toBeLessThan(often.requests);
  });

  it('has quantiles by nearest rank', () => {
    assert(
      property(array(integer(), { minLength: 1 }), (values) => {
        const [half, most] = [quantile(values, 0.5), quantile(values, 0.95)];
        expect(values).toContain(half);
        expect(values).toContain(most);
        expect(Number(half)).toBeLessThanOrEqual(Number(most));
      }),
    );
  });
});

const CAMERA = {
  vendor: 'Axis',
  model: 'P3265-V',
  firmwareVersion: '11.5.64',
  deviceType: 'camera',
  site: 'HQ Berlin',
  targets: [['11.11.160']],
};

const DOCUMENTS = `service: {baseUrl: "https://service.test", organization: acme, pace: {requestsPerSecond: 10}}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: nights}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000}}
`;

const GATED = DOCUMENTS.replace('windows: nights}}', 'windows: nights, rollout: gated}}').concat(
  `rollouts: {gated: {waves: [{name: canary, select: {site: HQ Berlin}}, {name: rest, percent: 100%}], gate: {minReached: 90%}}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
`,
);
