import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { readPlan } from '../../../../src/plan/saved/saved.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { causedSentence } from '../../../../src/render/words/review/review-words.ts';
import { schemaErrors } from '../../../support/plan-laws.ts';
import { scenarios } from '../../../support/plan-scenario.ts';
import { change, comparedPlan, planOf } from '../../../support/render-plan.ts';

const ABOUT = { ref: 'main', commit: 'b'.repeat(40) };
const OFFLINE = { code: 'offline' } as const;
const NIGHT = { name: 'nights', zone: 'Europe/Berlin' };

/** What became of one change, between a plan and its base. */
function groupOf(now: Change | undefined, before: Change | undefined): string {
  const base = planOf(before ? [before] : []);
  const { changes, base: said } = compareWithBase(planOf(now ? [now] : []), base, ABOUT);
  const [only] = changes;
  return only?.group ?? `gone ${said?.gone.length}`;
}

test.each([
  ['frozen', {}, 1],
  ['hold', {}, 1],
  ['windowClosed', {}, undefined],
  ['frozen', { target: '12.0.1' }, undefined],
] as const)('of a change that the base starts, %s with %j holds back: %s', (code, more, held) => {
  const before = change({ id: 'dev-1' });
  const now = { ...before, ...more, action: 'wait', reason: { code } } as const;
  expect(compareWithBase(planOf([now]), planOf([before]), ABOUT).base?.held).toBe(held);
});

const CLOSED = { code: 'windowClosed' } as const;
const [AT_TWO, AT_NINE] = ['2026-12-01T02:00:00Z', '2026-12-01T09:00:00Z'].map((opens) => ({
  action: 'wait' as const,
  reason: CLOSED,
  window: { ...NIGHT, opens },
}));

test.each([
  ['in a window that opens earlier', AT_NINE, AT_TWO, 1],
  ['in a window that opens later', AT_TWO, AT_NINE, undefined],
  ['as before', AT_TWO, AT_TWO, undefined],
  ['earlier, and is caused by the request', AT_NINE, { ...AT_TWO, target: '12.0.1' }, undefined],
] as const)('a change that starts %s (semantics G10)', (_, was, is, earlier) => {
  const [before, now] = [was, is].map((more) => change({ id: 'dev-1' }, more as object));
  const plan = compareWithBase(planOf(now ? [now] : []), planOf(before ? [before] : []), ABOUT);
  expect(plan.base?.earlier).toBe(earlier);
  const said = causedSentence(buildPlanView(plan));
  expect(said.includes('It lets 1 change start earlier.')).toBe(earlier === 1);
});

test.each([
  ['paused by a person as well', { next: 'never', params: { alsoPaused: 'firmware.a' } }],
  ['acknowledged', { next: 'never', params: { acknowledged: 'known' } }],
] as const)('what is %s is not held back, since nothing starts it later', (_, more) => {
  const [paused, other] = [change({ id: 'dev-1' }), change({ id: 'dev-2' })];
  const reason = { code: 'hold', next: 7_000 } as const;
  const held = { ...other, action: 'wait', reason } as const;
  const stopped = { ...paused, action: 'wait', reason: { ...reason, ...more } } as const;
  const plan = compareWithBase(planOf([stopped, held]), planOf([paused, other]), ABOUT);
  expect(plan.base).toMatchObject({ counts: { branch: 2 }, held: 1 });
  expect(causedSentence(buildPlanView(plan))).toMatch(
    /^This request starts no change(; 1 needs you)?\. It holds 1 change back\.$/,
  );
});

test('a saved plan that holds more back than its changes say is refused', async () => {
  const held = change({ id: 'dev-1' }, { action: 'wait', reason: { code: 'hold', next: 7_000 } });
  const plan = comparedPlan([held]);
  const { base } = plan;
  const holding = (count: number): Plan => ({
    ...plan,
    ...(base && { base: { ...base, held: count } }),
  });
  expect((await readPlan(planLines(holding(1)))).base?.held).toBe(1);
  const refused = { code: 'planTampered', params: { why: 'groups' } };
  await expect(readPlan(planLines(holding(2)))).rejects.toMatchObject(refused);
});

describe('a plan compared with its base', () => {
  const one = change({ id: 'dev-1' });
  const later = { ...one, reason: { code: 'act', why: 'versionDiffers', since: 7 } } as const;

  it.each([
    ['wanted before, all the same', one, one, 'pending'],
    ['written on another line', { ...one, at: { ...one.at, line: 90 } }, one, 'pending'],
    ['since another moment', later, one, 'pending'],
    [
      'with a window that opens later',
      { ...one, window: { ...NIGHT, opens: '1' } },
      { ...one, window: NIGHT },
      'pending',
    ],
    ['due by the clock in both', { ...one, cause: 'clock' }, { ...one, cause: 'clock' }, 'clock'],
    ['skipped in both', { ...one, action: 'skip' }, { ...one, action: 'skip' }, 'pending'],
    ['not there before', one, undefined, 'branch'],
    ['with another target', { ...one, target: '12.0.1' }, one, 'branch'],
    ['with another value after', { ...one, after: { firmwareVersion: '12' } }, one, 'branch'],
    ['in another wave', { ...one, wave: 'rest' }, { ...one, wave: 'canary' }, 'branch'],
    [
      'in another window',
      { ...one, window: NIGHT },
      { ...one, window: { name: 'anytime' } },
      'branch',
    ],
    [
      'in another zone',
      { ...one, window: { ...NIGHT, zone: 'UTC' } },
      { ...one, window: NIGHT },
      'branch',
    ],
    [
      'of another policy',
      { ...one, policy: 'firmware.b', at: { ...one.at, policy: 'firmware.b' } },
      one,
      'branch',
    ],
    ['that waits and ran', { ...one, action: 'wait', reason: OFFLINE }, one, 'branch'],
    ['that runs and was skipped', one, { ...one, action: 'skip', reason: OFFLINE }, 'branch'],
    ['raised by a commit to another generation', { ...one, generation: 2 }, one, 'branch'],
    ['that is skipped and ran', { ...one, action: 'skip', reason: OFFLINE }, one, 'dropped'],
    ['that is not mentioned and ran', undefined, one, 'gone 1'],
    ['that is not mentioned and was skipped', undefined, { ...one, action: 'skip' }, 'gone 0'],
  ] as const)('a change %s', (_, now, before, group) => {
    expect(groupOf(now, before)).toBe(group);
  });

  it('counts what is gone by policy and cause, and names a few devices', () => {
    const base = planOf([1, 2, 3, 4, 5].map((n) => change({ id: `dev-${n}` })));
    const { base: said } = compareWithBase(planOf([change({ id: 'dev-2' })]), base, ABOUT);
    expect(said?.counts).toEqual({ branch: 0, pending: 1, clock: 0, dropped: 4 });
    expect(said?.gone).toMatchObject([{ task: 'upgradeFirmware', count: 4, cause: 'config' }]);
    expect(said?.gone[0]?.devices.map(({ id }) => id)).toEqual(['dev-1', 'dev-3', 'dev-4']);
  });
});

describe('laws of the comparison', () => {
  const cases = scenarios().filter(({ errors }) => errors.length === 0);
  const planned = async (n: number): Promise<Plan> => {
    const scenario = cases[n];
    if (!scenario) throw new Error(`no scenario ${n}`);
    return readPlan(readFileSync(join(scenario.folder, 'plan.json'), 'utf8').trimEnd().split('\n'));
  };

  test.each(cases.map(({ name }, n) => [name, n] as const))('%s', async (_, n) => {
    const plan = await planned(n);
    const same = compareWithBase(plan, plan, ABOUT);
    expect(same.base).toMatchObject({ counts: { branch: 0, dropped: 0 }, gone: [] });
    expectSums(same);

    const alone = compareWithBase(plan, undefined, ABOUT);
    expect(alone.base?.counts.branch).toBe(plan.changes.length);
    expect(alone.base).not.toHaveProperty('documents');
    expectSums(alone);

    const other = await planned((n + 1) % cases.length);
    const apart = compareWithBase(plan, other, ABOUT);
    expectSums(apart);
    expect(apart.id).toBe(plan.id);
    const lines = [...planLines(apart)];
    expect(schemaErrors(lines.join('\n'))).toEqual([]);
    expect([...planLines(await readPlan(lines))]).toEqual(lines);
  });
});

/** Each change is in one group, and the groups add up to the plan and what is gone from it. */
function expectSums({ changes, base }: Plan): void {
  const { counts, gone } = base ?? { counts: {}, gone: [] };
  expect([...changes].every(({ group }) => group !== undefined)).toBe(true);
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(changes.length + gone.reduce((sum, { count }) => sum + count, 0));
}
