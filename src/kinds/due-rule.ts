import type { DueRule } from '../model/documents/policy.ts';
import { HASH_SPAN, stableHash } from '../lib/stable-hash.ts';
import { formatDuration, type Instant, type Milliseconds } from '../lib/time.ts';

/** What a due rule goes by. */
export interface Dates {
  readonly changedAt?: Instant | undefined;
  readonly expiresAt?: Instant | undefined;
}

/** When a rule wants a credential replaced. */
export interface DueDate {
  /** From here on by the rule alone. */
  readonly from: Instant;
  /** From here on for this device: `from` and its own offset. */
  readonly at: Instant;
  /** From here on it is too old, or no longer valid. */
  readonly breachesAt: Instant;
}

/** A percent of a short life may be next to nothing; this is the least (semantics R9). */
const LEAST_AHEAD: Milliseconds = 14 * 86_400_000;

/**
 * When a credential falls due (semantics R8): by its last change or by its end, and the offset of
 * its device. Undefined where the date that the rule goes by is not known.
 * @param share where in the spread the device is, from `spreadPosition`
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
 * Where in a spread a device is, from 0 to below 1: a hash of policy and device, so the same in every
 * run and spread evenly over a fleet.
 */
export function spreadPosition(policy: string, deviceId: string): number {
  return stableHash(policy, deviceId) / HASH_SPAN;
}

/** A share of a span in whole seconds, in `[0, span]`. */
export function portion(span: Milliseconds, share: number): Milliseconds {
  return Math.floor(share * (Math.floor(span / 1_000) + 1)) * 1_000;
}

/** The rule as its author writes it. */
export function ruleText(rule: Exclude<DueRule, { readonly is: 'never' }>): string {
  if (rule.is === 'maxAge') return `maxAge ${formatDuration(rule.maxAge)}`;
  if (rule.is === 'renewShare') return `renewBefore ${rule.percent}%`;
  return `renewBefore ${formatDuration(rule.before)}`;
}

/**
 * The end that the service itself says bounds the day that a spread gives (semantics R15): one that would reach past it
 * is a third of the time that is left, as with renewals.
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

/** A share of the actual life, 14 days at least and half of the life at most; the half wins. */
function leadTime(rule: Renewal, from: Instant | undefined, until: Instant): Milliseconds {
  if (rule.is === 'renewBefore') return rule.before;
  if (from === undefined) return LEAST_AHEAD;
  const life = Math.max(0, until - from);
  return Math.floor(Math.min(Math.max((life * rule.percent) / 100, LEAST_AHEAD), life / 2));
}

/** A spread that would reach past the end of this very certificate gives way to the built-in one. */
function effectiveSpread({ spread }: Renewal, ahead: Milliseconds): Milliseconds {
  return spread === undefined || spread >= ahead ? ahead / 3 : spread;
}
