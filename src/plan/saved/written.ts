import type { Change } from '../../model/plan/change.ts';
import type { Params } from '../../model/error.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { formatInstant, parseInstant, SMALLEST_INSTANT } from '../../lib/time.ts';

type Head = Omit<Plan, 'changes'>;

/** The head of a plan as its file contains it, with instants as RFC 3339. */
export function writtenHead(head: Head): object {
  return {
    ...head,
    notes: head.notes.map((note) => ({ ...note, reason: writtenReason(note.reason) })),
    warnings: head.warnings.map((one) => ({ ...one, params: writtenParams(one.params) })),
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

/** Converts the instants of a reason, or of any other value in its place, to numbers. */
export function readReason(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('reason' in value)) return value;
  const { reason } = value;
  if (typeof reason !== 'object' || reason === null) return value;
  const instants = (['since', 'next'] as const).flatMap((name) => {
    const text = (reason as Readonly<Record<string, unknown>>)[name];
    const instant = typeof text === 'string' ? parseInstant(text) : undefined;
    return instant === undefined ? [] : [[name, instant] as const];
  });
  if (instants.length === 0) return value;
  return { ...value, reason: { ...reason, ...Object.fromEntries(instants) } };
}

/** A change, or any other value in its place in a file, with its instants as numbers. */
export function readChange(value: unknown): unknown {
  const change = readReason(value);
  if (typeof change !== 'object' || change === null || !('countedFrom' in change)) return change;
  const { countedFrom } = change;
  const read = typeof countedFrom === 'string' ? parseInstant(countedFrom) : undefined;
  return { ...change, countedFrom: countedFrom === 'never' ? Infinity : read };
}
