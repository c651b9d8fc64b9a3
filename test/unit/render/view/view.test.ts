import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Change } from '../../../../src/model/plan/change.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { LOOK } from '../../../support/render-look.ts';
import { change, labels, nightPlan, NOW, planOf } from '../../../support/render-plan.ts';

const day = 86_400_000;
const classes = (changes: readonly Change[], all = false) =>
  buildPlanView(planOf(changes), { all }).classes;

it('a group of a plan counts the sites of what starts, not of what needs a person', () => {
  const at = (site: string, fields: Partial<Change>) =>
    change({ id: `cam at ${site}`, site }, { group: 'branch', ...fields });
  const { review } = buildPlanView(
    planOf([
      at('Oslo', {}),
      at('Paris', { action: 'wait', reason: { code: 'budgetExhausted', why: 'downAlready' } }),
      at('London', { action: 'skip', reason: { code: 'quarantined' } }),
    ]),
  );
  expect(review.groups).toMatchObject([{ group: 'branch', now: 1, person: 2, sites: 1 }]);
});

it('the next step of a plan is to wait for the run that is at work, or to have the newest documents', () => {
  const plan = planOf([change({ id: 'cam' })]);
  const formats = (options: Parameters<typeof buildPlanView>[1]): readonly string[] => {
    const view = buildPlanView(plan, options);
    return [[...planText(view, LOOK)].join(' '), planMarkdown(view, { limit: 60_000 })];
  };
  for (const text of formats({ atWork: 7 })) expect(text).toContain('run 7 is at work');
  for (const text of formats({ steps: 'git pull' })) expect(text).toMatch(/git pull.*, or merge/);
});

describe('folding equal changes', () => {
  it('tells one wish on many devices once, with its exact count', () => {
    const [only, ...more] = classes(labels(50).map((device) => change(device)));
    expect(more).toEqual([]);
    expect(only).toMatchObject({ count: 50, before: { firmwareVersion: { least: '11.8.61' } } });
    expect(only?.devices).toHaveLength(3);
  });

  it.each([
    ['task', { task: 'restartDevice' }],
    ['policy', { at: { policy: 'firmware.other', file: 'f', line: 1, column: 1 } }],
    ['action', { action: 'wait', reason: { code: 'offline' } }],
    ['reason', { reason: { code: 'act', why: 'nextHop' } }],
    ['value before', { before: { firmwareVersion: '10.1' } }],
    ['value after', { after: { firmwareVersion: '12.0' } }],
    ['risk', { risk: 'high' }],
    ['wave', { wave: 'canary' }],
    ['window', { window: { name: 'nights' } }],
  ] as const)('tells another %s apart', (_, other) => {
    expect(classes([change({ id: 'a' }), change({ id: 'b' }, other)])).toHaveLength(2);
  });

  it('counts the policies that it wins over, whatever other policies select single devices', () => {
    const over = (...names: readonly string[]) =>
      names.map((name, n) => ({ policy: `firmware.${name}`, file: 'f', line: n + 1, column: 1 }));
    const changes = [over('x'), over('y', 'x'), over('z', 'x', 'y', 'w'), []].map((losers, n) =>
      change({ id: `d${n}` }, { losers }),
    );
    const [only, ...more] = classes(changes);
    expect(more).toEqual([]);
    expect(only?.losers.map(({ policy, count }) => [policy, count])).toEqual([
      ['firmware.x', 3],
      ['firmware.y', 2],
      ['firmware.z', 1],
      ['firmware.w', 1],
    ]);
    const page = planMarkdown(buildPlanView(planOf(changes)), { limit: 60_000 });
    expect(page).toContain(
      'over: `firmware.x` (`f:1:1`) for 3 of them, `firmware.y` (`f:1:1`) for 2 of them, `firmware.z` (`f:1:1`) for 1 of them and 1 more policy<br>',
    );
  });

  it.each([
    ['points in time', (n: number) => new Date(NOW - n * day).toISOString()],
    ['fingerprints', (n: number) => String(n).padStart(40, 'a')],
  ])('does not make classes of %s', (_, value) => {
    const [only, ...more] = classes(
      labels(9).map((device, n) => change(device, { before: { marker: value(n) } })),
    );
    expect(more).toEqual([]);
    expect(only?.before['marker']).toMatchObject({ differs: true });
    expect(only?.devices[0]?.own).toEqual({ marker: value(0) });
  });

  it('tells 20 versions apart, and 21 as a spread', () => {
    const versions = (count: number) =>
      labels(count).map((device, n) => change(device, { before: { firmwareVersion: `v${n}` } }));
    expect(classes(versions(20))).toHaveLength(20);
    expect(classes(versions(21))).toHaveLength(1);
  });

  it('keeps the oldest since and the earliest next of a class', () => {
    const [only] = classes(
      [3, 1, 2].map((n) =>
        change(
          { id: `d${n}` },
          {
            action: 'wait',
            reason: { code: 'windowClosed', since: NOW - n * day, next: NOW + n * day },
            window: { name: 'nights', opens: new Date(NOW + n * day).toISOString() },
          },
        ),
      ),
    );
    expect(only?.reason).toMatchObject({ since: NOW - 3 * day, next: NOW + day });
    expect(only?.sinceDiffers).toBe(true);
    expect(only?.lastNext).toBe(NOW + 3 * day);
    expect(only?.window?.opens).toBe(new Date(NOW + day).toISOString());
  });

  it('tells of changes that may go on at different times the first and the last, in every form', () => {
    const waits = (days: number) =>
      change(
        { id: `d${days}` },
        { action: 'wait', reason: { code: 'windowClosed', next: NOW + days * day } },
      );
    const told = (changes: readonly Change[]) => {
      const plan = planOf(changes);
      const view = buildPlanView(plan);
      const forms = [
        planText(view, { ...LOOK, all: true }),
        [planMarkdown(view, { limit: 60_000 })],
        planHtml(view, plan.changes),
      ];
      return forms.map((form) =>
        /the last not before/.test([...form].join(' ').replace(/\s+/g, ' ')),
      );
    };
    expect(told([waits(1), waits(3)])).toEqual([true, true, true]);
    expect(told([waits(1)])).toEqual([false, false, false]);
  });

  it('leaves out parameters that differ inside a class', () => {
    const params = (lastSeen: number) =>
      ({ reason: { code: 'offline', params: { lastSeen, debt: 'x' } } }) as const;
    const [only] = classes([change({ id: 'a' }, params(1)), change({ id: 'b' }, params(2))]);
    expect(only?.reason.params).toEqual({ debt: 'x' });
  });

  it('counts devices by site, most first', () => {
    const sites = ['Oslo', 'Lyon', 'Lyon'].map((site, n) => change({ id: `d${n}`, site }));
    expect(classes(sites)[0]?.sites).toEqual([
      { name: 'Lyon', count: 2 },
      { name: 'Oslo', count: 1 },
    ]);
  });
});

it('folds the entries of a list, which have a line each', () => {
  const at = (line: number) => ({ policy: 'onboarding.hq', file: 'f.yaml', line, column: 3 });
  const [only, ...more] = classes(
    [9, 5, 7].map((line) => change({ id: `d${line}` }, { at: at(line) })),
  );
  expect(more).toEqual([]);
  expect(only).toMatchObject({ at: at(5), places: [at(5), at(7), at(9)], count: 3 });
  expect(only?.devices.map((device) => device.at.line)).toEqual([9, 5, 7]);
});

describe('the order of a view', () => {
  it('is run, wait, skip, note; then risk; then size', () => {
    const order = buildPlanView(nightPlan()).classes.map(({ action, risk, count }) => [
      action,
      risk,
      count,
    ]);
    expect(order).toEqual([
      ['run', 'high', 9],
      ['run', 'low', 190],
      ['wait', 'medium', 3],
      ['wait', 'low', 10],
      ['skip', 'medium', 1],
    ]);
  });

  it('does not depend on the order of the changes', () => {
    const changes = [...nightPlan().changes];
    const folded = (list: readonly Change[]) =>
      classes(list).map((each) => ({ ...each, digest: '', devices: each.devices.length }));
    fc.assert(
      fc.property(fc.shuffledSubarray(changes, { minLength: changes.length }), (shuffled) => {
        expect(folded(shuffled)).toEqual(folded(changes));
      }),
      { seed: 4, numRuns: 5 },
    );
  });

  it('puts refused guardrails before those that passed', () => {
    const verdict = {
      guardrail: 'g',
      limit: 'maxChanges',
      value: 30,
      number: 1,
      allowed: 1,
    } as const;
    const verdicts = [
      { ...verdict, passed: true },
      { ...verdict, passed: false },
    ];
    expect(buildPlanView(planOf([], { verdicts })).verdicts.map(({ passed }) => passed)).toEqual([
      false,
      true,
    ]);
  });
});

describe('accounting', () => {
  it('represents every change and every noted device', () => {
    expect(buildPlanView(nightPlan())).toMatchObject({ represented: 1000, total: 1000 });
  });

  it('keeps every device where all are wanted', () => {
    const kept = buildPlanView(nightPlan(), { all: true }).classes.flatMap(
      ({ devices }) => devices,
    );
    expect(kept).toHaveLength(213);
  });
});

describe('classes of one policy', () => {
  it('stand in the order of their waves, whichever has more devices', () => {
    const policy = 'firmware.axis-p32';
    const names = ['canary', 'early', 'rest'];
    const changes = names.flatMap((wave, n) =>
      labels(n + 1, wave).map((device) => change(device, { wave })),
    );
    const waves = names.map((name) => ({ policy, name, changes: 1 }));
    const { classes } = buildPlanView(planOf(changes.toReversed(), { waves }));
    expect(classes.map(({ wave }) => wave)).toEqual(names);
  });
});
