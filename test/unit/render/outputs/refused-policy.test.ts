import { expect, test } from 'vitest';
import { why } from '../../../../src/plan/explain/why.ts';
import { planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { reportBlocks } from '../../../../src/render/outputs/run.ts';
import { whyBlocks } from '../../../../src/render/outputs/why.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { fleetStatus } from '../../../../src/report/status.ts';
import { findRefusing } from '../../../../src/model/documents/diagnostic.ts';
import { OUTCOMES, type RunReport } from '../../../../src/model/ledger/run-report.ts';
import { madeOnce, readScenario } from '../../../support/plan-scenario.ts';
import { LOOK, shown } from '../../../support/render-look.ts';
import { statusText } from '../../../support/status-text.ts';

// Of `rotations.unguarded` nothing is due, and one device expires in a freeze.
const SCENARIO = readScenario(
  '443-K27-R6-a-password-that-expires-in-a-freeze-refuses-its-policy-alone',
);
const ROW = /rotations\.unguarded +- +- +- +1/;
const FINDING = /Refused: rotations\.unguarded: no window opens/;

test('a refused policy is not done, and its finding is not cut, in any screen (semantics K27)', async () => {
  const { planned, input } = await madeOnce(SCENARIO);
  const view = buildPlanView(planned.plan);
  const status = fleetStatus({
    plan: planned.plan,
    debts: planned.debts,
    memory: input.memory,
    now: input.now,
    lostAfter: () => 0,
    isListed: () => true,
  });
  const screens = [
    [...planText(view, { ...LOOK, isSummary: true })].join('\n'),
    [...statusText(status, { ...LOOK, plan: view })].join('\n'),
  ];
  for (const screen of screens) {
    expect(screen).toMatch(ROW);
    expect(screen).toMatch(FINDING);
    expect(screen).toContain('next: mend fleet/fleet.yaml:16 (rotations.passwords is refused');
  }
  const comment = planMarkdown(view, { limit: 65_536 });
  expect(comment).toMatch(/rotations\.unguarded.*refused/);
  expect(comment).toMatch(/Refused: .*rotations\.unguarded/);
});

test('a request that refuses a policy says so first, and next what to mend in it (semantics K27)', async () => {
  const { planned } = await madeOnce(SCENARIO);
  const base = {
    ref: 'main',
    commit: 'a'.repeat(40),
    counts: { branch: 0, pending: 0, clock: 0, dropped: 0 },
    gone: [],
    lines: [{ file: 'fleet/christmas.yaml', line: 3, column: 1 }],
  } as const;
  const textOf = (refuses?: [string]) => {
    const plan = { ...planned.plan, base: { ...base, ...(refuses && { refuses }) } };
    return [...planText(buildPlanView(plan), { ...LOOK, width: 200, isSummary: true })].join('\n');
  };
  const mend = 'mend fleet/christmas.yaml:3 (rotations.unguarded is refused: no start in time)';
  expect(textOf(['rotations.unguarded'])).toMatch(
    /^With this request rotations\.unguarded is refused\. It starts no change\./,
  );
  expect(textOf(['rotations.unguarded'])).toContain(`next: ${mend}, then plan again`);
  expect(textOf()).toContain('next: review fleet/christmas.yaml:3:1, then merge');
});

test('a run names what it refuses, and why explains it of a device that is at rest (semantics K27)', async () => {
  const { planned, input } = await madeOnce(SCENARIO);
  const { coverage, notes, warnings } = planned.plan;
  if (!coverage) throw new Error('no coverage');
  const report: RunReport = {
    planId: '',
    endings: [],
    notes,
    counts: Object.fromEntries(OUTCOMES.map((each) => [each, 0])) as RunReport['counts'],
    anomalies: [],
    attempts: 0,
    surveyed: { coverage, isTorn: false, beyond: 0, news: [], refusing: findRefusing(warnings) },
  };
  const run = shown(reportBlocks(report, { now: input.now, exit: 0 }));
  expect(run).toMatch(/rotations\.unguarded +- +- +- +1/);
  expect(run).toContain('2 policies are refused');
  expect(shown(whyBlocks(why(input, 'unguarded'), {}))).toMatch(/policy refused:\s+rotations/);
});
