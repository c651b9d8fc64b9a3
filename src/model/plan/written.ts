import { formatInstant, type Instant, parseInstant } from '../../lib/time.ts';
import { WorldError } from '../error.ts';
import type { Change } from './change.ts';
import type { Plan, PlanDates } from './plan.ts';
import type { Reason } from './reason.ts';

type Head = Omit<Plan, 'changes'>;

/** The head of a plan as its file contains it, with instants as RFC 3339. */
export function writtenHead(head: Head): object {
  return {
    ...head,
    notes: head.notes.map((note) => ({ ...note, reason: writtenReason(note.reason) })),
    ...(head.dates && { dates: head.dates.map(writtenDates) }),
  };
}

function writtenDates({ blocked, undated, ...row }: PlanDates): object {
  return {
    ...row,
    ...(blocked && { blocked: { ...blocked, reason: writtenReason(blocked.reason) } }),
    ...(undated && { undated: { ...undated, reason: writtenReason(undated.reason) } }),
  };
}

/** A change as the file contains it, with instants as RFC 3339. */
export function writtenChange({
  policy: _,
  finalTarget: __,
  countedAs: ___,
  countedFrom,
  ...change
}: Change): object {
  return {
    ...change,
    ...(countedFrom !== undefined && {
      countedFrom: countedFrom === Infinity ? 'never' : formatInstant(countedFrom),
    }),
    reason: writtenReason(change.reason),
  };
}

function writtenReason(reason: Reason): object {
  const { since, next } = reason;
  if (since === undefined && typeof next !== 'number') return reason;
  return {
    ...reason,
    ...(since !== undefined && { since: formatInstant(since) }),
    ...(typeof next === 'number' && { next: formatInstant(next) }),
  };
}

/** What the file has with a reason, with the instants of the reason as numbers. Throws `planTampered` for another text. */
export function readReason<T extends { readonly reason: WrittenReason }>(written: T): T {
  const { since, next } = written.reason;
  if (since === undefined && (next === undefined || next === 'never')) return written;
  const reason = {
    ...written.reason,
    ...(since !== undefined && { since: readInstant(since) }),
    ...(next !== undefined && next !== 'never' && { next: readInstant(next) }),
  };
  return { ...written, reason };
}

interface WrittenReason {
  readonly since?: unknown;
  readonly next?: unknown;
}

/** A change of the file, with its policy, and its instants as numbers. Throws `planTampered`. */
export function readChange(written: Change): Change {
  const { at, countedFrom } = written;
  return {
    ...readReason(written),
    policy: at.policy,
    ...(countedFrom !== undefined && { countedFrom: readFrom(countedFrom) }),
  };
}

function readFrom(text: unknown): Instant {
  return text === 'never' ? Infinity : readInstant(text);
}

/** An instant of the file. Throws `planTampered` for a text that is none, such as a 13th month. */
export function readInstant(text: unknown): Instant {
  const instant = parseInstant(String(text));
  if (instant === undefined) throw new WorldError('planTampered', { why: 'instant' });
  return instant;
}
