import type { Reason } from '../plan/reason.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { ActiveStop } from '../ledger/memory.ts';

/** Where a wave stands; `plain` is a wave of a plan whose rollout has no waves to follow. */
export interface WaveStatus {
  readonly name: string;
  readonly is: 'waiting' | 'open' | 'soaking' | 'gated' | 'passed' | 'paused' | 'aborted' | 'plain';
  /** Devices of its own; in a `plain` one, those that it still wants. */
  readonly devices: number;
  readonly attempted?: number;
  readonly verified?: number;
  /** Outcomes that a stop rule may count. */
  readonly bad?: number;
  readonly since?: Instant;
  /** When its soak is over. */
  readonly until?: Instant;
  /** What its gate still asks for, or the rule that stopped it. */
  readonly why?: string;
}

/** Changes of one policy that wait or are skipped for the same reason. */
export interface ReasonCount {
  /** Its `next` is the earliest of them; no `since`, no parameters of one device. */
  readonly reason: Reason;
  readonly count: number;
}

/** What is overdue. */
export interface DebtStatus {
  readonly devices: number;
  /** Since when the oldest is due. */
  readonly oldest: Instant;
  readonly oldestDevice: string;
  /** When the first is too late, or was. */
  readonly breachesAt?: Instant;
  /** How many are too late already. */
  readonly breached: number;
}

/** Where the want of one policy stands. */
export interface PolicyStatus {
  readonly at: At;
  readonly task: TaskType;
  /** Devices that it governs, and how they divide. */
  readonly devices: number;
  readonly converged: number;
  readonly notDue: number;
  readonly run: number;
  readonly wait: number;
  readonly skip: number;
  /** Whatever else there is only something to note about. */
  readonly noted: number;
  /** Devices that this rollout of ours has verified. */
  readonly verified: number;
  readonly startedAt?: Instant;
  readonly waves: readonly WaveStatus[];
  readonly waits: readonly ReasonCount[];
  readonly skips: readonly ReasonCount[];
  readonly debt?: DebtStatus;
  /** When the first that is not due yet falls due. */
  readonly nextDue?: Instant;
  /** When something may go on: the moment of the look where something may run now. */
  readonly next?: Instant | 'never';
}

/** One intent that has not ended. */
export interface OpenStatus {
  readonly intentId: string;
  readonly attemptId: string;
  readonly taskId?: string;
  readonly task: TaskType;
  readonly device: string;
  readonly policy: string;
  readonly since: Instant;
  /** Sent so long ago that a person has to look. */
  readonly lost?: boolean;
}

/** Where everything stands that the documents want. */
export interface StatusView {
  readonly at: Instant;
  readonly policies: readonly PolicyStatus[];
  /** What is stopped and not lifted, oldest first. */
  readonly paused: readonly ActiveStop[];
  /** Nobody knows what came of it; oldest first. */
  readonly inDoubt: readonly OpenStatus[];
  /** Sent and not ended; oldest first. */
  readonly inFlight: readonly OpenStatus[];
}
