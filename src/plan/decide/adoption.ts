import { portion, shareOf } from '../../kinds/due-rule.ts';
import { lastDoneAt } from '../../kinds/past.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Observer } from '../observer.ts';
import type { Evaluation } from './question.ts';

/** SEEN of an adopted policy; its subject is the address of the policy. */
const ADOPTED = 'adopted';

/**
 * What was overdue when its policy was adopted does not start on day one (semantics R12): each
 * device has an instant of its own in the time that is left until it is too old, or where it is too
 * old already, in a whole `maxAge`. A device that was rotated by us before is in debt instead; a
 * spread of 0 spreads nothing.
 */
export function awaitsItsTurn(evaluation: Evaluation): Reason | undefined {
  const overdue = overdueBy(evaluation);
  if (!overdue || lastDoneAt(evaluation.case.past) !== undefined) return undefined;
  const { policy, device, now } = evaluation.case;
  const { since, breachesAt, maxAge } = overdue;
  const adoptedAt = sightingOf(evaluation.memory, ADOPTED, policy.address)?.firstAt;
  if (adoptedAt !== undefined && since > adoptedAt) return undefined;
  const from = adoptedAt ?? now;
  const span = Math.min(breachesAt > from ? breachesAt - from : maxAge, leftOf(overdue, from));
  const next = from + portion(span, shareOf(policy.address, device.id));
  if (adoptedAt !== undefined && now >= next) return undefined;
  const unseen = adoptedAt === undefined && { params: { unseen: 'adoption' } };
  return { code: 'notDue', why: 'spread', since, next, ...unseen };
}

/** The policies whose spread begins with this run. */
export const adoptions: Observer = function* ({ documents, memory, now }) {
  for (const { value } of documents.rotations.values()) {
    const isSpread = value.due.is === 'maxAge' && value.due.spread > 0;
    if (isSpread && !sightingOf(memory, ADOPTED, value.address))
      yield { what: ADOPTED, subject: value.address, seenAt: now };
  }
};

/** How long the service says that it is still good; without a word of that, for ever. */
function leftOf({ expiresAt = Infinity }: Overdue, from: Instant): Milliseconds {
  return Math.max(0, expiresAt - from);
}

/** What is overdue by an age that is spread. */
interface Overdue {
  readonly expiresAt?: Instant;
  readonly since: Instant;
  readonly breachesAt: Instant;
  readonly maxAge: Milliseconds;
}

function overdueBy({ judgement, case: { policy } }: Evaluation): Overdue | undefined {
  if (policy.section !== 'rotations' || policy.due.is !== 'maxAge') return undefined;
  if (policy.due.spread === 0 || judgement.is !== 'due') return undefined;
  const { why, since, breachesAt, expiresAt } = judgement;
  if (why !== 'ageReached' || since === undefined || breachesAt === undefined) return undefined;
  const ends = expiresAt !== undefined && { expiresAt };
  return { since, breachesAt, maxAge: policy.due.maxAge, ...ends };
}
