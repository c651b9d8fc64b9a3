import { describe, expect, it } from 'vitest';
import { planSchema } from '../../../../src/config/plan-schema.ts';
import { FORECAST_GAPS, type PlanForecast } from '../../../../src/model/plan/plan-forecast.ts';
import { isPlanHead } from '../../../../src/plan/saved/plan-shape.ts';
import { planMarkdown } from '../../../../src/render/markdown/plan-markdown.ts';
import { planHtml } from '../../../../src/render/html/report.ts';
import { planText } from '../../../../src/render/text/terminal.ts';
import { textStyle } from '../../../../src/shell/output.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
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

const LEFT_OUT: readonly PlanForecast[] = FORECAST_GAPS.map((why) => ({
  is: 'leftOut',
  why,
  limit: 60,
}));

function textOf(forecast: PlanForecast): string {
  return planMarkdown(buildPlanView({ ...nightPlan(), forecast }), { limit: 65_536 });
}

describe('the forecast in a comment', () => {
  it('has the end of each policy, folded', () => {
    expect(textOf(REHEARSED))
      .toContain(`<details><summary>Forecast: 1 policy until Fri 4 Dec 01:12 UTC</summary>

| Policy | Devices | Done | Failed | Late | Held | Finish p50 | p95 |
| :-- | --: | --: | --: | --: | --: | :-- | :-- |
| \`firmware.axis-p32\` | 1,200 | 1,190 | 1 | 0 | 9 | Tue 24 Nov 01:23 | - |

Rehearsed on a simulated copy of the whole fleet (1,400 devices, 5 simulations). \`fleetform rehearse\` shows waves, windows and outages.

</details>
`);
  });

  it('counts the policies that it does not list, and shows names of policies as code', () => {
    const [row] = REHEARSED.policies;
    const policies = Array.from({ length: 14 }, () => ({ ...row, policy: '</details> @all' }));
    const text = textOf({ ...REHEARSED, policies, more: 3 });
    expect(text).toContain('Forecast: 17 policies');
    expect(text).toContain('and 5 more policies');
    expect(text).toContain('| `</details> @all` | 1,200');
  });

  it('says that every plan counts as approved, and that no policy has work', () => {
    const text = textOf({ ...REHEARSED, policies: [], assumesApproval: true });
    expect(text).toContain('No policy has work until Fri 4 Dec 01:12 UTC.');
    expect(text).toContain('outages. Every plan counts as approved.');
  });

  it.each(LEFT_OUT)('says why it is left out: $why', (forecast) => {
    const text = textOf(forecast);
    expect(text).toContain('<details><summary>Forecast: left out</summary>\n\n');
    expect(text).not.toContain('{');
  });
});

describe('the forecast in a terminal and on the page', () => {
  const style = textStyle({ write: () => undefined, isTerminal: false, columns: 80 }, {});
  const linesOf = (forecast: PlanForecast): string =>
    [...planText(buildPlanView({ ...nightPlan(), forecast }), style)].join('\n');
  const pageOf = (forecast: PlanForecast): string => {
    const plan = { ...nightPlan(), forecast };
    const page = [...planHtml(buildPlanView(plan), plan.changes)].join('');
    return /<section aria-labelledby="forecast">[^]*?<\/section>/.exec(page)?.[0] ?? '';
  };

  it('has a line for each policy in the terminal', () => {
    expect(linesOf({ ...REHEARSED, assumesApproval: true }))
      .toContain(`Forecast: 1 policy until Fri 4 Dec 01:12 UTC
POLICY               ALL   DONE  FAILED  LATE  HELD  FINISH P50    P95
firmware.axis-p32  1,200  1,190       1     -     9  24 Nov 01:23  -
  Rehearsed on a simulated copy of the whole fleet (1,400 devices, 5
  simulations). \`fleetform rehearse\` shows waves, windows and outages.
  Every plan counts as approved
`);
  });

  it('has a row for each policy on the page, and names are data', () => {
    const [row] = REHEARSED.policies;
    const page = pageOf({ ...REHEARSED, policies: [{ ...row, policy: '<b>&' }], more: 2 });
    expect(page).toContain('<h2 id="forecast">Forecast: 3 policies until Fri 4 Dec 01:12 UTC</h2>');
    expect(page).toMatch(/>1,200<.*>1,190<.*>Tue 24 Nov 01:23</s);
    expect(page).not.toContain('<b>');
    expect(page).toContain('and 2 more policies');
  });

  it.each(LEFT_OUT)('says why it is left out: $why', (forecast) => {
    expect(linesOf(forecast)).toMatch(/Forecast: left out\n {2}[A-Z][^{]*\./);
    expect(pageOf(forecast)).toMatch(/Forecast: left out<\/h2>\n<p>[A-Z][^{]*\.<\/p>/);
  });

  it('is not mentioned where no plan asked for one', () => {
    const plan = nightPlan();
    expect([...planText(buildPlanView(plan), style)].join('')).not.toContain('Forecast');
    expect([...planHtml(buildPlanView(plan), plan.changes)].join('')).not.toContain(
      'id="forecast"',
    );
  });
});

describe('the forecast in a saved plan', () => {
  it.each([REHEARSED, ...LEFT_OUT])('is read, by its shape and by its schema: %j', (forecast) => {
    const { changes: _, ...head } = { ...nightPlan(), forecast };
    expect(isPlanHead(head)).toBe(true);
    expect(planSchema().fitsHead(head)).toBe(true);
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
    expect(planSchema().fitsHead(head)).toBe(false);
  });
});
