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
const HOURS: PlanHours = {
  until: '2026-12-04T01:12:00Z',
  windows: [
    {
      name: 'nights',
      zone: 'Europe/Berlin',
      changes: 9,
      spans: [night('24'), night('25'), night('28')],
    },
  ],
};

const DATES: NonNullable<Plan['dates']> = [
  {
    policy: 'firmware.axis-p32',
    starts: '2026-11-24T00:00:00Z',
    ends: '2026-11-28T00:40:00Z',
    waves: [
      {
        name: 'canary',
        changes: 2,
        starts: '2026-11-24T00:00:00Z',
        ends: '2026-11-24T00:12:00Z',
      },
      { name: 'rest', changes: 7, starts: '2026-11-28T00:00:00Z', ends: '2026-11-28T00:40:00Z' },
    ],
  },
];

/** Two waves that go by the nights in Berlin. */
function waves(dates = DATES, other: Partial<Plan> = {}): Plan {
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
    dates,
    ...other,
  });
}

describe('the timeline', () => {
  it('draws each wave from its first start through its soak, by the forecast', () => {
    const [canary, rest] = buildPlanView(waves()).timeline.waves;
    const at = (text: string) => Date.parse(`2026-11-${text}Z`);
    expect(canary).toMatchObject({
      from: at('24T00:00'),
      last: at('24T00:12'),
      to: at('25T00:12'),
      changes: 2,
    });
    expect(rest).toMatchObject({ from: at('28T00:00'), last: at('28T00:40'), to: at('28T01:00') });
    const html = [...planHtml(buildPlanView(waves()), waves().changes)].join('');
    expect(html).toContain('<td data-label="Starts">24 Nov</td><td data-label="Ends">28 Nov</td>');
  });

  it('says where a wave has no end', () => {
    const blocked = DATES.map(({ ends: _, ...row }) => ({
      ...row,
      waves: row.waves.map(({ name, changes, starts = '' }) => ({ name, changes, starts })),
    }));
    const held = (plan: Plan) => buildPlanView(plan).timeline.waves.map((bar) => bar.held);
    expect(held(waves(blocked))).toEqual(['blocked', 'blocked']);
    const stopped = waves().waves.map((wave) => ({ ...wave, stopped: 'paused' as const }));
    expect(held(waves(blocked, { waves: stopped }))).toEqual(['paused', 'paused']);
  });

  it('has no bar for a wave of which all changes need a person', () => {
    const [row] = DATES;
    const [canary] = row?.waves ?? [];
    if (!row || !canary) throw new Error('no waves');
    const { timeline } = buildPlanView(
      waves([{ ...row, waves: [canary, { name: 'rest', changes: 0 }] }]),
    );
    expect(timeline.waves.map(({ wave }) => wave)).toEqual(['canary']);
  });

  it('has nothing of a plan of an earlier version', () => {
    const { dates: _, ...plan } = waves();
    expect(buildPlanView(plan).timeline.waves).toEqual([]);
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
