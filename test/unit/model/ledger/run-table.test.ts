import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../../src/model/ledger/run-report.ts';
import { PLAN_COLUMNS } from '../../../../src/model/plan/actor.ts';
import type { NoteClass } from '../../../../src/model/plan/change.ts';
import type { ReasonCode } from '../../../../src/model/plan/reason.ts';
import { foldPolicies, isDone } from '../../../../src/render/outputs/policy-table.ts';
import { addRows, tabulateRun } from '../../../../src/model/ledger/run-table.ts';
import { parseRunRow, runRowJson } from '../../../../src/render/data/run-rows.ts';
import { change } from '../../../support/render-plan.ts';

const at = (policy: string) => ({ policy, file: 'fleet/a.yaml', line: 1, column: 1 });
const ending = (id: string, policy: string, other: Omit<Ending, 'change'>): Ending => ({
  change: change({ id }, { at: at(policy) }),
  ...other,
});

describe('what became of a plan, by policy', () => {
  const endings: readonly Ending[] = [
    ending('a', 'firmware.x', { outcome: 'verified' }),
    ending('b', 'firmware.x', { outcome: 'rolledBack' }),
    ending('c', 'firmware.x', { outcome: 'notStarted', reason: { code: 'windowClosed', next: 1 } }),
    ending('d', 'rotations.y', { outcome: 'inDoubt' }),
    ending('e', 'rotations.y', { outcome: 'skipped', reason: { code: 'stale' } }),
    ending('f', 'firmware.x', { outcome: 'skipped', reason: { code: 'left' } }),
  ];

  const note = (policy: string, code: ReasonCode, count: number): NoteClass => ({
    task: 'upgradeFirmware',
    at: at(policy),
    reason: { code },
    count,
  });
  const notes = [
    note('firmware.x', 'alreadyConverged', 40),
    note('firmware.x', 'notRead', 3),
    note('firmware.z', 'notDue', 5),
  ];
  const none = {
    now: 0,
    running: 0,
    later: 0,
    person: 0,
    done: 0,
    out: 0,
    verified: 0,
    failed: 0,
    unread: 0,
  };

  it('has a row for a policy that a finding refuses, also without changes of its own (semantics K27)', () => {
    const params = { policy: 'firmware.x', other: 'firmware.w', refuses: 'firmware.x, firmware.w' };
    const refusing = [{ code: 'conflict', severity: 'warning', params } as const];
    const report = { endings: endings.slice(0, 1), notes: [] };
    const refusedIn = (isPart: boolean) =>
      tabulateRun({ ...report, surveyed: { refusing, isPart } }).map((row) => [
        row.policy,
        row.isRefused,
      ]);
    expect(refusedIn(false)).toEqual([
      ['firmware.x', true],
      ['firmware.w', true],
    ]);
    expect(refusedIn(true)).toEqual([['firmware.x', true]]);
  });

  it('puts each change in one column: by its outcome, else by who has to act', () => {
    expect(tabulateRun({ endings, notes: [] })).toEqual([
      {
        policy: 'firmware.x',
        ...none,
        later: 1,
        person: 1,
        done: 1,
        out: 1,
        verified: 1,
        failed: 1,
      },
      { policy: 'rotations.y', ...none, running: 1, person: 1 },
    ]);
  });

  it('counts what was right already, and what is only noted, as done and never as verified', () => {
    const reason = { code: 'alreadyConverged' } as const;
    const right = ending('g', 'firmware.x', { outcome: 'verified', reason });
    expect(tabulateRun({ endings: [...endings, right], notes })).toEqual([
      {
        policy: 'firmware.x',
        ...none,
        later: 4,
        person: 1,
        done: 42,
        out: 1,
        verified: 1,
        failed: 1,
        unread: 3,
      },
      { policy: 'rotations.y', ...none, running: 1, person: 1 },
      { policy: 'firmware.z', ...none, done: 5 },
    ]);
  });

  it('adds up to all changes and notes', () => {
    const counts = addRows(tabulateRun({ endings, notes }));
    const totals = PLAN_COLUMNS.map((column) => counts[column]);
    expect(totals.reduce((a, b) => a + b, 0)).toBe(endings.length + 48);
  });

  it('folds policies without a change where they are many; all rows add up to the totals', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => note(`firmware.${name}`, 'notDue', 2));
    const rows = tabulateRun({ endings, notes: [...notes, ...many] });
    const { listed, more, idle } = foldPolicies(rows, 1, isDone);
    expect(listed.map(({ policy }) => policy)).toEqual(['firmware.x']);
    expect(more.map(({ policy }) => policy)).toEqual(['rotations.y']);
    expect(addRows(idle)).toMatchObject({ done: 13, verified: 0 });
    expect(addRows([...listed, ...more, ...idle])).toEqual(
      addRows(tabulateRun({ endings, notes: [...notes, ...many] })),
    );
  });

  it('keeps in the columns of classes what the next run can start, what failed and what is in doubt', () => {
    const cut = ending('h', 'firmware.x', {
      outcome: 'notStarted',
      reason: { code: 'interrupted' },
    });
    const rows = tabulateRun({ endings: [...endings, cut], notes });
    expect(rows[0]).toMatchObject({ now: 1, later: 4 });
    expect(runRowJson(rows[0] ?? Object.assign(none, { policy: '' }))).toEqual({
      policy: 'firmware.x',
      done: 1,
      failed: 1,
      open: 0,
      later: 5,
      person: 0,
      unchanged: 40,
      out: 1,
      unread: 3,
      startable: 1,
    });
    expect(rows.map((row) => parseRunRow(runRowJson(row)))).toEqual(rows);
  });
});
