import { expect, test } from 'vitest';
import { findingBlocks } from '../../../../src/render/outputs/findings.ts';
import { fleetsBlocks } from '../../../../src/render/outputs/fleets.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { settingBlocks } from '../../../../src/render/outputs/guardrails.ts';
import { planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { printMarkdown } from '../../../../src/render/print/markdown.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { own, type Block } from '../../../../src/render/tree.ts';
import type { PlanBase } from '../../../../src/model/plan/plan.ts';
import { madeOnce, readScenario } from '../../../support/plan-scenario.ts';
import { LOOK } from '../../../support/render-look.ts';

function blocksOf(settings: PlanBase['settings']) {
  return settingBlocks({ settings } as unknown as PlanBase);
}

test('G10 each limit and variable that a request sets is listed, those that had a value first', () => {
  const blocks = blocksOf([
    { at: 'budgets.few.maxInFlight', after: '1' },
    { at: 'guardrails.default.maxPercentOfFleet', before: '30%', after: '100%' },
    { at: 'guardrails.few.maxChanges', before: '7' },
    {
      at: 'windows.nights.cutoff',
      before: 'auto',
      after: '5m',
      policies: ['firmware.a', 'firmware.b', 'restarts.c', 'rotations.d'],
    },
    { at: 'rotations.pw.payload.newPassword.fromEnv', after: 'NEW_WORD' },
  ]);
  expect([...printTerminal(blocks, LOOK)].join('\n').trim()).toBe(
    [
      'Settings that this request changes: 5',
      '  guardrails.default.maxPercentOfFleet: 30% -> 100%',
      '  guardrails.few.maxChanges: 7 -> none',
      '  windows.nights.cutoff: auto -> 5m',
      '    used by firmware.a, firmware.b, restarts.c and 1 more',
      '  rotations.pw.payload.newPassword: sends the variable NEW_WORD',
      '  budgets.few.maxInFlight: none -> 1',
    ].join('\n'),
  );
});

test('a request with many settings hides none of those that had a value behind new ones', () => {
  const added = Array.from({ length: 500 }, (_, n) => ({
    at: `budgets.b${n}.maxInFlight`,
    after: '1',
  }));
  const blocks = blocksOf([
    ...added,
    { at: 'guardrails.default.maxChanges', before: '7', after: '`9`' },
  ]);
  const [text, markdown] = [[...printTerminal(blocks, LOOK)], printMarkdown(blocks)];
  expect(text.join('\n')).toMatch(/501\n +guardrails\.default\.maxChanges: 7 -> `9`/);
  expect(text.length).toBeLessThan(40);
  expect(text.join('\n')).toMatch(/471 more/);
  expect(markdown.join('\n')).toContain('`` `9` ``');
});

test('a request hides nothing that protects devices behind many fields of policies', () => {
  const noise = Array.from({ length: 40 }, (_, n) => ({
    at: `firmware.fw-${n}.minVersion`,
    before: '11.8.0',
  }));
  const holds = Array.from({ length: 35 }, (_, n) => ({
    at: `exceptions.hold-${n}`,
    before: 'hold, task all',
  }));
  const hours = { at: 'windows.nights.allow', before: '01:00 to 05:00', after: '01:00 to 15:00' };
  const text = [...printTerminal(blocksOf([...noise, ...holds, hours]), LOOK)].join('\n');
  expect(text.match(/exceptions\.hold-\d+: hold/g)).toHaveLength(35);
  expect(text).toContain('windows.nights.allow');
  expect(text).toMatch(/40 more settings/);
});

test('a fleet that a guardrail refuses says beside the others what the request sets', () => {
  const settings = [{ at: 'guardrails.none.maxChanges', before: '9', after: '0' }];
  const problem = { is: 'section', id: 'problem', title: own('Refused.'), blocks: [] } as const;
  const blocks: Block[] = [{ ...problem, isPlain: true }, ...blocksOf(settings)];
  const acme = { name: 'acme', folder: 'fleet/acme', exit: 3, outcome: 3, text: '' } as const;
  const fleets = [{ ...acme, situation: { now: 0, remaining: [] }, blocks }];
  const results = { command: 'plan', fleets, uncovered: [], at: 0, isBased: true };
  const text = [...printTerminal(fleetsBlocks(results, []), LOOK)].join('\n');
  expect(text).toContain('acme: Refused.');
  expect(text).toContain('acme: guardrails.none.maxChanges: 9 -> 0');
  expect(text).not.toContain('not compared');
});

test('a fleet without a plan is named as not compared, with its first problem and the step for that', () => {
  const at = { file: 'fleet/acme/a.yaml', line: 3, column: 1 };
  const blocks = findingBlocks(
    [
      { code: 'missingKey', severity: 'error', at, params: { key: 'kind', path: 'service' } },
      {
        code: 'unknownKey',
        severity: 'error',
        at,
        params: { key: 'x', path: 'service', known: '' },
      },
    ],
    new Map(),
  );
  const acme = { name: 'acme', folder: 'fleet/acme', exit: 1, outcome: 1, text: '' } as const;
  const fleets = [{ ...acme, situation: undefined, blocks }];
  const shown = (isBased: boolean) => {
    const results = { command: 'plan', fleets, uncovered: [], at: 0, isBased };
    return [...printTerminal(fleetsBlocks(results, []), { ...LOOK, width: 200 })].join('\n');
  };
  expect(shown(true)).toMatch(
    /acme: error\[missingKey\]: .*fleet\/acme\/a\.yaml:3:1 \(1 more\)\n.*next: Add it/,
  );
  expect(shown(true)).toContain('No plan, so not compared with the base: acme.');
  expect(shown(false)).not.toContain('not compared');
});

test('every form of a plan lists what its request sets', async () => {
  const { planned } = await madeOnce(
    readScenario('443-K27-R6-a-password-that-expires-in-a-freeze-refuses-its-policy-alone'),
  );
  const base: PlanBase = {
    ref: 'main',
    commit: 'a'.repeat(40),
    counts: { branch: 0, pending: 0, clock: 0, dropped: 0 },
    gone: [],
    settings: [{ at: 'guardrails.default.maxChanges', before: '7', after: '9' }],
  };
  const plan = { ...planned.plan, base };
  const view = buildPlanView(plan);
  const forms = [
    planText(view, LOOK),
    planText(view, { ...LOOK, isSummary: true }),
    planText(buildPlanView(plan, { all: true }), { ...LOOK, all: true }),
    [planMarkdown(view, { limit: 65_536 })],
    planHtml(view, plan.changes),
  ];
  for (const form of forms) {
    const text = [...form]
      .join('\n')
      .replace(/<[^>]*>|`/g, '')
      .replaceAll('&#62;', '>');
    expect(text).toContain('guardrails.default.maxChanges: 7 -> 9');
  }
  expect([...planText(buildPlanView(planned.plan), LOOK)].join('\n')).not.toMatch(/Settings/);
});
