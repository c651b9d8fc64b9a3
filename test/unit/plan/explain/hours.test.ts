import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { PlanHours } from '../../../../src/model/plan/plan.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { plan } from '../../../../src/plan/plan.ts';
import { readPlan } from '../../../../src/plan/saved/saved.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { INPUTS, passedDefault } from '../../../support/plan-change.ts';
import { aDevice, aMemory, aSnapshot } from '../../../support/plan-fleet.ts';

const HEAD = `service: {baseUrl: https://api.example.com, organization: acme, pace: {requestsPerSecond: 1000000}}
sites: {HQ Berlin: {timeZone: Europe/Berlin}}
rollouts:
  one: {canary: none, waves: [{name: all, percent: 100%}]}
  slow: {waves: [{name: canary, size: 1, soak: 20d}, {name: all, percent: 100%}], gate: {checks: []}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
`;
const NIGHTS = `windows: {nights: {cutoff: 1h, allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}\n`;
const want = (windows: string, rollout = 'one'): string =>
  `firmware: {lts: {select: {vendor: Axis}, version: "11.11.73", rollout: ${rollout}, windows: ${windows}}}\n`;
const FREEZE = `freezes: {black-week: {from: "2026-11-24T00:00:00", to: "2026-11-26T00:00:00", select: {name: shop-*}, reason: black week, owner: secops, ticket: CHG-1}}\n`;

/** Two cameras in Berlin and one in the shop there, planned at an instant. */
function planned(yaml: string, now = Date.parse('2026-11-20T12:00:00Z')): Plan {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text: HEAD + yaml }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const devices = ['cam-1', 'cam-2', 'shop-1'].map((name) =>
    aDevice(name, { name, lastSeen: now - 60_000 }),
  );
  const facts = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
  const snapshot = { ...aSnapshot(devices, { takenAt: now }), facts: () => facts };
  const memory = aMemory();
  const given = { documents, snapshot, memory, now, inputs: INPUTS, expiresAfter: 1 };
  return plan({ ...given, dialect: resolveDialect() }).plan;
}

const spansOf = (hours: PlanHours | undefined, row = 0): readonly string[] =>
  (hours?.windows[row]?.spans ?? []).map(({ opens, closes }) => `${opens} ${closes}`);

describe('the hours of a plan', () => {
  it('say when each window opens and closes for two weeks, by the clocks of the site', () => {
    const { hours } = planned(NIGHTS + want('nights'));
    expect(hours?.windows).toMatchObject([{ name: 'nights', zone: 'Europe/Berlin', changes: 3 }]);
    expect(spansOf(hours)).toEqual(
      ['11-24', '11-25', '11-26', '12-01', '12-02', '12-03'].map(
        (day) => `2026-${day}T00:00:00Z 2026-${day}T04:00:00Z`,
      ),
    );
  });

  it('begin with what is open now, from its true opening on', () => {
    const { hours } = planned(NIGHTS + want('nights'), Date.parse('2026-11-24T02:00:00Z'));
    expect(spansOf(hours)[0]).toBe('2026-11-24T00:00:00Z 2026-11-24T04:00:00Z');
  });

  it('are without what a freeze takes, which the dates name, with why and for how many', () => {
    const { hours, dates } = planned(NIGHTS + FREEZE + want('nights'));
    expect(hours?.windows.map(({ changes }) => changes)).toEqual([2, 1]);
    expect(spansOf(hours, 1)[0]).toBe('2026-11-26T00:00:00Z 2026-11-26T04:00:00Z');
    expect(dates?.[0]?.frozen).toEqual([
      {
        freeze: 'black-week',
        hard: false,
        reason: 'black week',
        owner: 'secops',
        ticket: 'CHG-1',
        at: { file: 'fleet/fleet.yaml', line: 8, column: 11 },
        changes: 1,
        zone: 'Europe/Berlin',
        opens: '2026-11-23T23:00:00Z',
        closes: '2026-11-25T23:00:00Z',
      },
    ]);
  });

  it('leave an edge out that nobody knows', () => {
    const { hours } = planned(FREEZE + want('anytime'));
    expect(hours?.windows.map(({ name, spans }) => [name, spans])).toEqual([
      ['anytime', [{ closes: '2026-11-23T23:00:00Z' }, { opens: '2026-11-25T23:00:00Z' }]],
    ]);
  });

  it('are absent where everything may start at any time, and where nothing is wanted', () => {
    expect(planned(want('anytime')).hours).toBeUndefined();
    const done = want('nights').replaceAll('11.11.73', '11.8.61');
    expect(planned(NIGHTS + done).hours).toBeUndefined();
  });

  it('reach as far as the soaks of the longest rollout take, twice', () => {
    expect(planned(NIGHTS + want('nights', 'slow')).hours?.until).toBe('2026-12-30T12:00:00Z');
  });

  it('have at least the next opening of each window, however far it is, and not too many', () => {
    const cron = (text: string, duration: string): string =>
      `windows: {odd: {cutoff: 1m, allow: [{cron: "${text}", duration: ${duration}}]}}\n`;
    const rare = planned(cron('0 1 1 3 *', '4h') + want('odd')).hours;
    expect(spansOf(rare)).toEqual(['2027-03-01T00:00:00Z 2027-03-01T04:00:00Z']);
    const often = planned(cron('0 * * * *', '30m') + want('odd')).hours?.windows[0];
    expect([often?.spans.length, often?.more]).toEqual([48, 14 * 24 - 48]);
  });

  it('are no part of what a person approves', () => {
    const [early, late] = ['2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z'].map((now) =>
      planned(NIGHTS + FREEZE + want('nights'), Date.parse(now)),
    );
    expect(early?.hours).not.toEqual(late?.hours);
    expect(early?.id).toBe(late?.id);
  });

  it('come back from a saved plan, and a file with others is refused', async () => {
    const plan = planned(NIGHTS + FREEZE + want('nights'));
    const made = { ...plan, verdicts: [passedDefault([...plan.changes])] };
    expect((await readPlan(planLines(made))).hours).toEqual(made.hours);
    const bad = { ...made, hours: { until: '', windows: [{ name: 'a' }] } };
    await expect(readPlan(planLines(bad as unknown as Plan))).rejects.toThrow('planTampered');
  });
});
