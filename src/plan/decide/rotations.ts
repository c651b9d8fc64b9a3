import { seedOf } from '../../model/documents/policy.ts';
import { portion, spreadPosition } from '../../kinds/due-rule.ts';
import { lastDoneAt, mayHaveRun } from '../../kinds/judgements.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { findSighting, listSightings } from '../../model/ledger/sightings.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Observer } from '../observer.ts';
import type { Evaluation } from './decision-input.ts';
import { TASK_TYPES, TASKS, type TaskType } from '../../model/fleet/task.ts';

/** SEEN of an adopted policy; its subject is the oldest name of the policy. */
const ADOPTED = 'adopted';

/**
 * A device that was overdue when its policy was adopted does not start on day one (semantics R12).
 * Each has an instant of its own in the time until it is too old or, if it is too old already,
 * within a whole `maxAge`. A device that this tool rotated before is overdue instead; a spread of 0
 * spreads nothing.
 */
export function awaitsItsTurn(evaluation: Evaluation): Reason | undefined {
  const overdue = overdueBy(evaluation);
  if (!overdue || lastDoneAt(evaluation.case.past) !== undefined) return undefined;
  const { policy, device, now } = evaluation.case;
  const { since, breachesAt, maxAge } = overdue;
  const adoptedAt = findSighting(evaluation.memory, ADOPTED, seedOf(policy))?.firstAt;
  if (adoptedAt !== undefined && since > adoptedAt) return undefined;
  const from = adoptedAt ?? now;
  const timeLeft = Math.max(0, (overdue.expiresAt ?? Infinity) - from);
  const span = Math.min(breachesAt > from ? breachesAt - from : maxAge, timeLeft);
  const next = from + portion(span, spreadPosition(seedOf(policy), device.id));
  // For adopted policies and others: without time left, waiting for an apply to adopt it costs a
  // whole run (semantics R15).
  if (now >= next) return undefined;
  const unseen = adoptedAt === undefined && { params: { unseen: 'adoption' } };
  return { code: 'notDue', why: 'spread', since, next, ...unseen };
}

/** The policies whose spread starts with this run. */
export const adoptions: Observer = function* ({ documents, memory, now }) {
  for (const { value } of documents.rotations.values()) {
    const isSpread = value.due.is === 'maxAge' && value.due.spread > 0;
    if (isSpread && !findSighting(memory, ADOPTED, seedOf(value)))
      yield { what: ADOPTED, subject: seedOf(value), seenAt: now };
  }
};

/** A credential that is overdue by an age with a spread. */
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

/**
 * SEEN of an overdue device that was offline: its subject is the device, its value `away` at first
 * and `back` once it was reachable again.
 */
const BACK = 'back';

/**
 * An overdue device that was offline is not changed for the `offlineGrace` of its policy after it
 * is back (semantics R13). The time starts when apply has recorded that it is back.
 */
export function settlesIn({ judgement, memory, case: theCase }: Evaluation): Reason | undefined {
  const { policy, device, now } = theCase;
  if (policy.section !== 'rotations' || policy.offlineGrace === 0) return undefined;
  if (judgement.is !== 'due' || !isReachable(device.status)) return undefined;
  const seen = findSighting(memory, BACK, device.id);
  if (!seen) return undefined;
  if (seen.value === 'away') {
    const params = { unseen: 'return' };
    return { code: 'notDue', why: 'offlineGrace', next: now + policy.offlineGrace, params };
  }
  const { since } = seen;
  const next = since + policy.offlineGrace;
  return now < next ? { code: 'notDue', why: 'offlineGrace', since, next } : undefined;
}

/** Devices whose rotation is overdue while they are offline. */
export const absences: Observer = function* ({ documents, memory, changes, now }) {
  const found = new Set<string>();
  const waiting = new Set([...documents.rotations.values()].map(({ value }) => value.address));
  for (const { policy, device, reason } of changes) {
    if (reason.code !== 'offline' || !waiting.has(policy) || found.has(device.id)) continue;
    found.add(device.id);
    if (findSighting(memory, BACK, device.id)?.value === 'away') continue;
    yield { what: BACK, subject: device.id, value: 'away', seenAt: reason.since ?? now };
  }
};

/** Devices that were away and can be reached again. */
export const returns: Observer = function* ({ snapshot: { devices }, memory, now }) {
  for (const [subject, { value }] of listSightings(memory, BACK)) {
    if (value !== 'away') continue;
    const row = devices.rowOf(subject);
    if (row === undefined || !isReachable(devices.at(row).status)) continue;
    yield { what: BACK, subject, value: 'back', seenAt: now };
  }
};

function isReachable(status: string | undefined): boolean {
  return status === 'online' || status === 'partial';
}

/** The time between the password and the certificate of one device, which is longer than any window (semantics R4). */
export const CREDENTIAL_GAP: Milliseconds = 24 * 3_600_000;

/** The task that replaces the other credential of a device. */
export function otherThan(task: TaskType): TaskType | undefined {
  const { credential } = TASKS[task];
  if (credential === undefined) return undefined;
  return TASK_TYPES.find((one) => one !== task && TASKS[one].credential !== undefined);
}

/** The other credential of the device was rotated, or may have been, less than a day ago. */
export function otherCredential(evaluation: Evaluation): Reason | undefined {
  const { task, memory, case: theCase } = evaluation;
  const other = otherThan(task);
  if (other === undefined) return undefined;
  const times = memory
    .intentsOf(theCase.device.id, other)
    .filter(mayHaveRun)
    .map(({ settledAt, attemptedAt }) => settledAt ?? attemptedAt);
  const since = Math.max(...times);
  return theCase.now < since + CREDENTIAL_GAP ? { ...gapAfter(other, since), since } : undefined;
}

/** Why the rotation of the other credential of a device waits, from an instant on. */
export function gapAfter(task: TaskType, at: Instant): Reason {
  return { code: 'busy', why: 'gap', next: at + CREDENTIAL_GAP, params: { task } };
}
