import { expect, test } from 'vitest';
import type { Candidate } from '../../../../src/apply/send/candidate.ts';
import { boundPassed, isReadLate, type Change } from '../../../../src/model/plan/change.ts';
import { TASK_TYPES } from '../../../../src/model/fleet/task.ts';
import { intersect } from '../../../../src/plan/compare/compare.ts';
import { isTried } from '../../../support/campaign.ts';
import { mutationsOfChange } from '../../../support/change-mutations.ts';
import { atWork, type AtWork } from '../../../support/last-look.ts';
import { aPlan } from '../../../support/plan-change.ts';
import { aMemory } from '../../../support/plan-fleet.ts';
import { scenarios, type Scenario } from '../../../support/plan-scenario.ts';

const PLANNED = scenarios()
  .filter(({ errors }, nth) => errors.length === 0 && isTried(nth))
  .map((scenario) => [scenario.name, scenario] as const);

const known = new Map<string, Promise<AtWork>>();

/** Each scenario is planned once. */
function worked(scenario: Scenario): Promise<AtWork> {
  const found = known.get(scenario.name) ?? atWork(scenario);
  known.set(scenario.name, found);
  return found;
}

const tasks = new Set<string>();
let ordered = 0;

/** Of each policy one: the devices of one differ in little that a comparison could look at. */
function firstOfPolicies(candidates: readonly Candidate[]): readonly Candidate[] {
  const first = new Map(
    candidates.toReversed().map((each) => [each.wanted.policy.value.address, each] as const),
  );
  return [...first.values()];
}

/**
 * Without what the plan adds to a decision: whether there is room for it, by which exception, and how guardrails count
 * it. The target of what the documents ask for is what the last look reads.
 */
function decided({ action: _, reason: __, ...change }: Change): Partial<Change> {
  const { covered: ___, countedAs: ____, countedFrom: _____, ...fields } = change;
  const rest = { ...fields, passes: boundPassed(change) };
  return isReadLate(change) ? { ...rest, target: '', marker: '' } : rest;
}

test.each(PLANNED)(
  '%s: the last look decides as the plan did, where nothing moved (protocol X7)',
  async (_, scenario) => {
    const { candidates, look } = await worked(scenario);
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

test.each(PLANNED)(
  '%s: what compare calls the same, the last look calls the same (protocol X12)',
  async (_, scenario) => {
    const { candidates, survey, look } = await worked(scenario);
    const differing = firstOfPolicies(candidates).flatMap((candidate) =>
      mutationsOfChange(candidate.change).flatMap(({ name, change }) => {
        const [compared] = intersect(aPlan([change]), survey, aMemory([]));
        const holds = look({ ...candidate, change }).is === 'holds';
        return (compared?.state === 'same') === holds ? [] : [`${change.id} ${name}`];
      }),
    );
    expect(differing).toEqual([]);
  },
);

test.each(PLANNED)(
  '%s: what comes after others in the plan does so at the last look, too (semantics K28)',
  async (_, scenario) => {
    const { heldBy, look } = await worked(scenario);
    for (const candidate of heldBy('orderPending')) {
      ordered += 1;
      const found = look(candidate);
      expect(found).toMatchObject({ is: 'ends', said: { reason: { code: 'orderPending' } } });
    }
  },
);

test('these were tried where something waits for another policy', () => {
  expect(ordered).toBeGreaterThan(0);
});

test('these were tried on changes of every task type', () => {
  expect([...tasks].sort()).toEqual([...TASK_TYPES].sort());
});
