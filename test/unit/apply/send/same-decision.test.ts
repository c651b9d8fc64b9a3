import { expect, test } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import { TASK_TYPES } from '../../../../src/model/fleet/task.ts';
import { atWork } from '../../../support/last-look.ts';
import { scenarios } from '../../../support/plan-scenario.ts';

const PLANNED = scenarios()
  .filter(({ errors }) => errors.length === 0)
  .map((scenario) => [scenario.name, scenario] as const);

const tasks = new Set<string>();

/** What the plan adds to a decision: whether there is room for it, and how its rollout counts it. */
function decided({ covered: _, action: __, reason: ___, ...change }: Change): Partial<Change> {
  return change;
}

test.each(PLANNED)(
  '%s: the last look decides as the plan did, where nothing moved (protocol X7)',
  async (_, scenario) => {
    const { candidates, look } = await atWork(scenario);
    for (const candidate of candidates) {
      tasks.add(candidate.change.task);
      const found = look(candidate);
      expect([candidate.change.id, found.is === 'holds' ? 'holds' : found.said]).toEqual([
        candidate.change.id,
        'holds',
      ]);
      if (found.is === 'holds') expect(decided(found.change)).toEqual(decided(candidate.change));
    }
  },
);

test('that was tried on changes of every task type', () => {
  expect([...tasks].sort()).toEqual([...TASK_TYPES].sort());
});
