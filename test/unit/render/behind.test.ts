import { describe, expect, it } from 'vitest';
import type { Behind } from '../../../src/model/plan/plan.ts';
import { planAnnotations } from '../../../src/render/data/annotations.ts';
import { planHtml } from '../../../src/render/html/pages.ts';
import { BEHIND_WORDS } from '../../../src/render/words/terms.ts';
import { PLAIN } from '../../../src/render/sinks/paint.ts';
import { planMarkdown, planText } from '../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../src/render/view/view.ts';
import { change, planOf } from '../../support/render-plan.ts';

const TIP = 'a'.repeat(40);
const LEFT = 'b'.repeat(40);

function behind(is: Behind['is']): Behind {
  const tip = is === 'merged' || is === 'unrelated' ? {} : { tip: TIP };
  return { lacks: 3, is, ...tip, ...(is === 'conflict' && { files: ['fleet/<b>.yaml'] }) };
}

/** What each format says of it, with its own marks for what comes from outside. */
function told(is: Behind['is']): Readonly<Record<'text' | 'markdown' | 'html' | 'ci', string>> {
  const counts = { branch: 1, pending: 0, clock: 0, dropped: 0 };
  const base = { ref: 'main', commit: LEFT, behind: behind(is), counts, gone: [] };
  const plan = { ...planOf([change({ id: 'dev-1' })]), base };
  const view = buildPlanView(plan);
  const whole = (lines: Iterable<string>): string => [...lines].join(' ').replace(/\s+/g, ' ');
  return {
    text: whole(planText(view, { paint: PLAIN, width: 80 })),
    markdown: whole([planMarkdown(view, { limit: 60_000 })]),
    html: whole(planHtml(view, plan.changes)),
    ci: whole(planAnnotations(view)),
  };
}

describe.each(Object.keys(BEHIND_WORDS) as Behind['is'][])('a branch behind its base: %s', (is) => {
  const { text, markdown, html, ci } = told(is);

  it('is said in every format', () => {
    const count = is === 'unrelated' ? 'no common commit' : '3 commits that this branch lacks';
    for (const each of [text, markdown, html]) expect(each).toContain(count);
  });

  it('says where it left, where the plan is compared with that', () => {
    const isLeft = is !== 'merged' && is !== 'unrelated';
    for (const each of [text, markdown, html])
      expect(each.includes('merge base with')).toBe(isLeft);
  });

  it('is a mark of its own in CI, unless the plan is of the merge', () => {
    expect(ci.includes('title=behind the base')).toBe(is !== 'merged');
    expect(markdown).toContain(is === 'merged' ? '[!NOTE]' : '[!WARNING]');
  });
});

it('names the files of a conflict through the sink of each format', () => {
  const { text, markdown, html } = told('conflict');
  expect(text).toContain('fleet/<b>.yaml');
  expect(markdown).toContain('`fleet/<b>.yaml`');
  expect(html).toContain('fleet/&#60;b&#62;.yaml');
});
