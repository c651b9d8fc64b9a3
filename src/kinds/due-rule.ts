import type { DueRule } from '../model/documents/policy.ts';
import { HASH_SPAN, stableHash } from '../lib/stable-hash.ts';
import { formatDuration, type Instant, type Milliseconds } from '../lib/time.ts';

/** The dates of a credential that a due rule uses. */
export interface Dates {
  readonly changedAt?: Instant | undefined;
  readonly expiresAt?: Instant | undefined;
}

/** When a rule requires a new credential. */
export interface DueDate {
  /** The rule alone makes the credential due from this instant on. */
  readonly from: Instant;
  /** The credential of this device is due from this instant on: `from` plus the offset of the device. */
  readonly at: Instant;
  /** The credential is too old, or no longer valid, from this instant on. */
  readonly breachesAt: Instant;
}

/** The minimum lead time (semantics R9). A percentage of a short life may be almost nothing. */
const LEAST_AHEAD: Milliseconds = 14 * 86_400_000;

/**
 * Computes when a credential falls due (semantics R8), from its last change or its end and the
 * offset of its device. Returns undefined if the date that the rule uses is unknown.
 * @param share the position of the device in the spread, from `spreadPosition`
 */
export function dueDate(rule: DueRule, dates: Dates, share: number): DueDate | undefined {
  if (rule.is === 'never') return undefined;
  const { changedAt, expiresAt } = dates;
  if (rule.is === 'maxAge')
    return changedAt === undefined ? undefined : byAge(rule, { changedAt, expiresAt }, share);
  if (expiresAt === undefined) return undefined;
  const ahead = leadTime(rule, dates.changedAt, expiresAt);
  const from = expiresAt - ahead;
  return { from, at: from + portion(effectiveSpread(rule, ahead), share), breachesAt: expiresAt };
}

/**
 * The life of a certificate that `renewBefore` would replace as soon as it is issued, because it asks for half of
 * that life or more (semantics L-renewalLoop); undefined if it would not, or if a date is unknown.
 */
export function tooShortLife(
  rule: DueRule,
  { changedAt, expiresAt }: Dates,
): Milliseconds | undefined {
  if (rule.is !== 'renewBefore' || changedAt === undefined || expiresAt === undefined)
    return undefined;
  const life = expiresAt - changedAt;
  return rule.before >= life / 2 ? life : undefined;
}

/**
 * The position of a device in a spread, from 0 to below 1. It is a hash of policy and device, so it
 * is the same in every run and evenly distributed over a fleet.
 */
export function spreadPosition(policy: string, deviceId: string): number {
  return stableHash(policy, deviceId) / HASH_SPAN;
}

/** A share of a span in whole seconds, within `[0, span]`. */
export function portion(span: Milliseconds, share: number): Milliseconds {
  return Math.floor(share * (Math.floor(span / 1_000) + 1)) * 1_000;
}

/** The rule as an author writes it. */
export function ruleText(rule: Exclude<DueRule, { readonly is: 'never' }>): string {
  if (rule.is === 'maxAge') return `maxAge ${formatDuration(rule.maxAge)}`;
  if (rule.is === 'renewShare') return `renewBefore ${rule.percent}%`;
  return `renewBefore ${formatDuration(rule.before)}`;
}

/**
 * The end that the service reports limits the spread (semantics R15). A spread that reaches past
 * this end is shortened to a third of the time left, as for renewals.
 */
function byAge(
  { maxAge, headStart, spread }: DueRule & { readonly is: 'maxAge' },
  { changedAt, expiresAt = Infinity }: { changedAt: Instant; expiresAt?: Instant | undefined },
  share: number,
): DueDate {
  const from = changedAt + maxAge - headStart;
  const left = Math.max(0, expiresAt - from);
  const at = from + portion(spread < left ? spread : Math.min(spread, left / 3), share);
  return { from, at, breachesAt: Math.min(changedAt + maxAge, expiresAt) };
}

type Renewal = DueRule & { readonly is: 'renewBefore' | 'renewShare' };

/**
 * A percentage of the actual life: at least 14 days and at most half of the life. Half of the life
 * wins if the two conflict.
 */
function leadTime(rule: Renewal, from: Instant | undefined, until: Instant): Milliseconds {
  if (rule.is === 'renewBefore') return rule.before;
  if (from === undefined) return LEAST_AHEAD;
  const life = Math.max(0, until - from);
  return Math.floor(Math.min(Math.max((life * rule.percent) / 100, LEAST_AHEAD), life / 2));
}

/** A spread that reaches past the end of the certificate is replaced by the built-in spread. */
function effectiveSpread({ spread }: Renewal, ahead: Milliseconds): Milliseconds {
  return spread === undefined || spread >= ahead ? ahead / 3 : spread;
}
