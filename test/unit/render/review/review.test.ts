import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/render/markdown/plan-markdown.ts';
import { planText } from '../../../../src/render/text/terminal.ts';
import { viewOf } from '../../../../src/render/view/view.ts';
import { widthOf } from '../../../../src/render/sinks/width.ts';
import { LOOK } from '../../../support/render-look.ts';
import { reviewPlan } from '../../../support/review-fleet.ts';

describe('a plan of eight policies on 4,000 devices', async () => {
  const plan = await reviewPlan({ devices: 4_000, sites: 20 });
  const view = viewOf(plan);

  it('is read in 80 lines of 80 columns', async () => {
    const lines = [...planText(view, { ...LOOK, width: 80 })];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/review-4000.txt');
    expect(lines.length).toBeLessThanOrEqual(80);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  });
});

describe('a plan of eight policies on 1,500 devices', async () => {
  const plan = await reviewPlan({ devices: 1_500, sites: 12 });
  const view = viewOf(plan);

  it('is a comment', async () => {
    const text = planMarkdown(view, { limit: 65_536 });
    await expect(text).toMatchFileSnapshot('../goldens/review-1500.md');
  });
});
