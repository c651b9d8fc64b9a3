import type { ResultEvidence, LedgerHead, PostOutcome, ResultVerdict } from './record.ts';
import type { FrozenWave } from '../documents/rollout.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** Where an intent stands (protocol J13). */
export type IntentPhase = 'open' | 'running' | 'inDoubt' | 'failed' | 'none' | 'closed';

/** An attempt on an intent that a later one followed. */
export interface PastAttempt {
  readonly attemptId: string;
  readonly attemptedAt: Instant;
  readonly taskId?: string;
  readonly outcome?: PostOutcome;
  readonly verdict?: ResultVerdict;
  readonly doubtSince?: Instant;
  readonly settledAt?: Instant;
  readonly seconds?: number;
}

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
  readonly verdict?: ResultVerdict;
  readonly settledAt?: Instant;
  readonly seconds?: number;
  /** Model of the device when it was attempted, where it was recorded. */
  readonly model?: string;
  /** The version in the end, where `target` is a hop on the way there. */
  readonly towards?: string;
  /** `seq` of the ROLLOUT record that began the rollout it was attempted in, if one had begun. */
  readonly rollout?: number;
  /** Since when nobody knows, or knew, what came of the last attempt. */
  readonly doubtSince?: Instant;
  /** Signs of the last attempt that were seen, each once (OBSERVED). */
  readonly observed?: readonly ResultEvidence[];
  /** Attempts before the last one, oldest first; what was not sent is no attempt. */
  readonly earlier?: readonly PastAttempt[];
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
export interface ActiveStop {
  /**
   * `fleet`, a policy's address, or an address with a site or a model of it:
   * `firmware.axis-p32/site=12`, `firmware.axis-p32/model=P3265-V`.
   */
  readonly scope: string;
  readonly rule: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly at: Instant;
  /** Absent: `pause`. */
  readonly action?: 'pause' | 'abort';
  /** Digest of the rollout's documents when it tripped: another one ends the stop. */
  readonly documents?: string;
  /** Of an abort: digest of the target that it ends, for good. */
  readonly wish?: string;
}

/** What a stop is kept under: an abort stands beside the pauses of its scope. */
export function stopKey({ scope, wish }: Pick<ActiveStop, 'scope' | 'wish'>): string {
  return wish === undefined ? scope : `${scope} ${wish}`;
}

/** The last time that a stop of a scope was lifted; evidence from before does not trip again. */
export interface Lift {
  readonly scope: string;
  readonly who: string;
  readonly why: string;
  readonly ticket: string;
  readonly at: Instant;
}

/** The rollout of a policy's last recorded want, as its first ROLLOUT record froze it. */
export interface StartedRollout {
  readonly targetDigest: string;
  /** `seq` of that record: what tells this rollout from any other. */
  readonly seq: number;
  readonly startedAt: Instant;
  /** Device ids of the first record, in the order recorded. */
  readonly base: readonly string[];
  /** How the base is cut into waves, in order; absent where the record does not say. */
  readonly waves?: readonly FrozenWave[];
  /** The base and whatever later records of the same want added to it. */
  readonly devices: ReadonlySet<string>;
}

/** What SEEN records of one `what` and `subject` say together. */
export interface ObservedFact {
  /** Of the last record; the empty text where it has none. */
  readonly value: string;
  /** Of the first record, whatever its value. */
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** Since when, and in how many records in a row, it has had this value. */
  readonly since: Instant;
  readonly times: number;
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
   * Devices whose guardrail count a running rollout covers, by policy and digest of the target; a
   * newer want ends it.
   */
  covered(policy: string, targetDigest: string): ReadonlySet<string>;
  /** Attempts whose outcome is not recorded yet, by attempt id. */
  readonly unanswered: ReadonlyMap<string, readonly string[]>;
  readonly accepted: ReadonlySet<TaskType>;
  /**
   * `<task>/<model>` where a device of the model has shown what the task did to it; absent where none
   * has.
   */
  readonly moved?: ReadonlySet<string>;
  /** Visible devices in the last PLAN record. */
  readonly lastVisible?: number;
  /** What is stopped, by `stopKey`; absent where nothing is. */
  readonly stops?: ReadonlyMap<string, ActiveStop>;
  /** The last LIFT of each scope; absent where there is none. */
  readonly lifts?: ReadonlyMap<string, Lift>;
  /** The running rollout of each policy, by its address; absent where none ever began. */
  readonly rollouts?: ReadonlyMap<string, StartedRollout>;
  /** What was seen, by `sightingKey`; absent where nothing was. */
  readonly sightings?: ReadonlyMap<string, ObservedFact>;
}
