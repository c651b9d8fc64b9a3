import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../../src/model/ledger/run-report.ts';
import { countColumns, tabulateRun } from '../../../../src/render/view/run-table.ts';
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

  it('puts each change in one column: by its outcome, else by who has to act', () => {
    const none = { done: 0, failed: 0, open: 0, later: 0, person: 0, unchanged: 0 };
    expect(tabulateRun(endings)).toEqual([
      { policy: 'firmware.x', ...none, done: 1, failed: 1, later: 1, unchanged: 1 },
      { policy: 'rotations.y', ...none, open: 1, person: 1 },
    ]);
  });

  it('adds up to all changes', () => {
    const totals = Object.values(countColumns(endings));
    expect(totals.reduce((a, b) => a + b, 0)).toBe(endings.length);
  });
});
