import type { Change } from '../../model/plan/change.ts';
import { type Params, WorldError } from '../../model/error.ts';
import type { Plan, PlanDates } from '../../model/plan/plan.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { formatInstant, type Instant, parseInstant, SMALLEST_INSTANT } from '../../lib/time.ts';

type Head = Omit<Plan, 'changes'>;

/** The head of a plan as its file contains it, with instants as RFC 3339. */
export function writtenHead(head: Head): object {
  return {
    ...head,
    notes: head.notes.map((note) => ({ ...note, reason: writtenReason(note.reason) })),
    ...(head.dates && { dates: head.dates.map(writtenDates) }),
    warnings: head.warnings.map((one) => ({ ...one, params: writtenParams(one.params) })),
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
    ...(countedFrom !== undefined && { countedFrom: writtenFrom(countedFrom) }),
    reason: writtenReason(change.reason),
  };
}

/** Without an end, it never counts. */
function writtenFrom(countedFrom: number): string {
  return countedFrom === Infinity ? 'never' : formatInstant(countedFrom);
}

function writtenReason(reason: Reason): object {
  const { since, next, params } = reason;
  if (since === undefined && typeof next !== 'number' && !params) return reason;
  return {
    ...reason,
    ...(since !== undefined && { since: formatInstant(since) }),
    ...(typeof next === 'number' && { next: formatInstant(next) }),
    ...(params && { params: writtenParams(params) }),
  };
}

function writtenParams(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' && value >= SMALLEST_INSTANT ? formatInstant(value) : value,
    ]),
  );
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
