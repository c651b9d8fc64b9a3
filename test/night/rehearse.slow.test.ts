import { beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalReport } from '../../src/model/report/output.gen.ts';
import { createNight, type Command, type Night } from '../support/night.ts';
import { CAMERA } from '../support/night-leak.ts';

const DOCUMENTS = `service: {baseUrl: "https://twin.test", organization: acme, pace: {requestsPerSecond: 10}}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rollouts: {slow: {waves: [{name: canary, size: 4, soak: 2h}, {name: rest, percent: 100%}]}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: nights, rollout: slow}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000}}
`;

/** What `rehearse` prints as JSON: the report, with its instants as text. */
type Printed = Omit<RehearsalReport, 'policies'> & {
  readonly policies: readonly {
    readonly done: number;
    readonly waves: readonly {
      readonly name: string;
      readonly finish: { readonly p50?: string };
    }[];
  }[];
};

describe('a rehearsal beside what apply then does', () => {
  let night: Night;
  let rehearsed: Command;
  let report: Printed;

  beforeAll(async () => {
    night = createNight({
      devices: 16,
      sites: 2,
      every: () => ({ ...CAMERA, firmwareVersion: '11.5.64' }),
    });
    night.write('fleet/fleet.yaml', DOCUMENTS);
    rehearsed = await night.run('rehearse --horizon 3d --runs 3 --format json');
    report = JSON.parse(rehearsed.out) as Printed;
  }, 300_000);

  it('only reads from the service, and leaves no ledger', () => {
    expect(rehearsed.exit).toBe(0);
    const written = rehearsed.requests.filter((request) => !request.startsWith('GET '));
    expect(written).toEqual(['POST /v1/auth/acme']);
    expect(night.twin.world.state.tasks).toEqual([]);
    expect(() => night.read('.fleetform')).toThrow(/ENOENT|EISDIR/);
  });

  it('foresees when the canary is done, and the rest within a day', async () => {
    const forecast = (name: string): number => {
      const wave = report.policies[0]?.waves.find((each) => each.name === name);
      return Date.parse(wave?.finish.p50 ?? '');
    };
    const updated = (): number =>
      night.twin.world.state.devices.filter(
        ({ firmwareVersion }) => firmwareVersion === '11.11.160',
      ).length;
    night.skip(Date.parse('2026-11-24T01:00:00Z') - night.now());
    await night.run('apply --yes');
    expect(updated()).toBe(4);
    expect(Math.abs(forecast('canary') - night.now())).toBeLessThan(10 * 60_000);

    const second = await night.run('rehearse --horizon 3d --runs 1 --format json');
    const left = JSON.parse(second.out) as Printed;
    expect(left.policies[0]?.waves.map(({ name }) => name)).toEqual(['rest']);
    expect(left.policies[0]?.done).toBe(12);
    expect(left.durations).toEqual([
      expect.objectContaining({ task: 'upgradeFirmware', from: 'ledger', samples: 4 }),
    ]);

    for (let hour = 0; updated() < 16 && hour < 60; hour += 1) {
      night.skip(3_600_000);
      await night.run('apply --yes');
    }
    expect(updated()).toBe(16);
    expect(Math.abs(forecast('rest') - night.now())).toBeLessThan(86_400_000);
  });
});
