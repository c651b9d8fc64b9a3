import type { LedgerHead, PostOutcome, Verdict } from './record.ts';
import type { TaskType } from './task.ts';
import type { Instant, Milliseconds } from './time.ts';

/** Where an intent stands: the states of apply protocol 3.6.1. */
export type IntentPhase = 'open' | 'running' | 'inDoubt' | 'failed' | 'none' | 'closed';

/** Everything the ledger says about one intent. */
export interface IntentState {
  readonly id: string;
  readonly task: TaskType;
  readonly device: string;
  readonly target: string;
  readonly generation: number;
  readonly policy: string;
  readonly sites: readonly string[];
  readonly marker: string;
  readonly phase: IntentPhase;
  /** Attempts that were not `notSent`. */
  readonly attempts: number;
  readonly attemptId: string;
  readonly attemptedAt: Instant;
  readonly outcome?: PostOutcome;
  readonly row?: string;
  readonly taskId?: string;
  readonly verdict?: Verdict;
  readonly settledAt?: Instant;
  readonly seconds?: number;
}

export interface Lease {
  readonly epoch: number;
  readonly nonce: string;
  readonly label: string;
  readonly host: string;
  readonly pid: number;
  readonly process: string;
  readonly ttl: Milliseconds;
  /** Changes with every record that renews it. */
  readonly renewals: number;
}

/** The fold of the ledger: what every stage may ask of the past. */
export interface Memory {
  readonly ledgerId: string;
  readonly fingerprint: string;
  readonly head: LedgerHead;
  readonly epoch: number;
  readonly lease?: Lease;
  readonly intents: ReadonlyMap<string, IntentState>;
  /** Intents of one device, oldest first; of one task type where given. */
  intentsOf(device: string, task?: TaskType): readonly IntentState[];
  /** Every intent that is open, running or in doubt. */
  open(): readonly IntentState[];
  /** The highest generation recorded for a device and task; 1 where there is none. */
  generationOf(device: string, task: TaskType): number;
  /** Devices whose guardrail count a running rollout covers, by policy and digest of the wish. */
  covered(policy: string, targetDigest: string): ReadonlySet<string>;
  /** Attempts whose outcome is not recorded yet, by attempt id. */
  readonly unanswered: ReadonlyMap<string, readonly string[]>;
  readonly accepted: ReadonlySet<TaskType>;
  /** Visible devices in the last PLAN record. */
  readonly lastVisible?: number;
}
