import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToSummary } from '../../../src/cli/process/step.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { ACTIONS, type Action, type Change, type Changes } from '../../../src/model/plan/change.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { COMMENT_LIMIT, planMarkdown } from '../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../src/render/view/view.ts';
import { change, planOf } from '../../support/render-plan.ts';
import { scratchFolder } from '../../support/scratch.ts';

const COUNT = 1_000_000;
const POLICIES = 31;
const MIB = 1024 ** 2;

/** The nth change of the plan; made when it is asked for, as a plan's columns make it. */
function changeAt(n: number): Change {
  const id = `dev-${n}`;
  return change(
    { id, name: `cam-${n}`, site: `site ${n % 997}` },
    {
      action: ACTIONS[n % 3] ?? 'run',
      at: {
        policy: `firmware.p${n % POLICIES}`,
        file: `fleet/f${n % 7}.yaml`,
        line: 1 + (n % 5),
        column: 3,
      },
    },
  );
}

/** Never more than one of them in memory. */
const CHANGES: Changes = {
  length: COUNT,
  *[Symbol.iterator]() {
    for (let n = 0; n < COUNT; n++) yield changeAt(n);
  },
};

const third = (nth: number): number => Math.floor((COUNT - nth + 2) / 3);
const BY_ACTION: Readonly<Record<Action, number>> = {
  run: third(0),
  wait: third(1),
  skip: third(2),
  note: 0,
};
const PLAN: Plan = { ...planOf([]), changes: CHANGES, counts: BY_ACTION };

it('a million changes are told within a comment and a step summary, with exact counts', () => {
  const view = buildPlanView(PLAN);
  expect([view.represented, view.total]).toEqual([COUNT, COUNT]);
  const total = (all: readonly { readonly count: number }[]): number =>
    all.reduce((sum, { count }) => sum + count, 0);
  expect(total(view.classes)).toBe(COUNT);
  expect(total(view.classes.flatMap(({ sites }) => sites))).toBe(COUNT);
  const comment = planMarkdown(view, { limit: COMMENT_LIMIT });
  expect(comment.length).toBeLessThanOrEqual(COMMENT_LIMIT);
  expect(comment).toContain('All 1,000,000 changes are listed.');
  expect(countedIn(comment)).toBe(COUNT);

  const file = join(scratchFolder('million'), 'summary.md');
  writeFileSync(file, '');
  const shell = { env: { GITHUB_STEP_SUMMARY: file } } as unknown as Shell;
  addToSummary(shell, (limit) => planMarkdown(view, { limit }));
  const summary = readFileSync(file);
  expect(summary.length).toBeLessThanOrEqual(MIB);
  expect(summary.length).toBeGreaterThan(comment.length);
  expect(countedIn(summary.toString())).toBe(COUNT);
});

/** The devices of all groups, and of those that are left out, added up. */
function countedIn(text: string): number {
  const counts = text.matchAll(/^- (?:\*\*.* · ([\d,]+) devices?\*\*|and ([\d,]+) in )/gm);
  return [...counts].reduce(
    (sum, [, listed, left]) => sum + Number((listed ?? left ?? '').replaceAll(',', '')),
    0,
  );
}
