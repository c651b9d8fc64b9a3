import type {
  AttemptedIntent,
  FrozenWave,
  LedgerHead,
  PostOutcome,
  ResultEvidence,
  ResultVerdict,
} from './record.ts';
import type { ApprovedOutcomes } from './approval.ts';
import type { CoverageRecord } from './coverage.ts';
import type { Ground } from './ground.ts';
import type { PersonPause } from './pauses.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/** The phase of an intent (protocol J13). */
export type IntentPhase = 'open' | 'running' | 'inDoubt' | 'failed' | 'none' | 'closed';

/** An attempt on an intent that a later attempt replaced. */
export interface PastAttempt {
  readonly attemptId: string;
  readonly attemptedAt: Instant;
  readonly taskId?: string;
  readonly outcome?: PostOutcome;
  readonly verdict?: ResultVerdict;
  /** Since when its outcome is, or was, in doubt. */
  readonly doubtSince?: Instant;
  readonly settledAt?: Instant;
  readonly seconds?: number;
}

/** The state of one intent, from the ledger: that of its last attempt. */
export interface IntentState extends PastAttempt, Omit<AttemptedIntent, 'before' | 'allowed'> {
  readonly task: TaskType;
  readonly phase: IntentPhase;
  /** Attempts that were not `notSent`. */
  readonly attempts: number;
  /** No read settled it: a person recorded its verdict (protocol Q6). */
  readonly settledBy?: 'person';
  readonly row?: string;
  /** The ID under which an onboarded device was read back, where it is not that of its discovery. */
  readonly managedId?: string;
  /** Why it is unverified or failed: a code of fleetform, or the step of the service's task. */
  readonly why?: string;
  /** `seq` of the ROLLOUT record that began the rollout it was attempted in, if one had begun. */
  readonly rollout?: number;
  /** Evidence about the last attempt, each kind once (OBSERVED). */
  readonly observed?: readonly ResultEvidence[];
  /** Attempts before the last one, oldest first; an attempt that was not sent does not count. */
  readonly earlier?: readonly PastAttempt[];
}

/** The members of an intent that explain a decision. */
export const PAST_MEMBERS = [
  'id',
  'target',
  'generation',
  'policy',
  'phase',
  'attempts',
  'attemptedAt',
  'verdict',
  'settledAt',
  'settledBy',
  'taskId',
] as const;
export type PastIntent = Pick<IntentState, (typeof PAST_MEMBERS)[number]>;

export interface Lease {
  readonly epoch: number;
  readonly nonce: string;
  readonly label: string;
  readonly host: string;
  readonly pid: number;
  readonly process: string;
  readonly ttl: Milliseconds;
  /** When it was taken, by the holder's wall clock; for display only, no decision uses it. */
  readonly takenAt: Instant;
  /** Changes with every record that renews it. */
  readonly renewals: number;
  /** When it was last renewed, by the holder's wall clock; for display only. */
  readonly lastSignAt: Instant;
}

/** A stop rule that tripped and has not been lifted since. */
export interface ActiveStop {
  /**
   * `fleet`, a policy's address, or an address with a site or a model of it:
   * `firmware.axis-p32/site=12`, `firmware.axis-p32/model=P3265-V`.
   */
  readonly scope: string;
  /** The name of the rule; a rule that counts each wave includes the wave: `wave/early`. */
  readonly rule: string;
  /** `attempted`, `bad`, and the number of each bad outcome. */
  readonly counts: Readonly<Record<string, number>>;
  readonly at: Instant;
  /** Absent: `pause`. */
  readonly action?: 'pause' | 'abort';
  /** Digest of the rollout's documents when it tripped: another one ends the stop. */
  readonly documents?: string;
  /** For an abort: digest of the target that it ends permanently. */
  readonly wish?: string;
}

/** The key of a stop: an abort does not replace a pause of the same scope. */
export function stopKey({ scope, wish }: Pick<ActiveStop, 'scope' | 'wish'>): string {
  return wish === undefined ? scope : `${scope} ${wish}`;
}

/** The last lift of a scope's stop; evidence before it does not trip again. */
export interface Lift {
  readonly scope: string;
  readonly who: string;
  readonly why: string;
  readonly ticket: string;
  readonly at: Instant;
}

/** The rollout of a policy's last recorded target, from its first ROLLOUT record. */
export interface StartedRollout {
  readonly targetDigest: string;
  /** `seq` of that record; it identifies the rollout. */
  readonly seq: number;
  readonly startedAt: Instant;
  /** Device ids of the first record, in the order recorded. */
  readonly base: readonly string[];
  /** The waves that the base is divided into, in order; absent where the record has none. */
  readonly waves?: readonly FrozenWave[];
  /** The device that took the place of another in its wave, by the other's ID; absent where none did. */
  readonly replaced?: ReadonlyMap<string, string>;
  /** The base, with the devices that later records of the same target added. */
  readonly devices: ReadonlySet<string>;
  /** Devices whose changes guardrails have weighed; absent: `devices` (semantics N38). */
  readonly weighed?: ReadonlySet<string>;
  /**
   * The devices weighed by runs of a part that no plan of the whole has weighed since, with the
   * `seq` of their record; absent: none (semantics N39).
   */
  readonly weighedInParts?: ReadonlyMap<string, number>;
}

/** The SEEN records of one `what` and `subject`, combined. */
export interface ObservedFact {
  /** Of the last record; the empty string where it has none. */
  readonly value: string;
  /** Of the first record, whatever its value. */
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** Since when it has had this value, and for how many records in a row. */
  readonly since: Instant;
  readonly times: number;
}

/** The conditions that receivers of notifications were told, since when they are these, and when they were told. */
export interface ToldConditions {
  readonly open: readonly string[];
  readonly since: Instant;
  readonly at: Instant;
}

/** The commit that the last PLAN names. */
export interface LastPlanned {
  readonly commit: string;
  /** The last other commit that a PLAN before it names. */
  readonly before?: string;
  /** Outcomes were approved after it. */
  readonly isApprovedSince: boolean;
}

/** What the records of a ledger add up to, as values that never change. */
export interface MemoryState {
  readonly ledgerId: string;
  /** The latest record format in GENESIS; 0 for the empty ledger. */
  readonly format: number;
  readonly fingerprint: string;
  readonly head: LedgerHead;
  readonly epoch: number;
  readonly lease?: Lease | undefined;
  readonly intents: ReadonlyMap<string, IntentState>;
  /** Attempts whose outcome is not recorded yet, by attempt id, each with its intents that are still open. */
  readonly unanswered: ReadonlyMap<string, readonly string[]>;
  readonly accepted: ReadonlySet<TaskType>;
  /** `<task>/<model>` where a device of the model has shown the effect of the task. */
  readonly moved: ReadonlySet<string>;
  /** The active stops, by `stopKey`. */
  readonly stops: ReadonlyMap<string, ActiveStop>;
  /**
   * The last pause of each scope by a person that was not lifted, by scope. One that has ended by itself may still be
   * here: `pausesAt` tells.
   */
  readonly pauses: ReadonlyMap<string, PersonPause>;
  /** When the last pause of each scope by a person was lifted. */
  readonly resumedAt: ReadonlyMap<string, Instant>;
  /** The last LIFT of each scope's stop. */
  readonly lifts: ReadonlyMap<string, Lift>;
  /** The running rollout of each policy, of its latest target, by its address. */
  readonly rollouts: ReadonlyMap<string, StartedRollout>;
  /** The observed facts, by `sightingKey`. */
  readonly sightings: ReadonlyMap<string, ObservedFact>;
  /** The last PLAN of merged documents in format 3: its run has judged the approvals before it (protocol M10). */
  readonly checked?: { readonly commit: string; readonly seq: number } | undefined;
  /** The last PLAN that names a commit; absent: none does. */
  readonly planned?: LastPlanned | undefined;
  /** `seq` of the last record other than FACTS, which only say what was read. */
  readonly actedAt: number;
  /** The last GROUND; absent before format 3 and in an empty ledger. */
  readonly ground?: Ground | undefined;
  /** What runs saw in the last 30 days, oldest first, from the last that starts anew on. */
  readonly coverage: readonly CoverageRecord[];
  /** When a record last vouched for a file of shared facts, by its digest, in the last 30 days (semantics M24). */
  readonly facts: ReadonlyMap<string, Instant>;
  /** The instant before which no fact of a kind is believed, by kind. */
  readonly distrusted: ReadonlyMap<string, Instant>;
  /** What receivers of notifications were told last (protocol J18). */
  readonly told?: ToldConditions | undefined;
  /** The present address of each policy that was renamed, by each of its earlier addresses. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The state of a ledger, and what is asked of it. */
export interface Memory extends MemoryState {
  /** Intents of one device, oldest first; of one task type where given. */
  intentsOf(device: string, task?: TaskType): readonly IntentState[];
  /** Every intent that is open, running or in doubt. */
  open(): readonly IntentState[];
  /** The highest generation recorded for a device and task; 1 where there is none. */
  generationOf(device: string, task: TaskType): number;
  /**
   * Devices whose guardrail count a running rollout covers, by policy and digest of the target; a
   * newer target ends it.
   */
  covered(policy: string, targetDigest: string): ReadonlySet<string>;
  /**
   * Devices that runs of a part have weighed for this target and no plan of the whole since: they
   * count with every other part (semantics N39).
   */
  weighedInParts(policy: string, targetDigest: string): ReadonlySet<string>;
  /** Approved outcomes; absent where no plan was approved on record. */
  readonly approvals?: ApprovedOutcomes;
}

/** A memory with its intents put differently. */
export function withIntents(memory: Memory, put: (intent: IntentState) => IntentState): Memory {
  return {
    ...memory,
    intents: new Map([...memory.intents].map(([id, intent]) => [id, put(intent)])),
    intentsOf: (device, task) => memory.intentsOf(device, task).map(put),
    open: () => memory.open().map(put),
    generationOf: (device, task) => memory.generationOf(device, task),
    covered: (policy, target) => memory.covered(policy, target),
    weighedInParts: (policy, target) => memory.weighedInParts(policy, target),
  };
}
