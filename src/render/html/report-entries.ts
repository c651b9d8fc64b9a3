import type { Change, Values, WindowRef } from '../../model/plan/change.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { At } from '../../model/documents/source.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { zoneClock, localMoment, UTC, type ZoneClock } from '../words/local.ts';
import { moment, momentText } from '../words/moment.ts';
import { originWords } from '../words/terms.ts';
import { reasonWords } from '../words/reasons.ts';
import { findClose, type WindowRow } from '../view/opening.ts';
import type { ReportEntries, PlaceEntry, WindowEntry } from './format.ts';
import { DECISION_STEPS } from './words.ts';

/** Vendor and model as one text; undefined if neither is known. */
export function vendorAndModel({ vendor, model }: Change['device']): string | undefined {
  const parts = [vendor, model].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** A place with its policy and its author. */
export function placeEntry(at: At, origin: LineOrigin | undefined): PlaceEntry {
  return {
    policy: at.policy,
    at: `${at.file}:${at.line}:${at.column}`,
    ...(origin && { by: authorEntry(origin) }),
  };
}

function authorEntry(origin: LineOrigin): NonNullable<PlaceEntry['by']> {
  if (origin.is !== 'commit') return originWords(origin);
  const { commit, author, subject, at } = origin;
  return { commit: commit.slice(0, 12), author, subject, day: at.slice(0, 10) };
}

/** The data for the opening times of windows. */
export interface HoursOptions {
  readonly windows: readonly WindowRow[];
  readonly now: Instant;
}

/** A window: when it opens next, in UTC and in local time, and when it then closes. */
export function windowEntry(ref: WindowRef, { windows, now }: HoursOptions): WindowEntry {
  const { name, zone, opens } = ref;
  const at = parseInstant(opens ?? '');
  const clock = zone === undefined ? undefined : zoneClock(zone);
  const close = findClose(windows, ref, now);
  return {
    name,
    ...(zone !== undefined && { zone }),
    ...(at !== undefined && { opens: moment(at) }),
    ...(at !== undefined && clock && { local: localMoment(at, clock) }),
    ...(close !== undefined && { closes: closeText(close, clock ?? UTC) }),
  };
}

/** `Tue 2026-11-24 05:00`; in UTC, with `UTC` at the end, if the zone is unknown. */
function closeText(close: Instant, clock: ZoneClock): string {
  return clock === UTC ? moment(close) : localMoment(close, clock);
}

/** A reason without its instants, which have columns of their own. */
export type TimelessReason = Pick<Reason, 'code' | 'why' | 'params'>;

/** A reason in words, and its step in the decision order. */
export function reasonEntry(reason: TimelessReason): ReportEntries['reason'] {
  const { summary, next } = reasonWords(reason, { sink: (text) => text });
  return { code: reason.code, step: stepIndex(reason.code), says: summary, todo: next };
}

function stepIndex(code: ReasonCode): number {
  return DECISION_STEPS.findIndex(({ codes }) => codes.includes(code));
}

/** Every field with a current or target value, those with a target first. */
export function toEdit([before, after]: readonly [Values, Values]): ReportEntries['edit'] {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return fields.map((field) => [field, cellText(before[field]), cellText(after[field])] as const);
}

function cellText(value: Values[string] | undefined): string | null {
  if (value === undefined) return null;
  return value === null ? 'unknown' : momentText(String(value));
}
