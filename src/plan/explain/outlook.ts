import { desire } from '../../desired/desire.ts';
import type { Outlook } from '../../model/plan/outlook.ts';
import type { Instant } from '../../lib/time.ts';
import { toDecisionInput, type Evaluation } from '../decide/decision-input.ts';
import { evaluate, runSteps } from '../decide/decide.ts';
import type { PlannerInput } from '../input.ts';
import { partMembership } from '../part/membership.ts';
import { matchFreezes } from '../decide/schedule.ts';

/**
 * When each desired state of a managed device falls due by the clock alone. Nothing is simulated:
 * windows, budgets, waves and later runs do not change it. While an exception excludes a desired
 * state, it has no due date.
 */
export function* outlooks(input: PlannerInput): Generator<Outlook> {
  const { freezesOf } = matchFreezes(input);
  const { freezes } = input.documents;
  const members = input.part && partMembership(input.part, input.snapshot);
  for (const want of desire(input).wants) {
    const { task, policy, at, exemption } = want.wanted;
    const { hold, exclude, pin, expedite, perhaps } = exemption;
    const evaluation = evaluate(toDecisionInput(want, input));
    const { id, name, sites } = evaluation.case.device;
    if (members?.has(policy.value.address, id) === false) continue;
    const { expiresAt } = evaluation.judgement;
    yield {
      task,
      device: { id, sites, ...(name !== undefined && { name }) },
      at,
      windows: policy.value.windows,
      ...findDue(evaluation, input.now),
      ...(expiresAt !== undefined && { expiresAt }),
      freezes: freezesOf(id).filter((one) => freezes.get(one)?.value.tasks.includes(task)),
      exceptions: [hold, exclude, pin, expedite, perhaps].flatMap((entry) => entry?.name ?? []),
    };
  }
}

type Due = Pick<Outlook, 'dueAt' | 'since' | 'breachesAt'>;

function findDue(evaluation: Evaluation, now: Instant): Due {
  const { judgement, exemption } = evaluation;
  if (exemption.exclude) return {};
  if (judgement.is === 'notDue') {
    const { next } = judgement.reason;
    return typeof next === 'number' ? { dueAt: next } : {};
  }
  if (judgement.is !== 'due') return {};
  const { since, breachesAt } = judgement;
  const { reason } = runSteps(evaluation);
  return {
    dueAt: reason.code === 'notDue' && typeof reason.next === 'number' ? reason.next : now,
    ...(since !== undefined && { since }),
    ...(breachesAt !== undefined && { breachesAt }),
  };
}
