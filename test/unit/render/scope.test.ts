import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { PLAN_VERSION } from '../../../src/model/plan/plan.ts';
import type { PlanScope } from '../../../src/model/plan/scope.ts';
import { planLines } from '../../../src/plan/saved/save.ts';
import { readPlan } from '../../../src/plan/saved/saved.ts';
import { planAnnotations } from '../../../src/render/data/annotations.ts';
import { planHtml } from '../../../src/render/html/pages.ts';
import { COMMENT_LIMIT, planMarkdown, planText } from '../../../src/render/outputs/plan.ts';
import { PLAIN } from '../../../src/render/sinks/paint.ts';
import { buildPlanView } from '../../../src/render/view/view.ts';
import { FORBIDDEN, hostileNames } from '../../support/hostile.ts';
import { schemaErrors } from '../../support/plan-laws.ts';
import { brokenScope, scopedPlan } from '../../support/scoped.ts';

const keptScope = (text: string): PlanScope => ({
  trailers: [{ commit: 'c'.repeat(40), text, devices: 1, problems: [] }],
  changes: 1,
  devices: 1,
  outside: { changes: 0, devices: 0, classes: [] },
  passed: true,
});

const textOf = (plan: Plan): readonly string[] => [
  ...planText(buildPlanView(plan), { paint: PLAIN, width: 100 }),
];

const formats: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['text', (plan) => textOf(plan).join(' ').replace(/\s+/g, ' ')],
  ['md', (plan) => planMarkdown(buildPlanView(plan), { limit: COMMENT_LIMIT })],
  ['html', (plan) => [...planHtml(buildPlanView(plan), plan.changes)].join('\n')],
  ['ci', (plan) => planAnnotations(buildPlanView(plan)).join('\n')],
];

describe.each(formats)('G9 the scope of a request as %s', (name, write) => {
  it('says what is outside, with numbers and the next step', () => {
    const text = write(scopedPlan(brokenScope('site Lyon')));
    for (const words of [
      '1 change on 1 device outside the scope',
      'cannot read',
      'matches nothing',
      'is the name of several devices',
      'matches no change that this request causes',
      'its limit is 5',
      'no common commit',
      'narrow the documents',
      'at most N devices',
      'fetch the full history',
    ])
      expect(text).toContain(words);
  });

  it('counts the policies that the trailer of the next step does not name', () => {
    const scope = brokenScope('site Lyon');
    const [one] = scope.outside.classes;
    const policies = (count: number): Plan =>
      scopedPlan({
        ...scope,
        outside: {
          changes: count,
          devices: count,
          classes: Array.from({ length: count }, (_, n) => ({
            ...(one ?? { count: 1, devices: [] }),
            policy: `firmware.p${n}`,
          })) as typeof scope.outside.classes,
        },
      });
    expect(write(policies(5))).toMatch(
      /p0, firmware\.p1, firmware\.p2(`|<\/\w+>)* with 2 more policies in a/,
    );
    expect(write(policies(3))).not.toContain('more policies in a');
  });

  it('says that a request keeps to its scope', () => {
    const text = write(scopedPlan(keptScope('site Lyon')));
    expect(text).not.toContain('exceeds the scope');
    if (name === 'ci') expect(text).not.toContain('::error');
    else expect(text).toContain('1 change on 1 device caused by this request, all within');
  });

  it('says nothing without a trailer', () => {
    const plan = scopedPlan(keptScope('x'));
    const { scope: _scope, ...base } = plan.base ?? {};
    expect(write({ ...plan, base: base as never })).not.toMatch(/Scope:|to the scope/);
  });
});

describe('G9 a hostile trailer', () => {
  it('breaks no line, and starts no command', () => {
    for (const text of hostileNames(100)) {
      const plan = scopedPlan(brokenScope(text));
      for (const line of textOf(plan)) expect(line).not.toMatch(FORBIDDEN);
      const marks = planAnnotations(buildPlanView(plan));
      const errors = marks.filter((mark) => mark.startsWith('::error title='));
      expect(errors).toHaveLength(7);
      for (const mark of marks) expect(mark).not.toMatch(/[\r\n]/);
      const markdown = planMarkdown(buildPlanView(plan), { limit: COMMENT_LIMIT });
      for (const line of markdown.split('\n')) expect(line).not.toMatch(FORBIDDEN);
    }
  });
});

describe('G9 a saved plan with a scope', () => {
  it('follows its schema', () => {
    expect(PLAN_VERSION).toBe(1);
    for (const scope of [brokenScope('x'), keptScope('x')]) {
      const errors = schemaErrors([...planLines(scopedPlan(scope))].join('\n'));
      expect(errors).toEqual([]);
    }
  });

  it.each<readonly [string, Partial<PlanScope>]>([
    ['passes what is outside', { passed: true }],
    ['causes more than the groups have', { changes: 2, devices: 2 }],
    ['has more outside than it causes', { outside: { changes: 2, devices: 1, classes: [] } }],
    ['lists another number outside', { outside: { changes: 1, devices: 1, classes: [] } }],
  ])('is refused if it %s', async (_, wrong) => {
    const lines = (scope: PlanScope) => [...planLines(scopedPlan(scope))];
    await expect(readPlan(lines({ ...brokenScope('x'), ...wrong }))).rejects.toMatchObject({
      code: 'planTampered',
      params: { why: 'scope' },
    });
  });

  it('is refused by the schema if it has no trailer', async () => {
    const lines = [...planLines(scopedPlan({ ...brokenScope('x'), trailers: [] }))];
    await expect(readPlan(lines)).rejects.toMatchObject({ code: 'planTampered' });
  });
});
