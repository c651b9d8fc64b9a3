import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planLines } from '../../src/plan/saved/save.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { quotable } from '../../src/model/documents/quoted.ts';
import { findingBlocks } from '../../src/render/outputs/findings.ts';
import { planHtml } from '../../src/render/html/pages.ts';
import { planText } from '../../src/render/outputs/plan.ts';
import { PLAIN } from '../../src/render/sinks/paint.ts';
import { shown } from '../support/render-look.ts';
import { madeOnce, scenarios, type Scenario } from '../support/plan-scenario.ts';

const UPDATE = process.env['UPDATE_GOLDENS'] === '1';

/**
 * A golden is compared where it is there, and written where goldens are updated; a review reads it
 * like code.
 */
function expectGolden(scenario: Scenario, file: string, text: string): void {
  const path = join(scenario.folder, file);
  if (UPDATE) writeFileSync(path, text);
  if (existsSync(path)) expect(text).toBe(readFileSync(path, 'utf8'));
}

const ALL = scenarios().map((scenario) => [scenario.name, scenario] as const);

test.each(ALL)('%s', async (_, scenario) => {
  const { planned } = await madeOnce(scenario);
  const { plan, diagnostics, unwanted = [] } = planned;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toEqual(scenario.errors);
    expectGolden(scenario, 'plan.json', `${[...planLines(plan)].join('\n')}\n`);
    const style = { paint: PLAIN, width: 80, all: true };
    const text = [...planText(buildPlanView(plan, { all: true }), style)].join('\n');
    expectGolden(scenario, 'plan.txt', `${text}\n`);
    if (unwanted.length > 0)
      expectGolden(scenario, 'unwanted.json', `${JSON.stringify(unwanted, undefined, 1)}\n`);
    expect([...planHtml(buildPlanView(plan), plan.changes)].at(-1)).toContain('</html>');
    if (diagnostics.length === 0) return;
    const files = new Map(scenario.files.map(({ path, text: lines }) => [path, quotable(lines)]));
    expectGolden(scenario, 'findings.txt', shown(findingBlocks(diagnostics, files)));
});
