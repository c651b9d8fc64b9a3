import { describe, expect, it } from 'vitest';
import type { PlanForecast } from '../../../../src/model/plan/plan.ts';
import { head as isPlanHead } from '../../../../src/plan/saved/plan-checks.gen.ts';
import { forecastBlocks } from '../../../../src/render/outputs/forecast.ts';
import { printHtml } from '../../../../src/render/print/html.ts';
import { printMarkdown } from '../../../../src/render/print/markdown.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { UTC } from '../../../../src/render/words/local.ts';
import { LOOK } from '../../../support/render-look.ts';
import { treeText } from '../../../support/tree-words.ts';
import { nightPlan } from '../../../support/render-plan.ts';

const COUNTS = { devices: 1_200, done: 1_190, failed: 1, late: 0, blocked: 9 };
const REHEARSED = {
  is: 'rehearsed',
  until: '2026-12-04T01:12:00Z',
  courses: 5,
  devices: 1_400,
  policies: [
    {
      policy: 'firmware.axis-p32',
      task: 'upgradeFirmware',
      ...COUNTS,
      p50: '2026-11-24T01:23:00Z',
    },
  ],
} as const satisfies PlanForecast;

const LEFT_OUT: readonly PlanForecast[] = (['tooLarge', 'tooSlow', 'part', 'failed'] as const).map(
  (why) => ({
    is: 'leftOut',
    why,
    limit: 60,
  }),
);

const PAGE = { clock: UTC, now: Date.parse('2026-11-20T01:12:00Z') };
const treeOf = (forecast: PlanForecast): string => treeText(forecastBlocks(forecast, PAGE));

describe('the forecast of a plan', () => {
  it('has a line for each policy', () => {
    expect(treeOf({ ...REHEARSED, assumesApproval: true }))
      .toBe(`# Forecast: 1 policy until Fri 4 Dec 01:12 UTC
  | Policy | All | Done | Failed | Late | Held | Finish p50 | p95
  | ‹firmware.axis-p32› | 1,200 | 1,190 | 1 | - | 9 | 24 Nov 01:23 | -
  Rehearsed on a simulated copy of the whole fleet (1,400 devices, 5 simulations). \`fleetform rehearse\` shows waves, windows and outages.
  Every plan counts as approved.`);
  });

  it('counts the policies that it does not list', () => {
    const [row] = REHEARSED.policies;
    const policies = Array.from({ length: 14 }, () => row);
    const blocks = forecastBlocks({ ...REHEARSED, policies, more: 3 }, PAGE);
    expect(treeText(blocks)).toContain('Forecast: 17 policies');
    expect(printMarkdown(blocks)).toContain('and 5 more policies');
    expect([...printTerminal(blocks, LOOK)]).toContain('  and 5 more policies');
    expect(printHtml(blocks)).toContain('<p>and 3 more policies</p>');
  });

  it('says that no policy has work', () => {
    expect(treeOf({ ...REHEARSED, policies: [] })).toContain(
      '\n  No policy has work until Fri 4 Dec 01:12 UTC.\n',
    );
  });

  it.each(LEFT_OUT)('says why it is left out: $why', (forecast) => {
    expect(treeOf(forecast)).toMatch(/^# Forecast: left out\n {2}[A-Z][^{]*\.$/);
  });

  it('is not mentioned where no plan asked for one', () => {
    expect(forecastBlocks(undefined, PAGE)).toEqual([]);
  });
});

describe('the forecast in a saved plan', () => {
  it.each([REHEARSED, ...LEFT_OUT])('is read: %j', (forecast) => {
    const { changes: _, ...head } = { ...nightPlan(), forecast };
    expect(isPlanHead(head)).toBe(true);
  });

  it.each([
    { ...REHEARSED, until: 'soon' },
    { ...REHEARSED, courses: -1 },
    { ...REHEARSED, policies: [{ ...REHEARSED.policies[0], p50: 'soon' }] },
    { ...REHEARSED, policies: [{ ...REHEARSED.policies[0], policy: 3 }] },
    { is: 'leftOut', why: '</details>' },
    { is: 'other' },
  ])('is refused where it is anything else: %j', (forecast) => {
    const { changes: _, ...rest } = nightPlan();
    const head = { ...rest, forecast };
    expect(isPlanHead(head)).toBe(false);
  });
});
