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
  /** When it was taken, by the holder's wall clock; to be shown, never to judge by. */
  readonly takenAt: Instant;
  /** Changes with every record that renews it. */
  readonly renewals: number;
}

/** A stop rule that tripped and has not been lifted since. */
export interface Stop {
  /** `fleet`, a policy's address, or an address and a site of it: `firmware.axis-p32/site=HQ`. */
  readonly scope: string;
  readonly rule: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly at: Instant;
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
  /**
   * Devices whose guardrail count a running rollout covers, by policy and digest of the wish; a
   * newer wish ends it.
   */
  covered(policy: string, targetDigest: string): ReadonlySet<string>;
  /** Attempts whose outcome is not recorded yet, by attempt id. */
  readonly unanswered: ReadonlyMap<string, readonly string[]>;
  readonly accepted: ReadonlySet<TaskType>;
  /** Visible devices in the last PLAN record. */
  readonly lastVisible?: number;
  /** What is stopped, by scope; absent where nothing is. */
  readonly stops?: ReadonlyMap<string, Stop>;
}
