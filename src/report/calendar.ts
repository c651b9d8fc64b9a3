import { CALENDAR_KINDS, type CalendarEntry, type CalendarView } from '../model/plan/calendar.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { clockEntries } from './clock-entries.ts';
import { deviceEntries } from './device-entries.ts';

/** The input of a calendar; `outlooks` is walked once, the rest comes from the plan. */
interface CalendarInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly outlooks: Iterable<Outlook>;
  readonly now: Instant;
  /** At most `LONGEST_HORIZON`. */
  readonly horizon: Milliseconds;
}

/**
 * The dates until the horizon that need no commit: due dates, ends of credentials and exceptions,
 * openings of windows, freezes, and DST changes. Nothing is simulated: each date follows from the
 * current state.
 */
export function buildCalendar(input: CalendarInput): CalendarView {
  const { documents, snapshot, now } = input;
  const within = { open: now, close: now + input.horizon };
  const outlooks = [...input.outlooks];
  const entries = [
    ...deviceEntries({ documents, snapshot, outlooks, within }),
    ...clockEntries({ documents, outlooks, within }),
  ];
  return { from: within.open, to: within.close, entries: entries.sort(inOrder) };
}

function inOrder(a: CalendarEntry, b: CalendarEntry): number {
  return (
    a.at - b.at ||
    CALENDAR_KINDS.indexOf(a.kind) - CALENDAR_KINDS.indexOf(b.kind) ||
    compareTexts(a.name ?? '', b.name ?? '') ||
    compareTexts(a.task ?? '', b.task ?? '') ||
    compareTexts(a.zone ?? '', b.zone ?? '')
  );
}
