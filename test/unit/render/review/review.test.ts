import { describe, expect, it } from 'vitest';
import { PLAN_COLUMNS } from '../../../../src/model/plan/actor.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { COMMENT_LIMIT, planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { LOOK } from '../../../support/render-look.ts';
import { reviewPlan } from '../../../support/review-fleet.ts';

describe('a plan of eight policies on 4,000 devices', async () => {
  const plan = await reviewPlan({ devices: 4_000, sites: 20 });
  const view = buildPlanView(plan);

  it('is read in 80 lines of 80 columns', async () => {
    const lines = [...planText(view, { ...LOOK, width: 80 })];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/review-4000.txt');
    expect(lines.length).toBeLessThanOrEqual(80);
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80);
  });

  it('is a comment of 12,000 characters before the folds, and fits with them', async () => {
    const text = planMarkdown(view, { limit: COMMENT_LIMIT });
    expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text.indexOf('<details>')).toBeLessThanOrEqual(12_000);
  });

  it('has one number of changes in its sentence, its table and its list, in every format', () => {
    const { changes, totals } = view.review;
    const [all, rest] = [changes, totals.done].map((count) => count.toLocaleString('en'));
    const listed = `All ${all} changes are listed; ${rest} are done`;
    const formats = [
      [...planText(view, { ...LOOK, width: 80 })].join('\n'),
      planMarkdown(view, { limit: COMMENT_LIMIT }),
      [...planHtml(view, plan.changes)].join('\n').replaceAll(/<[^>]*>/g, ''),
    ];
    for (const text of formats) {
      expect(text).toContain(' selected: ');
      expect(text).toContain(listed);
    }
    expect(formats[1]).toContain(`All changes in groups: ${all}`);
    expect(formats[2]).toContain(`All changes ${all}`);
  });

  it('adds up: the rows of the table, the totals, and every change of the plan', () => {
    const { policies, totals, changes } = view.review;
    for (const column of PLAN_COLUMNS)
      expect(policies.reduce((sum, row) => sum + row[column], 0)).toBe(totals[column]);
    const sum = PLAN_COLUMNS.reduce((all, column) => all + totals[column], 0);
    expect(sum).toBe(view.total);
    expect(changes).toBeLessThanOrEqual(sum - totals.done - totals.out);
    expect(totals.now).toBe(plan.counts.run);
  });
});
