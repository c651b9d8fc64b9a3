import { describe, expect, it } from 'vitest';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import type { Plan, GuardrailVerdict } from '../../../../src/model/plan/plan.ts';
import { COLOURED, LOOK, uncoloured } from '../../../support/render-look.ts';
import { change, covered, labels, nightPlan, planOf } from '../../../support/render-plan.ts';

const REFUSED: GuardrailVerdict = {
  guardrail: 'default',
  limit: 'maxPercentOfFleet',
  value: 30,
  number: 202,
  allowed: 200,
  of: 1000,
  passed: false,
  at: { file: 'fleet/guardrails.yaml', line: 3, column: 5 },
};

function textOf(plan: Plan, options: { all?: boolean; width?: number } = {}): string {
  const all = options.all ?? false;
  const style = { ...LOOK, width: options.width ?? 80, all };
  return `${[...planText(buildPlanView(plan, { all }), style)].join('\n')}\n`;
}

describe('a plan as text', () => {
  it('is read from top to bottom', async () => {
    await expect(textOf(nightPlan())).toMatchFileSnapshot('../goldens/plan-night.txt');
  });

  it('names every device with its own values where all are wanted', async () => {
    const plan = planOf([...nightPlan().changes].slice(184, 204));
    await expect(textOf(plan, { all: true })).toMatchFileSnapshot('../goldens/plan-all.txt');
  });

  it('begins with what the branch causes, and ends with what is gone', async () => {
    const all = [...nightPlan().changes];
    const branch = change({ id: 'new-1', name: 'gate-cam' }, { target: '12.0.1' });
    const base = planOf([...all.slice(0, 20), change({ id: 'old-1', name: 'attic-cam' })]);
    const plan = planOf([...all.slice(0, 20), branch], { notes: nightPlan().notes });
    const about = { ref: 'main', commit: 'b'.repeat(40) };
    const compared = compareWithBase(plan, base, about);
    await expect(textOf(compared)).toMatchFileSnapshot('../goldens/plan-base.txt');
  });

  it('says first what a guardrail refuses, and the way out', async () => {
    const warnings = [
      {
        code: 'selectsNothing' as const,
        severity: 'warning' as const,
        at: { file: 'fleet/cameras.yaml', line: 20, column: 5 },
        params: { policy: 'firmware.bosch' },
      },
    ];
    const raised: GuardrailVerdict = {
      ...REFUSED,
      limit: 'maxChanges',
      value: 30,
      number: 190,
      allowed: 500,
      passed: true,
      raisedBy: { policy: 'exceptions.big-rollout', file: 'fleet/ex.yaml', line: 2, column: 3 },
    };
    const plan = planOf([change({ id: 'dev-1' })], { verdicts: [raised, REFUSED], warnings });
    await expect(textOf(plan)).toMatchFileSnapshot('../goldens/plan-refused.txt');
  });

  it('names the newest commits behind a class, and the rest as a number', () => {
    const at = (line: number) => ({ policy: 'onboarding.hq', file: 'f.yaml', line, column: 3 });
    const origin = (line: number, author: string, commit = String(line).repeat(40)) => ({
      is: 'commit' as const,
      file: 'f.yaml',
      line,
      commit,
      author,
      subject: `::error:: line ${line}`,
      at: `2026-11-0${line + 1}T00:00:00Z`,
    });
    const changes = [1, 2, 3, 4].map((line) => change({ id: `d${line}` }, { at: at(line) }));
    const origins = [
      origin(1, 'Ada'),
      origin(2, 'Bob\u001b[2J'),
      origin(3, 'Ada', '1'.repeat(40)),
      { is: 'notCommitted' as const, file: 'f.yaml', line: 4 },
    ];
    expect(textOf(planOf(changes, { origins }), { all: true })).toContain(
      [
        '    by       not committed yet; 111111111111 Ada 4 Nov 2026: :\\u{3a}error:: line',
        '             3 and 1 more commit',
      ].join('\n'),
    );
    expect(textOf(planOf(changes.slice(1, 2), { origins }), { all: true })).toContain(
      '    by       222222222222 Bob\\u{1b}[2J 3 Nov 2026: :\\u{3a}error:: line 2\n',
    );
    const cut = [{ is: 'cutOff' as const, file: 'f.yaml', line: 1 }];
    expect(textOf(planOf(changes.slice(0, 1), { origins: cut }), { all: true })).toContain(
      ['    by       a commit that this shallow clone lacks; fetch the full history'].join('\n'),
    );
  });

  it('tells many warnings of one code as one, with their number and the first places', () => {
    const warning = (n: number, line = n) => ({
      code: 'siteUnknown' as const,
      severity: 'warning' as const,
      at: { file: 'fleet/sites.yaml', line, column: 3 },
      params: { site: `Site ${n}` },
    });
    const textFor = (count: number, line?: number) =>
      textOf(
        planOf([change({ id: 'dev-1' })], {
          warnings: Array.from({ length: count }, (_, n) => warning(n + 1, line)),
        }),
      );
    expect(textFor(40)).toContain(
      [
        '  fleet/sites.yaml:1:3 The service returns no site "Site 1".',
        '    and 39 more like it: fleet/sites.yaml:2:3, fleet/sites.yaml:3:3,',
        '      fleet/sites.yaml:4:3, …',
        '    next: Compare it with `fleetform get sites`, and put it right or remove it.',
        '',
      ].join('\n'),
    );
    expect(textFor(40)).not.toContain('"Site 2"');
    expect(textFor(40, 7)).toContain('    and 39 more like it: fleet/sites.yaml:7:3\n');
    expect(textFor(2)).toContain('"Site 2"');
    expect(textFor(2)).not.toContain('more like it');
  });

  it('says in one sentence that there is nothing to do', () => {
    const at = { policy: 'firmware.axis', file: 'fleet/a.yaml', line: 1, column: 1 };
    const converged = {
      task: 'upgradeFirmware',
      at,
      reason: { code: 'alreadyConverged' },
    } as const;
    const matching = { notes: [{ ...converged, count: 984 }], coverage: covered(984) };
    expect(textOf(planOf([], matching))).toMatch(
      /^No changes: all 984 selected of 1,000 devices match\.\n/,
    );
    const unread = { ...converged, reason: { code: 'notRead' }, count: 50 } as const;
    const read = { notes: [{ ...converged, count: 934 }, unread], coverage: covered(934, 50) };
    expect(textOf(planOf([], read))).toMatch(/^No changes so far: 934 of 984 devices are read\.\n/);
    expect(textOf(planOf([], { coverage: covered(0) }))).toMatch(
      /^Nothing is covered: the policies select none of 1,000 devices\.\n/,
    );
    const outside = { devices: 990, run: 0, notRead: 0 };
    const part = { policies: ['rotations.hq'], sites: ['12'], names: { 12: 'Munich' }, outside };
    const ofPart = { part, notes: [{ ...converged, count: 10 }], coverage: covered(10) };
    expect(textOf(planOf([], ofPart))).toMatch(
      /^No changes in this part: all 10 devices match\.\n/,
    );
    expect(textOf(planOf([], { part, coverage: covered(0) }))).toMatch(
      /^Nothing is covered: the policies select no device in this part\.\n/,
    );
  });

  it('names a wave only where there are several, and a window only where it closes', () => {
    const one = change({ id: 'a' }, { wave: 'canary', window: { name: 'anytime' } });
    const waves = ['canary', 'rest'].map((name) => ({ policy: one.at.policy, name, changes: 1 }));
    const all = true;
    expect(textOf(planOf([one], { waves: waves.slice(1) }), { all })).not.toMatch(/wave |window/);
    expect(textOf(planOf([one], { waves }), { all })).toContain('wave     canary');
    const opens = '2026-11-21T00:00:00Z';
    const nights = change(
      { id: 'a' },
      { window: { name: 'nights', zone: 'Europe/Berlin', opens } },
    );
    expect(textOf(planOf([nights]), { all })).toContain(
      'window   nights, Europe/Berlin, opens Sat 21 Nov 01:00',
    );
  });

  it('ends with the number of changes, the plan ID and its expiry', () => {
    expect(textOf(nightPlan(), { all: true }).trimEnd().split('\n').slice(-3)).toEqual([
      'All 213 changes are listed; 787 are done.',
      'Plan ID kq3vmx7ch2n5w4t6y7abcdefgh, valid until Fri 27 Nov 2026 01:12 UTC.',
      'next: fleetform apply',
    ]);
  });

  it('N85 begins with one sentence: who has to act on how many', () => {
    const text = textOf(nightPlan());
    expect(text).toMatch(/^1,000 selected: 199 now, 13 later, 1 needs you, 787 done\.\n/);
    expect(text).toContain('Up to 10 more may start in the same run, as running tasks end.\n');
  });

  it.each([60, 80, 120])('fits %i columns, with colours and without', (width) => {
    const view = buildPlanView(nightPlan({ verdicts: [REFUSED] }), { all: true });
    for (const paint of [LOOK.paint, COLOURED])
      for (const line of planText(view, { paint, width, all: true }))
        expect(textWidth(line), uncoloured(line)).toBeLessThanOrEqual(width);
  });

  it('says the same with colours as without', () => {
    const view = buildPlanView(nightPlan({ verdicts: [REFUSED] }));
    expect(view.review.totals.later).toBe(13);
    const coloured = [...planText(view, { paint: COLOURED, width: 80 })].map(uncoloured);
    expect(coloured).toEqual([...planText(view, { ...LOOK })]);
  });

  it('keeps 1,000 devices of one wish on one screen', () => {
    const plan = planOf(labels(1000).map((device) => change(device)));
    expect(textOf(plan).split('\n').length).toBeLessThan(24);
  });
});
