import { portion, shareOf } from '../kinds/due-rule.ts';
import { lastDoneAt } from '../kinds/past.ts';
import type { Reason } from '../model/reason.ts';
import { sightingOf } from '../model/sightings.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import type { Observer } from './observers.ts';
import type { Question } from './question.ts';

/** SEEN of an adopted policy; its subject is the address of the policy. */
const ADOPTED = 'adopted';

/**
 * What was overdue when its policy was adopted does not start on day one (semantics 4.11): each
 * device has an instant of its own in the time that is left until it is too old, or where it is too
 * old already, in a whole `maxAge`. A device that was rotated by us before is in debt instead; a
 * spread of 0 spreads nothing.
 */
export function awaitsItsTurn(question: Question): Reason | undefined {
  const { judgement, memory, case: theCase } = question;
  const { policy, device, past, now } = theCase;
  if (policy.section !== 'rotations' || policy.due.is !== 'maxAge') return undefined;
  if (judgement.is !== 'due' || judgement.why !== 'ageReached') return undefined;
  const { since, breachesAt } = judgement;
  if (since === undefined || breachesAt === undefined || policy.due.spread === 0) return undefined;
  if (lastDoneAt(past) !== undefined) return undefined;
  const adoptedAt = sightingOf(memory, ADOPTED, policy.address)?.firstAt;
  if (adoptedAt !== undefined && since > adoptedAt) return undefined;
  const from = adoptedAt ?? now;
  const span = timeLeft(from, breachesAt, policy.due.maxAge);
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

function timeLeft(from: Instant, breachesAt: Instant, maxAge: Milliseconds): Milliseconds {
  return breachesAt > from ? breachesAt - from : maxAge;
}
