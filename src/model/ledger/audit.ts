import type {
  LedgerHead,
  LiftedKind,
  PauseTerms,
  PostOutcome,
  RecordBody,
  ResultVerdict,
} from './record.ts';
import type { TaskType } from '../fleet/task.ts';
import type { GroundTerms } from './ground.ts';
import type { ApprovalTerms } from './approval.ts';
import type { RunSums } from './run-sums.ts';

/** What a record of a type says. */
type Terms<T extends RecordBody['type']> = Omit<Extract<RecordBody, { readonly type: T }>, 'type'>;

/**
 * The evidence of an outcome: read from the device, the result of its task alone, or confirmed by a
 * person.
 */
export type EvidenceLevel = 'readBack' | 'resultOnly' | 'person';

/** One verdict about one intent. */
export interface AuditSettlement {
  readonly seq: number;
  readonly at: string;
  /** The run that wrote it; another run may have made the attempt. */
  readonly epoch: number;
  readonly verdict: ResultVerdict;
  readonly level: EvidenceLevel;
  readonly who?: string;
  readonly why?: string;
  readonly seconds?: number;
}

/** One device of an attempt, by its id. */
export interface AuditIntent {
  readonly intentId: string;
  readonly device: string;
  readonly policy: string;
  readonly target: string;
  readonly towards?: string;
  /** Why it was allowed to start; absent where the commit was the approval (semantics N83). */
  readonly allowed?: AuditAllowed;
  /** Oldest first; none while it is open. */
  readonly settled: readonly AuditSettlement[];
}

/** The approval that an attempt of a device names, from its own record. */
export interface AuditAllowed {
  /** `seq` of the first APPROVED record. */
  readonly record: number;
  readonly commit: string;
  readonly approvers: readonly string[];
  readonly pulls: readonly string[];
  /** By the standing approval of its policy, as of that commit. */
  readonly preapproved: boolean;
}

export interface AuditAttempt {
  readonly attemptId: string;
  readonly seq: number;
  readonly at: string;
  readonly planId: string;
  readonly task: TaskType;
  readonly window: string;
  /** The answer; absent where the run ended before it could record one. */
  readonly outcome?: PostOutcome;
  readonly status?: number;
  readonly taskId?: string;
  readonly intents: readonly AuditIntent[];
}

/** The plan that a run started with. */
export type AuditPlan = Terms<'PLAN'> & { readonly seq: number; readonly at: string };

/** Events other than attempts: a pause, its lift, the confirmation of a person, an anomaly. */
export type AuditEvent = { readonly seq: number; readonly at: string } & (
  | { readonly is: 'stop'; readonly scope: string; readonly rule: string; readonly abort: boolean }
  | ({ readonly is: 'lift'; readonly what: LiftedKind } & Omit<Terms<'LIFT'>, 'what' | 'wish'>)
  | ({ readonly is: 'pause' } & PauseTerms)
  | ({
      readonly is: 'approval';
      readonly expires: string;
      /** IDs of the changes whose outcomes this record approves. */
      readonly ids: readonly string[];
    } & ApprovalTerms)
  | ({ readonly is: 'withdrawal' } & Terms<'WITHDRAWN'>)
  | {
      readonly is: 'unlock';
      readonly who: string;
      readonly why: string;
      /** The newest record that was seen before and is missing, if the person continues without it. */
      readonly lost?: number;
      /** The newest record that a head names which that person called false. */
      readonly rejected?: number;
    }
  | {
      readonly is: 'resolve';
      readonly intentId: string;
      readonly device: string;
      readonly policy: string;
      readonly verdict: ResultVerdict;
      readonly who: string;
      readonly why: string;
    }
  | ({ readonly is: 'ground' } & GroundTerms)
  | { readonly is: 'distrust'; readonly kind: string; readonly before: string }
  | ({ readonly is: 'rename' } & Terms<'RENAMED'>)
  | ({ readonly is: 'anomaly' } & Terms<'ANOMALY'>)
);

/**
 * Everything that was written under one lease; or one record that a person or a gate appended
 * without any.
 */
export interface AuditRun {
  readonly epoch: number;
  /** The number of that one record; absent for a run. */
  readonly record?: number;
  readonly label: string;
  readonly tool: string;
  readonly startedAt: string;
  /** Absent where the lease was not released. */
  readonly endedAt?: string;
  /** Its result in the classes of its report; absent where none was recorded. */
  readonly sums?: RunSums;
  readonly plans: readonly AuditPlan[];
  readonly attempts: readonly AuditAttempt[];
  readonly events: readonly AuditEvent[];
}

/** Only a run that sent something, or skipped stale changes, has a note at its commit. */
export function isWorthNote({ attempts, sums }: Pick<AuditRun, 'attempts' | 'sums'>): boolean {
  return attempts.length > 0 || (sums?.classes.stale ?? 0) > 0;
}

/** The content of a ledger for an audit. */
export interface AuditView {
  readonly ledgerId: string;
  readonly fingerprint: string;
  readonly head: LedgerHead;
  /** Runs that match the query, oldest first. */
  readonly runs: readonly AuditRun[];
  /** Runs that are omitted because nothing happened in them. */
  readonly idle: number;
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
