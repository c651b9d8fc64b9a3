import { describe, expect, it } from 'vitest';
import type { PlanHours } from '../../../src/model/hours.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { ganttLines } from '../../../src/render/gantt.ts';
import { closeOf, windowRows } from '../../../src/render/opening.ts';
import { timelineOf } from '../../../src/render/timeline.ts';
import { viewOf } from '../../../src/render/view.ts';
import { change, labels, NOW, planOf } from '../../support/render-plan.ts';

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
  timelineOf(viewOf(plan)).waves.map(({ from }) => new Date(from).toISOString().slice(0, 16));

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

  it('says where nobody can tell when a wave starts', () => {
    const [canary, rest] = waves().waves;
    if (!canary || !rest) throw new Error('no waves');
    const { opens: _, ...gated } = rest;
    const held = (second: Plan['waves'][number]) =>
      timelineOf(viewOf(waves({ waves: [canary, second] }))).waves.map((bar) => bar.held);
    expect(held(gated)).toEqual([undefined, 'gate']);
    expect(held({ ...gated, stopped: 'paused' })).toEqual([undefined, 'paused']);
  });

  it('is drawn as spans in a gantt: windows, soaks and freezes', () => {
    expect(ganttLines(timelineOf(viewOf(waves()))).slice(4)).toEqual([
      '  section firmware.axis-p32',
      '    canary, 2 changes, soak 24h :2026-11-24T00:00, 2026-11-25T00:00',
      '    rest, 7 changes :2026-11-28T00:00, 2026-11-28T01:00',
      '  section windows',
      '    nights, Europe/Berlin, 9 changes :active, 2026-11-24T00:00, 2026-11-24T04:00',
      '  section freezes',
      '    black-week :crit, 2026-11-25T12:00, 2026-11-27T12:00',
    ]);
  });
});

describe('the close of a window', () => {
  const rows = windowRows(HOURS);
  const window = { name: 'nights', zone: 'Europe/Berlin' };
  const CLOSE = Date.parse('2026-11-24T04:00:00Z');
  it('is that of the span which opens next, or is open', () => {
    expect(closeOf(rows, { ...window, opens: '2026-11-24T00:00:00Z' }, NOW)).toBe(CLOSE);
    expect(closeOf(rows, window, CLOSE - 1)).toBe(CLOSE);
  });
  it('is not told where the plan does not say it, or not of this zone', () => {
    expect(closeOf(rows, window, NOW)).toBeUndefined();
    expect(closeOf(rows, { name: 'nights' }, CLOSE - 1)).toBeUndefined();
  });
  it('is not told where freezes make it differ between devices', () => {
    const [row] = rows;
    if (!row) throw new Error('no window');
    const cut = { ...row, spans: [{ open: -Infinity, close: CLOSE - 60_000 }] };
    expect(closeOf([row, cut], window, CLOSE - 120_000)).toBeUndefined();
  });
});
