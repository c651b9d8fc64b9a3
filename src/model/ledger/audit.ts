import type { AuditRun, AuditSettlement } from './audit.gen.ts';

export type {
  AuditAttempt,
  AuditEvent,
  AuditIntent,
  AuditPlan,
  AuditRun,
  AuditSettlement,
  AuditView,
} from './audit.gen.ts';

/** The evidence of an outcome. */
export type EvidenceLevel = AuditSettlement['level'];

/** Only a run that sent something, or skipped stale changes, has a note at its commit. */
export function isWorthNote({ attempts, sums }: Pick<AuditRun, 'attempts' | 'sums'>): boolean {
  return attempts.length > 0 || (sums?.classes.stale ?? 0) > 0;
}

/** The filter of an audit; without one it returns everything. */
export interface AuditQuestion {
  /** A commit, or the beginning of its id. */
  readonly commit?: string;
  readonly device?: string;
  /** The address of a policy: `firmware.axis-p32`. */
  readonly policy?: string;
}

/** The checks of `audit verify`. */
export const AUDIT_CHECKS = [
  'chain',
  'protocol',
  'checkpoints',
  'notes',
  'documents',
  'snapshot',
  'plan',
  'attempts',
  'approvals',
  'sums',
] as const;
export type CheckName = (typeof AUDIT_CHECKS)[number];

/**
 * `proved`: it matches its record. `unproved`: something that the check needs is missing here.
 * `broken`: it differs from its record. `why` is a code of the words for each.
 */
export interface AuditCheck {
  readonly check: CheckName;
  readonly result: 'proved' | 'unproved' | 'broken';
  readonly why: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** One line of a proof. */
export function finding(
  check: CheckName,
  result: AuditCheck['result'],
  why: string,
  params: Readonly<Record<string, string | number>> = {},
): AuditCheck {
  return { check, result, why, params };
}
