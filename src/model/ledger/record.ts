import type { FrozenWave } from '../documents/rollout.ts';
import type { Confidence } from '../fleet/snapshot.ts';
import type { TaskType } from '../fleet/task.ts';
import type { FleetPart } from '../plan/part.ts';
import type { ApprovalTerms, ChangeOutcome } from './approval.ts';
import type { CoverageTerms } from './coverage.ts';
import type { GroundTerms } from './ground.ts';
import type { RunSums } from './run-sums.ts';

/**
 * Version of the record format. A record of a later format may be read, but nothing is appended
 * after it. A ledger of an earlier format is continued: its first append repeats GENESIS with this
 * number, so that an older program refuses to write (protocol J17).
 */
export const LEDGER_FORMAT = 3;

/** The head of a ledger. `seq` 0 is the empty ledger, whose hash is the empty string. */
export interface LedgerHead {
  readonly seq: number;
  readonly hash: string;
}

/**
 * An intent inside an ATTEMPT: enough to restore its state without the plan. IDs and states only,
 * never names or secrets.
 */
export interface AttemptedIntent {
  readonly id: string;
  readonly device: string;
  readonly target: string;
  readonly generation: number;
  readonly policy: string;
  readonly sites: readonly string[];
  /** Model of the device, for stop rules that count per model. */
  readonly model?: string;
  /** The final version, where `target` is an intermediate version. */
  readonly towards?: string;
  /** Digest of the change's `before`. */
  readonly before: string;
  /** The marker or value that evidence is compared with; empty where the task type has none. */
  readonly marker: string;
  /** Why it was allowed to start; absent where the commit is the approval (semantics N73). */
  readonly allowed?: AllowedBy;
}

/** The outcome of an intent, and what allowed it (semantics N73). */
export interface AllowedBy {
  readonly outcome: string;
  /** `seq` of the first APPROVED record of the approval, for a standing one of the newest approval. */
  readonly approval: number;
  /** Its policy has a standing approval, and this outcome has none of its own. */
  readonly preapproved?: true;
}

/** What a person said of a pause. */
export interface PauseTerms {
  /** As the scope of a stop; a site of the whole fleet too: `fleet/site=12`. */
  readonly scope: string;
  readonly who: string;
  readonly why: string;
  readonly ticket?: string;
  /** When it ends by itself. */
  readonly until?: string;
}

export const POST_OUTCOMES = ['notSent', 'accepted', 'rejected', 'inDoubt'] as const;
export type PostOutcome = (typeof POST_OUTCOMES)[number];

export const RESULT_VERDICTS = [
  'done',
  'unverified',
  'failed',
  'rolledBack',
  'aborted',
  'notDone',
  'unknown',
] as const;
export type ResultVerdict = (typeof RESULT_VERDICTS)[number];

export interface ResultEvidence {
  readonly source: string;
  readonly field: string;
  readonly value: string;
  readonly at: string;
}

/** How the plan of a run was approved: as a saved file, on a terminal, or by its commit. */
export const APPROVALS = ['file', 'terminal', 'commit'] as const;
export type ApprovedBy = (typeof APPROVALS)[number];

/** The person who started documents that nobody merged, and the reason. */
export interface UnmergedBy {
  readonly who: string;
  readonly why: string;
}

/** The inputs and the result of a plan: enough to make it again and to compare the two. */
export interface PlanBasis {
  /** Version of the tool that made the plan. */
  readonly tool: string;
  readonly at: string;
  readonly expiresAt: string;
  readonly commit?: string;
  readonly dirty?: boolean;
  /** Digests of the documents, of the reading, and of the file that the reading was saved in. */
  readonly documents: string;
  readonly snapshot: string;
  readonly snapshotFile?: string;
  readonly ledger: LedgerHead;
  /** The newest approved commit then; absent where there was none. */
  readonly approved?: string;
  /** Only in records of format 2: the merged commit that turned approvals on since. */
  readonly gated?: string;
  /** Digest of the decisions. */
  readonly digest: string;
  /** Digest of the saved plan, if a file was approved. */
  readonly file?: string;
  /** The part of the fleet that the plan is of; absent: the whole. */
  readonly part?: FleetPart;
}

/**
 * What a SEEN record can be about, and its subject (`ROLLOUT` is the address of a policy, `#` and the `seq`
 * of its ROLLOUT record):
 *
 * - `approved`, a digest: a version was approved for a model
 * - `symptom`, a digest: a symptom of a restart policy shows on a device (`shown`), or no longer (`gone`)
 * - `listed`, a digest: an entry of an onboarding list that nothing answers to (`missing`), then `found`
 * - `adopted`, the address of a policy: it was applied for the first time
 * - `back`, a device: overdue and `away`, then `back`
 * - `onlineAgain`, an intent that ended unverified: its device read online `once`, and later `twice`
 * - `gateSample`, `ROLLOUT/WAVE@INSTANT`: one look at the gate's checks during the soak that began at
 *   that instant (milliseconds); its value is `good`, `bad` or `unknown`
 * - `wavePassed`, `ROLLOUT/WAVE`: the wave is closed from then on, whatever becomes of its devices
 * - `deviceDown`, `ROLLOUT/DEVICE`: value `down` where a device that we touched reads offline at the
 *   end of its soak, or for 30 minutes; `up` when it reads online again
 * - `unavailable`, a device: in `maintenance`, or `offline` without a date of the service, then `ended`
 * - `timedOut`, `ATTEMPT/DEVICE`: its device task did not end in time (apply knows each step's start)
 */
export const OBSERVED_KINDS = [
  'approved',
  'symptom',
  'listed',
  'adopted',
  'back',
  'onlineAgain',
  'gateSample',
  'wavePassed',
  'deviceDown',
  'unavailable',
  'timedOut',
] as const;
export type ObservedKind = (typeof OBSERVED_KINDS)[number];

/** Unexpected behavior of the service, a device or another run. */
export const ANOMALIES = [
  'taskLost',
  'foreignDevices',
  'foreignUser',
  'foreignType',
  'resultTooLate',
] as const;
export type AnomalyKind = (typeof ANOMALIES)[number];

/** What a LIFT ends: the pause of a person, the stop of a rule, or a rollout whose address no policy has. */
export const LIFTED_KINDS = ['pause', 'stop', 'rollout'] as const;
export type LiftedKind = (typeof LIFTED_KINDS)[number];

/**
 * The content of a record, without its place in the chain. The list is closed; docs/protocol.md
 * (J9) defines each.
 */
export type RecordBody =
  | {
      readonly type: 'GENESIS';
      readonly ledgerId: string;
      readonly format: number;
      readonly fingerprint: string;
    }
  | {
      readonly type: 'LOCK';
      readonly nonce: string;
      readonly label: string;
      readonly ttl: number;
      readonly host: string;
      readonly pid: number;
      readonly process: string;
      /**
       * Who ended another run's lease with this record, and why; absent where a run took the lease
       * over.
       */
      readonly who?: string;
      readonly why?: string;
      /** Heads that were seen and are missing here: that person continues without their records (protocol J6). */
      readonly lost?: readonly LedgerHead[];
      /** Heads that no record of this ledger had: that person says that they are false (protocol M12). */
      readonly rejected?: readonly LedgerHead[];
    }
  | { readonly type: 'BEAT'; readonly n: number }
  | {
      readonly type: 'RELEASE';
      /** The result of the run that releases the lease; absent where it had no plan. */
      readonly sums?: RunSums;
      /** Of the reading that the run ended with. */
      readonly coverage?: CoverageTerms;
    }
  | ({
      /** Where credentials go, where records are read, and what approves. */
      readonly type: 'GROUND';
    } & GroundTerms)
  | {
      /** What a run knows of the fleet, from a run without a lease or beside one. */
      readonly type: 'FACTS';
      /** Digest of the file of shared facts that the run published (semantics M24). */
      readonly facts?: string;
      /** As of a RELEASE. */
      readonly coverage?: CoverageTerms;
      /** No fact of this kind that was read before the instant is believed again (semantics M25). */
      readonly distrust?: { readonly kind: string; readonly before: string };
    }
  | {
      /** A policy has another address; what was recorded under the old one counts. */
      readonly type: 'RENAMED';
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly type: 'PLAN';
      readonly planId: string;
      readonly commit: string;
      readonly fromFile: boolean;
      readonly counts: {
        readonly devices: number;
        readonly sites: number;
        readonly changes: number;
      };
      readonly confidence: Confidence;
      readonly approvedBy?: ApprovedBy;
      /** The approval gave the plan's ID. */
      readonly named?: boolean;
      /** Who started documents that were not the newest of the default branch, and why (protocol M8). */
      readonly unmerged?: UnmergedBy;
      /** Addresses of the exceptions that raised a limit for it. */
      readonly raisedBy?: readonly string[];
      /** The part of the fleet that the run was limited to; absent: the whole (semantics N35). */
      readonly part?: FleetPart;
      /** Of the plan that was approved. */
      readonly basis?: PlanBasis;
      /**
       * Digests of the run's own documents and reading, where they differ from those of the plan.
       */
      readonly reading?: {
        readonly documents: string;
        readonly dirty?: boolean;
        readonly snapshot: string;
      };
    }
  | {
      readonly type: 'ROLLOUT';
      readonly policy: string;
      readonly targetDigest: string;
      /** Device IDs; with `waves`, the waves one after another, each in its order. */
      readonly base: readonly string[];
      readonly waves?: readonly FrozenWave[];
      /**
       * Devices whose changes the guardrails weighed: these alone they do not count again (semantics
       * N38). Absent: the base.
       */
      readonly weighed?: readonly string[];
      /**
       * Pairs of a device of the base that could not start and the one that takes its place in its wave;
       * the first joins the last wave.
       */
      readonly replaced?: readonly (readonly [device: string, by: string])[];
    }
  | {
      readonly type: 'ATTEMPT';
      readonly attemptId: string;
      readonly planId: string;
      readonly task: TaskType;
      readonly intents: readonly AttemptedIntent[];
      readonly batchDigest: string;
      readonly window: string;
      readonly sendBy: string;
    }
  | {
      readonly type: 'RESULT';
      readonly attemptId: string;
      readonly outcome: PostOutcome;
      readonly row: string;
      readonly status?: number;
      readonly taskId?: string;
      readonly retryAfter?: number;
      /** When the answer arrived, by the service's clock where the answer has it. */
      readonly answeredAt?: string;
    }
  | {
      readonly type: 'OBSERVED';
      readonly intentId: string;
      readonly evidence: readonly ResultEvidence[];
      readonly weak: boolean;
    }
  | {
      readonly type: 'SEEN';
      readonly what: ObservedKind;
      readonly subject: string;
      /** The observed value, for facts that have more than one. */
      readonly value?: string;
      readonly seenAt: string;
    }
  | {
      readonly type: 'SETTLED';
      readonly intentId: string;
      readonly verdict: ResultVerdict;
      readonly by: 'verify' | 'evidence' | 'person';
      readonly evidence: readonly ResultEvidence[];
      /** Why it is unverified or failed: a code of fleetform, or the status of the last step. */
      readonly why?: string;
      readonly who?: string;
      /** From the attempt to the end of its device task; later runs estimate durations from it. */
      readonly seconds?: number;
    }
  | {
      readonly type: 'STOP';
      readonly scope: string;
      readonly rule: string;
      readonly counts: Readonly<Record<string, number>>;
      /** Absent: `pause`. */
      readonly action?: 'pause' | 'abort';
      /** Digest of the rollout's documents: another one ends the stop. */
      readonly documents?: string;
      /**
       * For an abort: digest of the target that it ends, permanently. It applies to no other
       * target.
       */
      readonly wish?: string;
    }
  | {
      readonly type: 'LIFT';
      readonly scope: string;
      readonly who: string;
      readonly why: string;
      /** Empty where none was needed: for the pause of a person that had none. */
      readonly ticket: string;
      /** Absent: `stop`. */
      readonly what?: LiftedKind;
      /**
       * The abort that it ends, because a commit removed the rollout; a person can lift only one whose
       * address no policy has.
       */
      readonly wish?: string;
    }
  | ({ readonly type: 'PAUSE' } & PauseTerms)
  | ({
      /** Approved outcomes: one of a series of records, appended together. */
      readonly type: 'APPROVED';
      readonly expires: string;
      readonly changes: readonly ChangeOutcome[];
      /** In the last record of the series alone: how many records the series has. */
      readonly of?: number;
    } & ApprovalTerms)
  | {
      readonly type: 'WITHDRAWN';
      /** Limits it to the outcomes of this plan. */
      readonly planId?: string;
      /**
       * Limits it to the outcomes of this policy, whatever approved them; then no change is named, since
       * the ledger does not know which policy an outcome is of.
       */
      readonly policy?: string;
      /** IDs of changes; empty for all changes of the plan or of the policy. */
      readonly ids: readonly string[];
      readonly who: string;
      readonly why: string;
    }
  | { readonly type: 'ANOMALY'; readonly what: AnomalyKind; readonly ids: readonly string[] };

/** What a run leaves in its RELEASE. */
export type RunEnd = Omit<Extract<RecordBody, { readonly type: 'RELEASE' }>, 'type'>;

export type RecordType = RecordBody['type'];

/** Records appended without a lease, of people, gates and readings: none of them sends anything. */
export const LEASELESS = ['PAUSE', 'APPROVED', 'WITHDRAWN', 'GROUND', 'FACTS'] as const;
export type Leaseless = Extract<RecordBody, { readonly type: (typeof LEASELESS)[number] }>;

/** Whether a record may be written without a lease, and is independent of its holder. */
export function isLeaseless(body: RecordBody): body is Leaseless {
  return LEASELESS.some((type) => type === body.type);
}

/**
 * A record in the chain (protocol J1): `hash` of a record is the sha256 of its canonical JSON, `prev` that of
 * the one before.
 */
export interface LedgerRecord {
  readonly seq: number;
  readonly prev: string;
  readonly epoch: number;
  /** UTC, by the writer's wall clock. */
  readonly at: string;
  readonly tool: string;
  readonly body: RecordBody;
}
