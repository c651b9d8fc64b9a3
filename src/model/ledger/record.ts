import { CONFIDENCES } from '../fleet/snapshot.ts';
import { TASK_TYPES } from '../fleet/task.ts';
import { PART } from '../plan/part.ts';
import { APPROVAL } from './approval.ts';
import { COVERAGE } from './coverage.ts';
import { GROUND } from './ground.ts';
import { RUN_SUMS } from './run-sums.ts';
import {
  amount,
  counts,
  flag,
  instant,
  listOf,
  oneOf,
  optional,
  pair,
  shaped,
  type Shaped,
  text,
  whole,
  word,
  yes,
} from '../../lib/shape.ts';

/**
 * Version of the record format. A record of a later format may be read, but nothing is appended
 * after it. A ledger of an earlier format is continued: its first append repeats GENESIS with this
 * number, so that an older program refuses to write (protocol J17).
 */
export const LEDGER_FORMAT = 4;

/** The row that recovery writes for an ATTEMPT without a RESULT. No answer ever matches it. */
export const ROW_WITHOUT_RESULT = 'P12';

export const HEAD = { seq: whole, hash: text };

/** The head of a ledger. `seq` 0 is the empty ledger, whose hash is the empty string. */
export type LedgerHead = Shaped<typeof HEAD>;

const ALLOWED_BY = {
  outcome: text,
  /** `seq` of the first APPROVED record of the approval, for a standing one of the newest approval. */
  approval: whole,
  /** Its policy has a standing approval, and this outcome has none of its own. */
  preapproved: optional(yes),
};

/** The outcome of an intent, and what allowed it (semantics N73). */
export type AllowedBy = Shaped<typeof ALLOWED_BY>;

export const INTENT = {
  id: text,
  device: text,
  target: text,
  generation: whole,
  policy: text,
  sites: listOf(text),
  /** Model of the device, for stop rules that count per model. */
  model: optional(text),
  /** The final version, where `target` is an intermediate version. */
  towards: optional(text),
  /** Digest of the change's `before`. */
  before: text,
  /** The marker or value that evidence is compared with; empty where the task type has none. */
  marker: text,
  /** Why it was allowed to start; absent where the commit is the approval (semantics N73). */
  allowed: optional(shaped(ALLOWED_BY)),
};

/**
 * An intent inside an ATTEMPT: enough to restore its state without the plan. IDs and states only,
 * never names or secrets.
 */
export type AttemptedIntent = Shaped<typeof INTENT>;

export const PAUSE = {
  /** As the scope of a stop; a site of the whole fleet too: `fleet/site=12`. */
  scope: text,
  who: text,
  why: text,
  ticket: optional(text),
  /** When it ends by itself. */
  until: optional(instant),
};

/** What a person said of a pause. */
export type PauseTerms = Shaped<typeof PAUSE>;

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

export const EVIDENCE = { source: text, field: text, value: text, at: text };
export type ResultEvidence = Shaped<typeof EVIDENCE>;

/** How the plan of a run was approved: as a saved file, on a terminal, or by its commit. */
export const APPROVALS = ['file', 'terminal', 'commit'] as const;
export type ApprovedBy = (typeof APPROVALS)[number];

const UNMERGED = { who: text, why: text };

/** The person who started documents that nobody merged, and the reason. */
export type UnmergedBy = Shaped<typeof UNMERGED>;

const BASIS = {
  /** Version of the tool that made the plan. */
  tool: text,
  at: text,
  expiresAt: text,
  commit: optional(text),
  dirty: optional(flag),
  /** Digests of the documents, of the reading, and of the file that the reading was saved in. */
  documents: text,
  snapshot: text,
  snapshotFile: optional(text),
  ledger: shaped(HEAD),
  /** The newest approved commit then; absent where there was none. */
  approved: optional(text),
  /** Only in records of format 2: the merged commit that turned approvals on since. */
  gated: optional(text),
  /** Digest of the decisions. */
  digest: text,
  /** Digest of the saved plan, if a file was approved. */
  file: optional(text),
  /** The part of the fleet that the plan is of; absent: the whole. */
  part: optional(PART),
};

/** The inputs and the result of a plan: enough to make it again and to compare the two. */
export type PlanBasis = Shaped<typeof BASIS>;

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

export const FROZEN_WAVE = {
  name: text,
  /** How many devices of the base are its own: the next ones in order. */
  devices: whole,
  /** The count in its documents at that time; absent where the wave takes the devices that match. */
  asked: optional(whole),
};

/** A wave in a ROLLOUT record. */
export type FrozenWave = Shaped<typeof FROZEN_WAVE>;

/** The closed vocabulary of the ledger (docs/protocol.md J9): every record type with its fields. */
export const RECORDS = {
  GENESIS: { ledgerId: text, format: whole, fingerprint: text },
  LOCK: {
    nonce: text,
    label: text,
    ttl: whole,
    host: text,
    pid: whole,
    process: text,
    /** Who ended another run's lease with this record, and why; absent where a run took the lease over. */
    who: optional(text),
    why: optional(text),
    /** Heads that were seen and are missing here: that person continues without their records (protocol J6). */
    lost: optional(listOf(shaped(HEAD))),
    /** Heads that no record of this ledger had: that person says that they are false (protocol M12). */
    rejected: optional(listOf(shaped(HEAD))),
  },
  BEAT: { n: whole },
  RELEASE: {
    /** The result of the run that releases the lease; absent where it had no plan. */
    sums: optional(shaped(RUN_SUMS)),
    /** Of the reading that the run ended with. */
    coverage: optional(shaped(COVERAGE)),
  },
  /** What all records before this one add up to, by its digest; the text is beside the record (protocol J21). */
  CHECKPOINT: {
    /** Version of that text; another one is not used. */
    version: whole,
    /** The SHA-256 of the text, in hex. */
    state: text,
  },
  /** Where credentials go, where records are read, and what approves. */
  GROUND,
  /** What a run knows of the fleet, from a run without a lease or beside one. */
  FACTS: {
    /** Digest of the file of shared facts that the run published (semantics M24). */
    facts: optional(text),
    /** As of a RELEASE. */
    coverage: optional(shaped(COVERAGE)),
    /** No fact of this kind that was read before the instant is believed again (semantics M25). */
    distrust: optional(shaped({ kind: text, before: instant })),
    /** The conditions that receivers were told, and since when they are these (protocol J18). */
    told: optional(shaped({ open: listOf(text), since: instant })),
  },
  /** A policy has another address; what was recorded under the old one counts. */
  RENAMED: { from: text, to: text },
  PLAN: {
    planId: text,
    commit: text,
    fromFile: flag,
    counts: shaped({ devices: whole, sites: whole, changes: whole }),
    confidence: oneOf(...CONFIDENCES),
    approvedBy: optional(oneOf(...APPROVALS)),
    /** The approval gave the plan's ID. */
    named: optional(flag),
    /** Who started documents that were not the newest of the default branch, and why (protocol M8). */
    unmerged: optional(shaped(UNMERGED)),
    /** Addresses of the exceptions that raised a limit for it. */
    raisedBy: optional(listOf(text)),
    /** The part of the fleet that the run was limited to; absent: the whole (semantics N35). */
    part: optional(PART),
    /** Of the plan that was approved. */
    basis: optional(shaped(BASIS)),
    /** Digests of the run's own documents and reading, where they differ from those of the plan. */
    reading: optional(shaped({ documents: text, dirty: optional(flag), snapshot: text })),
  },
  ROLLOUT: {
    policy: text,
    targetDigest: text,
    /** Device IDs; with `waves`, the waves one after another, each in its order. */
    base: listOf(text),
    waves: optional(listOf(shaped(FROZEN_WAVE))),
    /** Devices whose changes the guardrails weighed: these alone they do not count again (semantics N38). Absent: the base. */
    weighed: optional(listOf(text)),
    /** Pairs of a device of the base that could not start and the one that takes its place in its wave; the first joins the last wave. */
    replaced: optional(listOf(pair)),
  },
  ATTEMPT: {
    attemptId: text,
    planId: text,
    task: oneOf(...TASK_TYPES),
    intents: listOf(shaped(INTENT)),
    batchDigest: text,
    window: text,
    sendBy: text,
  },
  RESULT: {
    attemptId: text,
    outcome: oneOf(...POST_OUTCOMES),
    row: text,
    status: optional(whole),
    taskId: optional(text),
    retryAfter: optional(amount),
    /** When the answer arrived, by the service's clock where the answer has it. */
    answeredAt: optional(text),
  },
  OBSERVED: { intentId: text, evidence: listOf(shaped(EVIDENCE)), weak: flag },
  SEEN: {
    what: word<ObservedKind>(),
    subject: text,
    /** The observed value, for facts that have more than one. */
    value: optional(text),
    seenAt: text,
  },
  SETTLED: {
    intentId: text,
    verdict: oneOf(...RESULT_VERDICTS),
    by: oneOf('verify', 'evidence', 'person'),
    evidence: listOf(shaped(EVIDENCE)),
    /** Why it is unverified or failed: a code of fleetform, or the status of the last step. */
    why: optional(text),
    who: optional(text),
    /** From the attempt to the end of its device task; later runs estimate durations from it. */
    seconds: optional(amount),
  },
  STOP: {
    scope: text,
    rule: text,
    counts,
    /** Absent: `pause`. */
    action: optional(oneOf('pause', 'abort')),
    /** Digest of the rollout's documents: another one ends the stop. */
    documents: optional(text),
    /** For an abort: digest of the target that it ends, permanently. It applies to no other target. */
    wish: optional(text),
  },
  LIFT: {
    scope: text,
    who: text,
    why: text,
    /** Empty where none was needed: for the pause of a person that had none. */
    ticket: text,
    /** Absent: `stop`. */
    what: optional(oneOf(...LIFTED_KINDS)),
    /** The abort that it ends, because a commit removed the rollout; a person can lift only one whose address no policy has. */
    wish: optional(text),
  },
  PAUSE,
  /** Approved outcomes: one of a series of records, appended together. */
  APPROVED: {
    ...APPROVAL,
    expires: instant,
    changes: listOf(pair),
    /** In the last record of the series alone: how many records the series has. */
    of: optional(whole),
  },
  WITHDRAWN: {
    /** Limits it to the outcomes of this plan. */
    planId: optional(text),
    /**
     * Limits it to the outcomes of this policy, whatever approved them; then no change is named, since
     * the ledger does not know which policy an outcome is of.
     */
    policy: optional(text),
    /** IDs of changes; empty for all changes of the plan or of the policy. */
    ids: listOf(text),
    who: text,
    why: text,
  },
  ANOMALY: { what: word<AnomalyKind>(), ids: listOf(text) },
} as const;

export type RecordType = keyof typeof RECORDS;

/** The content of a record, without its place in the chain. */
export type RecordBody = {
  [T in RecordType]: { readonly type: T } & Shaped<(typeof RECORDS)[T]>;
}[RecordType];

export type RunEnd = Omit<Extract<RecordBody, { readonly type: 'RELEASE' }>, 'type'>;

/** Records appended without a lease, of people, gates and readings: none of them sends anything. */
export const LEASELESS = ['PAUSE', 'LIFT', 'APPROVED', 'WITHDRAWN', 'GROUND', 'FACTS'] as const;
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
