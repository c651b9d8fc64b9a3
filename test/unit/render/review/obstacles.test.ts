import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/model/documents/diagnostic.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { planAnnotations } from '../../../../src/render/data/annotations.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { change, labels, planOf } from '../../../support/render-plan.ts';

const [DEVICE] = labels(1);

function warning(code: Diagnostic['code'], params: Diagnostic['params'] = {}): Diagnostic {
  return { code, severity: 'warning', params };
}

/** A plan with one ordinary warning and one about what apply cannot do. */
function planWith(obstacle: Diagnostic) {
  const ordinary = warning('generationLowered', { policy: 'rotations.doors' });
  const plan = planOf([change(DEVICE ?? { id: 'dev-1' })], { warnings: [ordinary, obstacle] });
  return { plan, view: buildPlanView(plan) };
}

const FORMATS = {
  text: ({ view }: ReturnType<typeof planWith>) =>
    [...planText(view, { paint: PLAIN, width: 400 })].join('\n'),
  markdown: ({ view }: ReturnType<typeof planWith>) => planMarkdown(view, { limit: 65_536 }),
  html: ({ view, plan }: ReturnType<typeof planWith>) =>
    [...planHtml(view, plan.changes)].join('\n').replace(/^[\s\S]*<body>/, ''),
};

const OBSTACLES = [
  ['no filter is honoured', warning('nothingCanStart'), 'cannot start any task'],
  [
    'the dialect says that a field does not exist',
    warning('fieldNotMapped', { what: 'the storage server', key: 'storageServerField' }),
    'The service does not return',
  ],
  [
    'what a task changes is not shown',
    warning('effectNotShown', { count: 3 }),
    'cannot confirm the changes',
  ],
  [
    'a field is understood on no device',
    warning('valueUnreadable', { field: 'sites', count: 1000, devices: 'dev-1' }),
    'Unreadable value',
  ],
] as const;

const CASES = OBSTACLES.flatMap(([why, obstacle, says]) =>
  Object.entries(FORMATS).map(([format, print]) => ({ why, format, obstacle, says, print })),
);

describe('what apply cannot do stands before the plan', () => {
  it.each(CASES)('in $format, where $why', ({ obstacle, says, print }) => {
    const said = print(planWith(obstacle)).replaceAll(/<[^>]*>/g, '');
    expect(said.indexOf('What apply cannot do')).toBeGreaterThanOrEqual(0);
    expect(said.indexOf(says)).toBeGreaterThanOrEqual(0);
    expect(said.indexOf(says)).toBeLessThan(said.search(/1 selected|Plan for/));
    expect(said.indexOf('was lowered')).toBeGreaterThan(said.search(/1 selected|Plan for/));
    expect(said.split(says)).toHaveLength(2);
  });

  it('as the first annotation', () => {
    const { view } = planWith(warning('nothingCanStart'));
    expect(planAnnotations(view)[0]).toContain('cannot start any task');
  });

  it('and one device with an odd field is a warning like others', () => {
    const odd = warning('valueUnreadable', { field: 'sites', count: 1, devices: 'dev-1' });
    expect(FORMATS.text(planWith(odd))).not.toContain('What apply cannot do');
  });
});
