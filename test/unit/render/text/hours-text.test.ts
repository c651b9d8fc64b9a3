import { expect, it } from 'vitest';
import type { PlanHours } from '../../../../src/model/plan/plan.ts';
import { hoursBlocks } from '../../../../src/render/outputs/hours.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';

const LOOK = { paint: PLAIN, width: 80 };
const NIGHTS = [1, 2, 3, 4].map((day) => ({
  opens: `2026-11-2${day}T00:00:00Z`,
  closes: `2026-11-2${day}T04:00:00Z`,
}));

function told(windows: PlanHours['windows'], evaluatedAt = '2026-11-20T12:00:00Z'): string {
  const hours = { until: '2026-12-04T12:00:00Z', windows, freezes: [] };
  return [...printTerminal(hoursBlocks({ hours, evaluatedAt }), LOOK)].join('\n').trim();
}

it('tells the next openings by the clocks of the site, within 80 columns', () => {
  const windows = [{ name: 'nights', zone: 'Europe/Berlin', changes: 40, spans: NIGHTS, more: 9 }];
  expect(told(windows)).toBe(`Windows: 1

  nights, Europe/Berlin · 40 changes
    open     Sat 21 Nov 01:00 to 05:00; Sun 22 Nov 01:00 to 05:00; Mon 23 Nov
             01:00 to 05:00; and 10 later`);
});

it('begins with what is open now, leaves out what is over, and names the freezes', () => {
  const freezes = [{ name: 'black-week', spans: [{ closes: '2026-11-22T00:00:00Z' }] }];
  const windows = [{ name: 'nights', changes: 1, spans: NIGHTS.slice(0, 2), freezes }];
  expect(told(windows, '2026-11-21T01:00:00Z')).toContain(`nights, UTC · 1 change
    open     now, until Sat 21 Nov 04:00; Sun 22 Nov 00:00 to 04:00
    frozen   black-week, until Sun 22 Nov 00:00`);
  expect(told(windows, '2026-11-23T00:00:00Z')).toContain('opens    not before Fri 4 Dec 12:00');
});

it('says the day again where an opening ends on another one, and nothing of what is always open', () => {
  const late = [{ opens: '2026-11-21T23:00:00Z', closes: '2026-11-22T05:00:00Z' }];
  expect(told([{ name: 'late', zone: 'UTC', changes: 1, spans: late }])).toContain(
    'Sat 21 Nov 23:00 to Sun 22 Nov 05:00',
  );
  expect(told([{ name: 'anytime', changes: 5, spans: [{}] }])).toBe('');
  expect(hoursBlocks({ evaluatedAt: '2026-11-20T12:00:00Z' })).toEqual([]);
});

it('shows no control byte of a name', () => {
  const name = 'nights\u001b]0;x\u0007';
  expect(told([{ name, zone: 'UTC', changes: 1, spans: NIGHTS }])).not.toMatch(/[\u0007\u001b]/);
});

const DAY = { opens: '2026-11-21T12:00:00Z', closes: '2026-11-22T12:00:00Z' };
const NOON = '2026-11-21T12:00:00Z';
const row = (spans: PlanHours['windows'][number]['spans'], more: object = {}) => [
  { name: 'w', changes: 1, spans, ...more },
];

/** What a window says on its own lines, and each edge of it at the very moment of the plan. */
it.each([
  ['open for ever from now on', row([{ opens: NOON }]), 'open     now'],
  [
    'open for ever from later on',
    row([{ opens: '2026-11-23T00:00:00Z' }]),
    'open     from Mon 23 Nov 00:00',
  ],
  ['open since ever', row([{ closes: DAY.closes }]), 'open     now, until Sun 22 Nov 12:00'],
  ['opening this moment', row([DAY]), 'open     now, until Sun 22 Nov 12:00'],
  [
    'closing this moment',
    row([{ opens: '2026-11-20T00:00:00Z', closes: NOON }]),
    'opens    not before Fri 4 Dec 12:00',
  ],
  ['with more than are listed', row([DAY], { more: 2 }), 'and 2 later'],
  ['in a zone that nobody knows', row([DAY], { zone: 'Mars/Base' }), 'w, UTC · 1 change'],
  [
    'frozen without an end, and by a second freeze on its own clocks',
    row([DAY], {
      zone: 'Asia/Tokyo',
      freezes: [
        { name: 'a', spans: [{ opens: NOON }] },
        { name: 'b', spans: [{ closes: DAY.closes }, { opens: '2026-12-01T00:00:00Z' }] },
        { name: 'c', spans: [] },
      ],
    }),
    'frozen   a; b, until Sun 22 Nov 21:00; c',
  ],
  ['one of two', [...row([DAY]), ...row([DAY])], 'Windows: 2'],
  [
    'with a control byte in the name of a freeze',
    row([DAY], { freezes: [{ name: 'x\u0007', spans: [{ closes: DAY.closes }] }] }),
    'frozen   x\\u{7}, until',
  ],
] as const)('tells of a window that is %s', (_, windows, says) => {
  expect(told(windows as PlanHours['windows'], NOON)).toContain(says);
});

it('says nothing of what is always open, whatever else is said of it', () => {
  expect(told(row([{}, DAY]), NOON)).toBe('');
});
