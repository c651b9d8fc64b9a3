import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../../src/model/ledger/run-report.ts';
import type { NoteClass } from '../../../../src/model/plan/change.ts';
import type { ReasonCode } from '../../../../src/model/plan/reason.ts';
import { foldPolicies } from '../../../../src/render/outputs/policy-table.ts';
import {
  addRows,
  countColumns,
  isUntouched,
  tabulateRun,
} from '../../../../src/render/view/run-table.ts';
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
    done: 0,
    failed: 0,
    open: 0,
    later: 0,
    person: 0,
    unchanged: 0,
    out: 0,
    unread: 0,
  };

  it('puts each change in one column: by its outcome, else by who has to act', () => {
    expect(tabulateRun({ endings, notes: [] })).toEqual([
      { policy: 'firmware.x', ...none, done: 1, failed: 1, later: 1, out: 1 },
      { policy: 'rotations.y', ...none, open: 1, person: 1 },
    ]);
  });

  it('counts what was right already, and what is only noted, as unchanged and never as verified', () => {
    const reason = { code: 'alreadyConverged' } as const;
    const right = ending('g', 'firmware.x', { outcome: 'verified', reason });
    expect(tabulateRun({ endings: [...endings, right], notes })).toEqual([
      {
        policy: 'firmware.x',
        ...none,
        done: 1,
        failed: 1,
        later: 4,
        unchanged: 41,
        out: 1,
        unread: 3,
      },
      { policy: 'rotations.y', ...none, open: 1, person: 1 },
      { policy: 'firmware.z', ...none, unchanged: 5 },
    ]);
  });

  it('adds up to all changes and notes', () => {
    const totals = Object.values(countColumns({ endings, notes }));
    expect(totals.reduce((a, b) => a + b, 0)).toBe(endings.length + 48);
  });

  it('folds policies without a change where they are many; all rows add up to the totals', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => note(`firmware.${name}`, 'notDue', 2));
    const rows = tabulateRun({ endings, notes: [...notes, ...many] });
    const { listed, more, idle } = foldPolicies(rows, 1, isUntouched);
    expect(listed.map(({ policy }) => policy)).toEqual(['firmware.x']);
    expect(more.map(({ policy }) => policy)).toEqual(['rotations.y']);
    expect(addRows(idle)).toMatchObject({ unchanged: 13 });
    expect(addRows([...listed, ...more, ...idle])).toEqual(
      countColumns({ endings, notes: [...notes, ...many] }),
    );
    expect(foldPolicies(tabulateRun({ endings, notes }), 24, isUntouched).idle).toEqual([]);
  });
});
