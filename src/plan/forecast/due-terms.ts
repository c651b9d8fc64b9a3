import type { Policy } from '../../model/documents/policy.ts';
import type { Instant } from '../../lib/time.ts';
import type { StartSpan } from '../../calendar/starts.ts';
import { startChances } from '../../calendar/satisfiable.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { Timing } from '../decide/schedule.ts';

/** When a change falls due on a device, and when it is too late. */
export interface Term {
  readonly due: Instant;
  readonly before: Instant;
  /** When the credential expires, which may be later; absent where nothing does. */
  readonly expiresAt?: Instant;
}

/**
 * The term of a device by its own dates: the end of its certificate, the last change of its
 * password, or the first reading of its firmware as approved. A version that no run has seen counts
 * as first seen now. Undefined if the policy sets no date, if no date is known, or if it is already
 * too late.
 */
export function findTerm({
  judgement,
  policy,
  case: { now },
}: Pick<Evaluation, 'judgement' | 'policy' | 'case'>): Term | undefined {
  const deadline = policyDeadline(policy.value);
  if (judgement.is !== 'due' && judgement.is !== 'notDue') return undefined;
  const { breachesAt } = judgement;
  const { since, next } = judgementDates(judgement);
  if (deadline !== undefined) {
    const from = next ?? now + deadline.deferral;
    return upcoming({ before: breachesAt ?? from + deadline.time, after: deadline.time }, now);
  }
  const due = since ?? next;
  if (due === undefined || breachesAt === undefined) return undefined;
  const term = upcoming({ before: breachesAt, after: breachesAt - due }, now);
  const { expiresAt } = judgement;
  return term && expiresAt !== undefined ? { ...term, expiresAt } : term;
}

/**
 * The number of starts in a term, at most two; undefined if the calendar does not cover the term.
 */
export function listChances(
  { due, before }: Term,
  starts: readonly StartSpan[],
  { calendar }: NonNullable<Timing['judged']>,
): readonly StartSpan[] | undefined {
  const found = startChances(starts, { due, before, most: 2 });
  const { open, close } = calendar.span;
  return found.length < 2 && (due < open || before > close) ? undefined : found;
}

type Timed = Evaluation['judgement'] & { readonly is: 'due' | 'notDue' };

function judgementDates(judgement: Timed): { readonly since?: Instant; readonly next?: Instant } {
  if (judgement.is === 'due')
    return judgement.since === undefined ? {} : { since: judgement.since };
  const { next } = judgement.reason;
  return typeof next === 'number' ? { next } : {};
}

function policyDeadline(policy: Policy) {
  if (policy.section !== 'firmware' || policy.deadline === undefined) return undefined;
  return { time: policy.deadline, deferral: policy.deferral };
}

function upcoming(
  { before, after }: { readonly before: Instant; readonly after: number },
  now: Instant,
): Term | undefined {
  // A change without a deadline, or one that has always been due, has no term.
  if (!Number.isFinite(before) || !Number.isFinite(after)) return undefined;
  return before > now && after > 0 ? { due: before - after, before } : undefined;
}
