import type { AnomalyKind, LedgerHead, PostOutcome, RecordBody, ResultVerdict } from './record.ts';
import type { TaskType } from '../fleet/task.ts';
import type { RunSums } from './run-sums.ts';

type Plan = Extract<RecordBody, { readonly type: 'PLAN' }>;

/** How sure a settlement is: read from the device, the word of its task alone, or of a person. */
export type EvidenceLevel = 'readBack' | 'resultOnly' | 'person';

/** One verdict about one intent. */
export interface AuditSettlement {
  readonly seq: number;
  readonly at: string;
  /** The run that wrote it; not always the one that made the attempt. */
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
  /** Oldest first; none while it is open. */
  readonly settled: readonly AuditSettlement[];
}

export interface AuditAttempt {
  readonly attemptId: string;
  readonly seq: number;
  readonly at: string;
  readonly planId: string;
  readonly task: TaskType;
  readonly window: string;
  /** What came back; absent where the run ended before it could say. */
  readonly outcome?: PostOutcome;
  readonly status?: number;
  readonly taskId?: string;
  readonly intents: readonly AuditIntent[];
}

/** The plan that a run set out with. */
export type AuditPlan = Omit<Plan, 'type'> & { readonly seq: number; readonly at: string };

/** What happened beside attempts: a pause, its end, the word of a person, something unforeseen. */
export type AuditEvent = { readonly seq: number; readonly at: string } & (
  | { readonly is: 'stop'; readonly scope: string; readonly rule: string; readonly abort: boolean }
  | {
      readonly is: 'lift';
      readonly scope: string;
      readonly who: string;
      readonly why: string;
      readonly ticket: string;
    }
  | { readonly is: 'unlock'; readonly who: string; readonly why: string }
  | {
      readonly is: 'resolve';
      readonly intentId: string;
      readonly device: string;
      readonly policy: string;
      readonly verdict: ResultVerdict;
      readonly who: string;
      readonly why: string;
    }
  | { readonly is: 'anomaly'; readonly what: AnomalyKind; readonly ids: readonly string[] }
);

/** Everything that was written under one lease. */
export interface AuditRun {
  readonly epoch: number;
  readonly label: string;
  readonly tool: string;
  readonly startedAt: string;
  /** Absent where the lease was not given back. */
  readonly endedAt?: string;
  /** What it came to, in the classes of its report; absent where that is not on record. */
  readonly sums?: RunSums;
  readonly plans: readonly AuditPlan[];
  readonly attempts: readonly AuditAttempt[];
  readonly events: readonly AuditEvent[];
}

/** Something was sent, or what was to be done was refused as stale: its commit has that in a note, and nothing less. */
export function isWorthNote({ attempts, sums }: Pick<AuditRun, 'attempts' | 'sums'>): boolean {
  return attempts.length > 0 || (sums?.classes.stale ?? 0) > 0;
}

/** What a ledger tells a year later. */
export interface AuditView {
  readonly ledgerId: string;
  readonly fingerprint: string;
  readonly head: LedgerHead;
  /** Runs with something to tell that was asked for, oldest first. */
  readonly runs: readonly AuditRun[];
  /** Runs that began nothing and had nothing to say. */
  readonly idle: number;
}

/** What is asked for; everything where nothing is. */
export interface AuditQuestion {
  /** A commit, or the beginning of its id. */
  readonly commit?: string;
  readonly device?: string;
  /** The address of a policy: `firmware.axis-p32`. */
  readonly policy?: string;
}

/** One thing that `audit verify` looked at. */
export const AUDIT_CHECKS = [
  'chain',
  'protocol',
  'notes',
  'documents',
  'snapshot',
  'plan',
  'attempts',
  'sums',
] as const;
export type CheckName = (typeof AUDIT_CHECKS)[number];

/**
 * `proved`: it is as it was recorded. `unproved`: something that is needed is not here. `broken`: it
 * is not as it was recorded. `why` is a code of the words for each.
 */
export interface AuditCheck {
  readonly check: CheckName;
  readonly result: 'proved' | 'unproved' | 'broken';
  readonly why: string;
  readonly params?: Readonly<Record<string, string | number>>;
}
