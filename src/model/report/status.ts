import type { PlanColumn } from '../plan/actor.ts';
import type { Coverage } from '../plan/coverage.ts';
import type { Reason } from '../plan/reason.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { PlanPart } from '../plan/part.ts';
import type { Instant } from '../../lib/time.ts';
import type { GuardrailVerdict, PauseNote } from '../plan/plan.ts';
import type { Lease } from '../ledger/memory.ts';
import type { LeftOpen } from '../ledger/run-report.ts';
import type { StopReport } from '../ledger/stopped.ts';

/** The state of a wave; `plain` is a wave of a plan whose rollout has no waves. */
export interface WaveStatus {
  readonly name: string;
  readonly is: 'waiting' | 'open' | 'soaking' | 'gated' | 'passed' | 'paused' | 'aborted' | 'plain';
  /** Its own devices; in a `plain` wave, those with a change to make. */
  readonly devices: number;
  readonly attempted?: number;
  readonly verified?: number;
  /** Outcomes that a stop rule may count: those that failed, are overdue, or are in doubt. */
  readonly bad?: number;
  /** Those of them that failed. */
  readonly failed?: number;
  readonly since?: Instant;
  /** When its soak ends. */
  readonly until?: Instant;
  /** The gate condition that is not met, or the rule that stopped it. */
  readonly why?: string;
}

/** Changes of one policy that are waiting or skipped for the same reason. */
export interface ReasonCount {
  /** Its `next` is the earliest of all; it has no `since` and no parameters of one device. */
  readonly reason: Reason;
  readonly count: number;
  /** When the last of them may continue, where that is later than the first. */
  readonly lastNext?: Instant;
}

/** The overdue devices. */
export interface DebtStatus {
  readonly devices: number;
  /** Since when the oldest is due. */
  readonly oldest: Instant;
  readonly oldestDevice: string;
  /** When the first breaches, or breached, its limit. */
  readonly breachesAt?: Instant;
  /** How many have breached it. */
  readonly breached: number;
}

/** The state of one policy. */
export interface PolicyStatus {
  readonly at: At;
  readonly task: TaskType;
  /** The devices that it applies to, and their groups. */
  readonly devices: number;
  readonly converged: number;
  readonly notDue: number;
  readonly run: number;
  readonly wait: number;
  readonly skip: number;
  /** All other devices, which have only a note. */
  readonly noted: number;
  /** Devices that nothing is decided about, because no run has read their value yet. */
  readonly notRead?: number;
  /** Devices verified in this rollout. */
  readonly verified: number;
  /** Devices verified in the rollout before, towards another target, where this one has not begun. */
  readonly verifiedBefore?: number;
  readonly startedAt?: Instant;
  readonly waves: readonly WaveStatus[];
  readonly waits: readonly ReasonCount[];
  readonly skips: readonly ReasonCount[];
  /** What only a note says and is not done: devices that are not managed, or not discovered yet. */
  readonly left: readonly ReasonCount[];
  readonly debt?: DebtStatus;
  /** Why nothing of it may start, where its whole rollout is stopped. */
  readonly halted?: Reason;
  /** The same devices in the columns of a plan. */
  readonly columns: Readonly<Record<PlanColumn, number>>;
  /** When the next device falls due. */
  readonly nextDue?: Instant;
  /** When something may continue: the current time where a change can run now. */
  readonly next?: Instant | 'never';
}

/** One intent that has not ended. */
export interface OpenStatus extends Omit<LeftOpen, 'outcome' | 'detail'> {
  readonly attemptId: string;
  /** Sent so long ago that a person must check. */
  readonly lost?: boolean;
}

/**
 * The run that holds the lock. `dead`: its process on this machine is gone. `silent`: no sign of it
 * for so long that another run may take the lock.
 */
export interface RunStatus extends Pick<Lease, 'epoch' | 'label' | 'host' | 'pid' | 'lastSignAt'> {
  readonly is: 'atWork' | 'dead' | 'silent';
  readonly since: Instant;
}

/** The state of everything in the documents. */
export interface StatusView {
  readonly at: Instant;
  /** The time zone of the windows of all due changes; absent if they differ, or there is none. */
  readonly timeZone?: string;
  /** The tasks of the last 24 hours by how they ended. */
  readonly recent?: { readonly verified: number; readonly failed: number };
  /** When the fleet was read, where that is a saved snapshot. */
  readonly readAt?: Instant;
  /** The read of the fleet is inconsistent, so devices may be missing. */
  readonly torn?: true;
  /** The part of the fleet that it is of; absent: the whole. */
  readonly part?: PlanPart;
  /** The ledger lacks records that were seen before: numbers of the last record found and seen. */
  readonly ledgerLost?: Diagnostic['params'];
  /** The clocks of this machine and the service differ too much for apply: by how many seconds. */
  readonly clocksDiffer?: Diagnostic['params'];
  /** The guardrails that refuse the plan of now: a run would start nothing. */
  readonly refused?: readonly GuardrailVerdict[];
  /** What was looked at. */
  readonly coverage?: Coverage;
  readonly policies: readonly PolicyStatus[];
  /** What people have paused, oldest first. */
  readonly pauses: readonly PauseNote[];
  /** The active stops of rules, oldest first. */
  readonly paused: readonly StopReport[];
  /** The run that holds the lock; absent where none does. */
  readonly run?: RunStatus;
  /** Intents whose outcome is in doubt, oldest first. */
  readonly inDoubt: readonly OpenStatus[];
  /** Intents that ended unverified on devices that the service does not list, oldest first; absent if none. */
  readonly unseen?: readonly OpenStatus[];
  /** Intents that were sent and have not ended, oldest first. */
  readonly inFlight: readonly OpenStatus[];
}
