import { describe, expect, it } from 'vitest';
import type { Plan, GuardrailVerdict } from '../../../../src/model/plan/plan.ts';
import { planAnnotations } from '../../../../src/render/data/annotations.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { COMMENT_LIMIT, planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { LOOK } from '../../../support/render-look.ts';
import { planOf } from '../../../support/render-plan.ts';

const VANISHED: GuardrailVerdict = {
  guardrail: 'default',
  limit: 'maxVanished',
  value: 30,
  number: 40,
  of: 100,
  allowed: 10,
  passed: false,
};

/** Everything that a person may read of a plan. */
const FORMATS: readonly [string, (plan: Plan) => Iterable<string>][] = [
  ['text', (plan) => planText(buildPlanView(plan), LOOK)],
  ['markdown', (plan) => [planMarkdown(buildPlanView(plan), { limit: COMMENT_LIMIT })]],
  ['HTML', (plan) => planHtml(buildPlanView(plan), plan.changes)],
  ['annotations', (plan) => planAnnotations(buildPlanView(plan))],
];

describe('the way out of a limit', () => {
  it.each(FORMATS)('is that of this very limit as %s', (_, render) => {
    const text = [...render(planOf([], { verdicts: [VANISHED] }))]
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('check what the user may read; if the devices were moved');
    expect(text).not.toContain('select fewer devices');
  });
});
