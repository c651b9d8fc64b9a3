import { describe, expect, it } from 'vitest';
import type { PlanHours } from '../../../../src/model/plan/plan.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { findClose, windowRows } from '../../../../src/render/view/opening.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { change, labels, NOW, planOf } from '../../../support/render-plan.ts';

const night = (day: string) => ({
  opens: `2026-11-${day}T00:00:00Z`,
  closes: `2026-11-${day}T04:00:00Z`,
});
const FREEZE = {
  name: 'black-week',
  spans: [{ opens: '2026-11-25T12:00:00Z', closes: '2026-11-27T12:00:00Z' }],
};
const HOURS: PlanHours = {
  until: '2026-12-04T01:12:00Z',
  windows: [
    {
      name: 'nights',
      zone: 'Europe/Berlin',
      changes: 9,
      spans: [night('24'), night('25'), night('28')],
      freezes: [FREEZE],
    },
  ],
  freezes: [],
};

/** Two waves that go by the nights in Berlin. */
function waves(other: Partial<Plan> = {}): Plan {
  const window = { name: 'nights', zone: 'Europe/Berlin', opens: '2026-11-24T00:00:00Z' };
  const changes = labels(9).map((device, n) =>
    change(device, { action: 'wait', window, wave: n < 2 ? 'canary' : 'rest' }),
  );
  const policy = 'firmware.axis-p32';
  return planOf(changes, {
    hours: HOURS,
    waves: [
      { policy, name: 'canary', changes: 2, soak: '24h' },
      { policy, name: 'rest', changes: 7, after: 'canary', opens: '2026-11-25T06:00:00Z' },
    ],
    ...other,
  });
}

const starts = (plan: Plan): readonly string[] =>
  buildPlanView(plan).timeline.waves.map(({ from }) => new Date(from).toISOString().slice(0, 16));

describe('the timeline', () => {
  it('starts each wave in an open window, after the soak of the one before', () => {
    expect(starts(waves())).toEqual(['2026-11-24T00:00', '2026-11-28T00:00']);
  });

  it('starts a wave not before the plan says that it may open', () => {
    const [canary, rest] = waves().waves;
    if (!canary || !rest) throw new Error('no waves');
    const late = waves({ waves: [canary, { ...rest, opens: '2026-12-02T01:00:00Z' }] });
    expect(starts({ ...late, hours: { ...HOURS, windows: [] } })[1]).toBe('2026-12-02T01:00');
  });

  it('starts no change before its own date, and lasts until the last of them', () => {
    const DAY = 86_400_000;
    const due = (days: number) => ({ code: 'notDue', next: NOW + days * DAY }) as const;
    const changes = labels(3).map((device, n) =>
      change(device, { action: 'wait', reason: due(10 + 5 * n), wave: n < 2 ? 'canary' : 'rest' }),
    );
    const policy = 'firmware.axis-p32';
    const plan = planOf(changes, {
      waves: [
        { policy, name: 'canary', changes: 2, soak: '24h' },
        { policy, name: 'rest', changes: 1, after: 'canary' },
      ],
    });
    const [canary, rest] = buildPlanView(plan).timeline.waves;
    expect(canary).toMatchObject({
      from: NOW + 10 * DAY,
      last: NOW + 15 * DAY,
      to: NOW + 16 * DAY,
    });
    expect(rest).toMatchObject({ from: NOW + 20 * DAY, last: NOW + 20 * DAY });
    const plain = buildPlanView(planOf(changes.map(({ wave: _wave, ...each }) => each))).timeline
      .waves;
    expect(plain).toMatchObject([{ from: NOW + 10 * DAY, last: NOW + 20 * DAY }]);
    const html = [...planHtml(buildPlanView(plan), plan.changes)].join('');
    expect(html).toContain('<td data-label="Starts">30 Nov</td><td data-label="Ends">gate</td>');
  });

  it('starts at once what passes its window and its freeze (semantics M26)', () => {
    const { changes, ...plan } = waves();
    const passes = [{ what: 'softFreeze', name: 'black-week', rule: 'incidents.leak' }] as const;
    const passing = [...changes].map((each) => ({ ...each, passes }));
    expect(starts(planOf(passing, plan))).toEqual(['2026-11-20T01:12', '2026-11-25T06:00']);
  });

  it('says where nobody can tell when a wave starts', () => {
    const [canary, rest] = waves().waves;
    if (!canary || !rest) throw new Error('no waves');
    const { opens: _, ...gated } = rest;
    const held = (second: Plan['waves'][number]) =>
      buildPlanView(waves({ waves: [canary, second] })).timeline.waves.map((bar) => bar.held);
    expect(held(gated)).toEqual([undefined, 'gate']);
    expect(held({ ...gated, stopped: 'paused' })).toEqual([undefined, 'paused']);
  });
});

describe('the close of a window', () => {
  const rows = windowRows(HOURS);
  const window = { name: 'nights', zone: 'Europe/Berlin' };
  const CLOSE = Date.parse('2026-11-24T04:00:00Z');
  it('is that of the span which opens next, or is open', () => {
    expect(findClose(rows, { ...window, opens: '2026-11-24T00:00:00Z' }, NOW)).toBe(CLOSE);
    expect(findClose(rows, window, CLOSE - 1)).toBe(CLOSE);
  });
  it('is not told where the plan does not say it, or not of this zone', () => {
    expect(findClose(rows, window, NOW)).toBeUndefined();
    expect(findClose(rows, { name: 'nights' }, CLOSE - 1)).toBeUndefined();
  });
  it('is not told where freezes make it differ between devices', () => {
    const [row] = rows;
    if (!row) throw new Error('no window');
    const cut = { ...row, spans: [{ open: -Infinity, close: CLOSE - 60_000 }] };
    expect(findClose([row, cut], window, CLOSE - 120_000)).toBeUndefined();
  });
});
