import type { Change, Values, WindowRef } from '../../model/plan/change.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { At } from '../../model/documents/source.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { dayText, momentText, openingMoment, type PageTime } from '../words/moment.ts';
import { originWords } from '../words/terms.ts';
import { reasonWords } from '../words/reasons.ts';
import { findClose, type WindowRow } from '../view/opening.ts';
import type { ReportEntries, PlaceEntry, WindowEntry } from './format.ts';
import { DECISION_STEPS } from './words.ts';

const asItIs = (text: string): string => text;

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
  return { commit: commit.slice(0, 12), author, subject, day: dayText(at) };
}

/** The data for the opening times of windows. */
export interface HoursOptions {
  readonly windows: readonly WindowRow[];
  readonly page: PageTime & { readonly now: Instant };
}

/** A window: when it opens next, and when it then closes. */
export function windowEntry(ref: WindowRef, { windows, page }: HoursOptions): WindowEntry {
  const { name, zone, opens } = ref;
  const at = parseInstant(opens ?? '');
  const close = findClose(windows, ref, page.now);
  return {
    name,
    ...(zone !== undefined && { zone }),
    ...(at !== undefined && { opens: openingMoment(at, zone, page) }),
    ...(close !== undefined && { closes: openingMoment(close, zone, page) }),
  };
}

/** A reason without its instants, which have columns of their own. */
export type TimelessReason = Pick<Reason, 'code' | 'why' | 'params'>;

/** A reason in words, and its step in the decision order. */
export function reasonEntry(reason: TimelessReason, page: PageTime): ReportEntries['reason'] {
  const { summary, next } = reasonWords(reason, { ...page, sink: asItIs });
  return {
    code: reason.code,
    step: DECISION_STEPS.findIndex(({ codes }) => codes.includes(reason.code)),
    says: summary,
    todo: next,
  };
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
