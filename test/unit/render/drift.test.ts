import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/model/plan/change.ts';
import { driftView } from '../../../src/render/view/drift-view.ts';
import { driftBlocks, driftJson, driftMarkdown } from '../../../src/render/outputs/drift.ts';
import { printTerminal } from '../../../src/render/print/terminal.ts';
import { LOOK } from '../../support/render-look.ts';
import { change, covered, labels, planOf } from '../../support/render-plan.ts';

const devices = labels(9);
const made = (index: number, other: Partial<Change>): Change =>
  change(devices[index] ?? { id: 'none' }, other);

/** Drift of every action beside every other cause. */
const MIXED = planOf([
  made(0, { cause: 'drift' }),
  made(1, { cause: 'drift', action: 'wait' }),
  made(2, { cause: 'drift', action: 'skip', reason: { code: 'offline' } }),
  made(3, { cause: 'config' }),
  made(4, { cause: 'config', action: 'wait' }),
  made(5, { cause: 'clock' }),
  made(6, { cause: 'detection' }),
  made(7, { cause: 'retry' }),
  made(8, { cause: 'config', action: 'skip', reason: { code: 'offline' } }),
]);

const textOf = (plan: typeof MIXED): string =>
  [...printTerminal(driftBlocks(driftView(plan), {}), LOOK)].join('\n').replace(/\s+/g, ' ');

describe('drift', () => {
  it('is told apart from what is wanted and not done, due, seen or tried', () => {
    const { drifted, beside, plan } = driftView(MIXED);
    expect(drifted).toBe(3);
    expect(beside).toEqual({ config: 2, clock: 1, onboarding: 0, detection: 1, retry: 1 });
    expect(plan.classes.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect([plan.represented, plan.total]).toEqual([3, 3]);
  });

  it('is not denied for devices that an inconsistent read may have left out', () => {
    const torn = (plan: typeof MIXED): typeof MIXED => ({
      ...plan,
      inputs: { ...plan.inputs, snapshot: { ...plan.inputs.snapshot, confidence: 'torn' } },
    });
    const none = torn(planOf([], { coverage: covered(9) }));
    expect(textOf(none)).toMatch(/^No drift in 9 devices; the reading is inconsistent\./);
    expect(driftMarkdown(driftView(none), { limit: 60_000 })).toContain('devices may be missing');
    expect(textOf(torn(MIXED))).toContain('inconsistent: devices may be missing');
    expect(textOf(planOf([], { coverage: covered(9) }))).toMatch(/^No drift in 9 devices\./);
  });

  it('names its devices in text, and no other', () => {
    const text = textOf(MIXED);
    for (const { id } of devices.slice(0, 3)) expect(text).toContain(`(${id})`);
    for (const { id } of devices.slice(3)) expect(text).not.toContain(`(${id})`);
    expect(text).toContain(
      'Not drift: 2 by policy, not rolled out yet, 1 due by schedule, ' +
        '1 for a detected symptom, 1 to retry.',
    );
  });

  it('folds devices that drifted alike, whatever their waves, under one heading for each action', () => {
    const waits = { cause: 'drift', action: 'wait', reason: { code: 'windowClosed' } } as const;
    const alike = planOf([
      made(0, { ...waits, wave: 'canary' }),
      made(1, { ...waits, wave: 'rest' }),
      made(2, { ...waits, wave: 'rest', before: { firmwareVersion: '9.1' } }),
    ]);
    const { plan } = driftView(alike);
    expect(plan.classes.map(({ count }) => count).toSorted()).toEqual([1, 2]);
    expect(textOf(alike).match(/ Later: 3 /g)).toHaveLength(1);
    expect(driftMarkdown(driftView(alike), { limit: 60_000 })).toMatch(/ 2 /);
  });

  it('says first that a run is at work', () => {
    const beside = planOf([made(3, { cause: 'config' })], { coverage: covered(9) });
    for (const plan of [MIXED, beside])
      expect(driftMarkdown(driftView(plan, { atWork: 7 }), { limit: 60_000 })).toContain(
        'run 7 is at work',
      );
  });

  it('says what comes next for it: the command, or who has to act', () => {
    const never = { code: 'rolloutPaused', next: 'never' } as const;
    const stuck = planOf([made(0, { cause: 'drift', action: 'wait', reason: never })]);
    expect(textOf(stuck)).toMatch(/next: firmware.* `fleetform unpause/);
    expect(textOf(planOf([made(0, { cause: 'drift' })]))).toContain('next: fleetform apply');
  });

  it('leads to what waits beside it, where it leaves nothing to do (semantics N85)', () => {
    const beside = (action: Change['action']) =>
      textOf(planOf([made(3, { cause: 'config', action })]));
    expect(beside('run')).toMatch(/^No drift in .*next: fleetform apply/);
    expect(beside('note')).toMatch(/next: nothing to do$/);
  });

  it('leads to the guardrail that refuses the plan, which is no drift itself (semantics N85)', () => {
    const over = { guardrail: 'default', limit: 'maxChanges', value: 2, number: 9, allowed: 2 };
    const verdicts = [{ ...over, limit: 'maxChanges' as const, passed: false }];
    const refused = { ...planOf([made(0, { cause: 'drift' })]), verdicts };
    expect(textOf(refused)).toMatch(/next: .*maxChanges/);
    const beside = textOf({ ...planOf([made(3, { cause: 'config' })]), verdicts });
    expect(beside).toMatch(/^No drift .*next: .*maxChanges/);
  });

  it('names the first start of all changes where drift leaves nothing to do (semantics N86)', () => {
    const starting = (n: number, day: number) =>
      made(n, {
        cause: 'clock',
        action: 'wait',
        reason: { code: 'notDue', why: 'spread', next: Date.UTC(2026, 10, day) },
      });
    expect(textOf(planOf([starting(0, 28), starting(1, 24)]))).toMatch(
      /next: nothing to do until Tue 24 Nov/,
    );
  });

  it('is not denied for a device in doubt, which is counted', () => {
    const doubt = planOf([
      made(0, {
        cause: 'config',
        action: 'wait',
        reason: { code: 'inDoubt', params: { task: 'upgradeFirmware' } },
      }),
    ]);
    expect(textOf(doubt)).toMatch(/^1 outcome is in doubt\./);
    expect(textOf(doubt)).toContain('In doubt: 1 task; see `fleetform status`.');
    expect(driftMarkdown(driftView(doubt), { limit: 60_000 })).toContain('In doubt: 1 task');
    expect(driftJson(doubt, driftView(doubt))).toMatchObject({ drifted: 0, inDoubt: 1 });
  });

  it('says so where there is none', () => {
    const none = planOf([made(0, { cause: 'config' })]);
    expect(textOf(none)).toMatch(/^No drift in .* Not drift: 1 by policy/);
    expect(textOf(planOf([]))).not.toContain('Not drift');
  });

  it('is data in JSON', () => {
    const view = driftView(MIXED);
    const json = driftJson(MIXED, view) as { readonly changes: readonly Change[] };
    expect(json.changes.map(({ device }) => device.id)).toEqual(
      devices.slice(0, 3).map(({ id }) => id),
    );
    expect(json).toMatchObject({ drifted: 3, beside: view.beside });
  });

  it('has its changes as a saved plan has them', () => {
    const since = Date.parse('2026-11-20T12:00:00Z');
    const plan = planOf([made(0, { cause: 'drift', reason: { code: 'act', since } })]);
    const { changes } = driftJson(plan, driftView(plan)) as { readonly changes: readonly object[] };
    expect(changes[0]).toMatchObject({ reason: { code: 'act', since: '2026-11-20T12:00:00Z' } });
    expect(changes[0]).not.toHaveProperty('policy');
  });

  it('fits an issue, whatever the number of devices', () => {
    const many = labels(5_000).map((device, n) =>
      change(
        { ...device, name: `${'|`<'.repeat(20)}${n}` },
        { cause: 'drift', before: { firmwareVersion: `9.${n}` }, at: placeOf(n) },
      ),
    );
    const text = driftMarkdown(driftView(planOf(many)), { limit: 65_536 });
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.split('\n')[0]).toBe(`<!-- fleetform drift ${'f'.repeat(16)} -->`);
    expect(text).toContain('All 5,000 changes are listed');
  });
});

const placeOf = (line: number): Change['at'] => ({
  policy: `firmware.policy-${line}`,
  file: 'fleet/a.yaml',
  line: line + 1,
  column: 1,
});
