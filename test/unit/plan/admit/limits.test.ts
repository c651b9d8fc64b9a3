import { expect, test } from 'vitest';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { LIMITS } from '../../../../src/plan/admit/admission-limits.ts';
import { atWork } from '../../../support/last-look.ts';
import { readScenario } from '../../../support/plan-scenario.ts';

type Phase = 'plan' | 'batch';

/** Where each limit bites, in each phase that it holds in: a scenario, and the reason that it gives there. */
const TRIED: Readonly<Record<string, Partial<Record<Phase, readonly [string, string]>>>> = {
  firstDay: { plan: ['54-O6-first-day-duties-in-the-order-of-their-policy', 'notDue firstDay'] },
  onePerDevice: {
    plan: ['23-K24-one-task-at-a-time-on-a-device', 'busy ours'],
    batch: ['103-K10-F1-every-way-of-being-busy', 'busy ours'],
  },
  window: { batch: ['70-K7-K15-K16-a-window-by-the-clock-of-each-site', 'windowClosed'] },
  maxPerDay: {
    plan: ['16-O4-onboarding-keeps-to-so-many-a-day', 'notDue maxPerDay'],
    batch: ['16-O4-onboarding-keeps-to-so-many-a-day', 'notDue maxPerDay'],
  },
  maxPerSite: {
    plan: ['52-so-many-restarts-at-one-site', 'notDue maxPerSite'],
    batch: ['52-so-many-restarts-at-one-site', 'notDue maxPerSite'],
  },
  canaryPace: {
    plan: ['45-R10-what-is-of-unknown-age-goes-at-canary-pace', 'waveNotOpen canaryPace'],
    batch: ['45-R10-what-is-of-unknown-age-goes-at-canary-pace', 'waveNotOpen canaryPace'],
  },
  budgets: {
    plan: ['10-K21-max-in-flight-of-a-rollout', 'budgetExhausted'],
    batch: ['10-K21-max-in-flight-of-a-rollout', 'budgetExhausted'],
  },
  requests: {
    plan: ['160-K18-requests-at-the-pace-of-the-documents', 'apiBudget'],
    batch: ['162-K18-before-K19-wanted-now-and-no-time', 'apiBudget'],
  },
};

const CASES = Object.entries(TRIED).flatMap(([name, phases]) =>
  Object.entries(phases).map(([phase, [scenario, reason]]) => ({ name, phase, scenario, reason })),
);

const said = ({ code, why }: Reason): string => (why === undefined ? code : `${code} ${why}`);

test.each(CASES)('$name holds in a $phase (semantics K21)', async ({ phase, scenario, reason }) => {
  const { survey, parked } = await atWork(readScenario(scenario));
  const waiting = [...survey.plan.changes].filter(({ action }) => action === 'wait');
  const reasons =
    phase === 'plan' ? waiting.map((change) => change.reason) : [...parked().values()];
  expect(reasons.map(said)).toContain(reason);
});

test('every limit is tried in each of its phases', () => {
  const holds = LIMITS.map(({ name, plan, batch }) => [name, plan && 'plan', batch && 'batch']);
  const tried = Object.entries(TRIED).map(([name, { plan, batch }]) => [
    name,
    plan && 'plan',
    batch && 'batch',
  ]);
  expect(tried).toEqual(holds);
});
