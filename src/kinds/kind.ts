import type { Cause, Risk, Values } from '../model/plan/change.ts';
import type { Device, DiscoveredDevice } from '../model/fleet/device.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { Policy } from '../model/documents/policy.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { ResultEvidence } from '../model/ledger/record.ts';
import type { Facts, DeviceRead } from '../model/fleet/snapshot.ts';
import type { AvailableTask, Payload, TaskType } from '../model/fleet/task.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/**
 * What a kind judges: one device, the policy that won, what was read and what the ledger
 * remembers.
 */
export interface Case {
  readonly policy: Policy;
  /** The version that an exception pins instead of the policy's. */
  readonly pin?: string;
  /** Break glass: neither a spread nor a deferral holds it back. */
  readonly expedited?: boolean;
  readonly device: Device;
  /** For onboarding alone. */
  readonly discovered?: DiscoveredDevice;
  readonly facts: Facts;
  /** Intents of this device and task, oldest first. */
  readonly past: readonly IntentState[];
  /** The highest generation in the ledger for this device and task. */
  readonly generation: number;
  /** What the ledger remembers having been seen; absent where nothing was. */
  readonly sightings?: NonNullable<Memory['sightings']>;
  readonly now: Instant;
  readonly dialect: Dialect;
}

/**
 * What the kind alone can say about a case: steps K2, K3 and K8 of the decision order, or what to
 * do.
 */
export type Judgement = Shown & Verdict;

/** What was read on the way to a judgement, whatever it is. */
interface Shown {
  /** When the credential in place stops being valid by itself, where that is known. */
  readonly expiresAt?: Instant;
}

type Verdict =
  | { readonly is: 'unsupported'; readonly reason: Reason; readonly before: Values }
  | { readonly is: 'notRead'; readonly reason: Reason; readonly before: Values }
  | { readonly is: 'converged'; readonly reason: Reason; readonly before: Values }
  | {
      readonly is: 'notDue';
      readonly reason: Reason;
      /** Still within its wish (a note) or only held back (wait). */
      readonly within: boolean;
      /** From when on a credential that falls due at `reason.next` is too old, or no longer valid. */
      readonly breachesAt?: Instant;
      readonly before: Values;
      readonly after: Values;
      /** As of what is due. */
      readonly finalTarget?: string;
    }
  | {
      readonly is: 'due';
      readonly why: ReasonWhy;
      readonly since?: Instant;
      /** From when on a credential is older than its policy allows, or no longer valid. */
      readonly breachesAt?: Instant;
      readonly cause: Cause;
      readonly before: Values;
      readonly after: Values;
      readonly target: string;
      /** The target in the end, where the way there may have several steps. */
      readonly finalTarget?: string;
      readonly generation: number;
      readonly marker: string;
      /**
       * How many starts in a row, this one and its successors, must fit before the window closes;
       * absent: this one alone.
       */
      readonly together?: number;
    };

/**
 * What verification and settling look at: the device read back, and what else the kind asked for.
 */
export interface Readback {
  readonly device?: Device;
  /** For onboarding alone: the device is still listed as discovered. */
  readonly discovered?: DiscoveredDevice;
  /** For onboarding alone: a managed device with the name and the source of the discovered one. */
  readonly namesake?: Pick<Device, 'id'>;
  readonly facts: Facts;
  /** The service's time of the read, else ours. */
  readonly readAt: Instant;
  /** How long reads in a row have shown the same version and status; absent for the first of them. */
  readonly steadyFor?: Milliseconds;
}

/** Where evidence was read and what stood there: versions, fingerprints, instants, never names. */
export type Finding = Pick<ResultEvidence, 'source' | 'field' | 'value'>;

/** What was attempted and when; enough to judge evidence from the ledger alone. */
export interface Attempted {
  readonly target: string;
  readonly marker: string;
  readonly attemptedAt: Instant;
  /** When a poll first showed `completed`; absent while settling an attempt in doubt. */
  readonly completedAt?: Instant;
  /** That poll carried no time of the service, so `lastSeen` cannot be held against it. */
  readonly undated?: boolean;
}

/**
 * What an observation proves. `shown`: the target is there. `other`: fresh, and it is not the target.
 * `notYet`: too old, offline or unreadable. `resultOnly`: the service does not show the effect.
 */
export type Proof =
  | { readonly is: 'shown'; readonly evidence: readonly ResultEvidence[] }
  | { readonly is: 'other'; readonly evidence: readonly ResultEvidence[] }
  | { readonly is: 'notYet'; readonly why: 'stale' | 'notOnline' | 'unreadable' }
  | { readonly is: 'resultOnly'; readonly evidence: readonly ResultEvidence[] };

/** An attempt that ended unverified. */
export type UnverifiedAttempt = Pick<IntentState, 'target' | 'marker' | 'settledAt'>;

/** Everything that differs between task types. A further task type is one more of these. */
export interface Kind {
  readonly task: TaskType;
  /** Its place among the tasks of a plan, from 1: what comes first gets the first shares (semantics K22). */
  readonly rank: number;
  /** Why a change is there while there is nothing to do yet: what will set it going. */
  readonly setGoingBy: Cause;
  /** It would hide whether new firmware is sound, or mend what it broke: none while firmware soaks (semantics F1). */
  readonly disturbsSoak: boolean;
  /**
   * May the same intent be tried again after the service said that it failed? `unchanged`: only while the
   * device shows what it had before.
   */
  readonly retriedAfterFailure: 'always' | 'never' | 'unchanged';
  /** How many attempts may follow one that is known not to have run (protocol Q9). */
  readonly triesAfterNotDone: number;
  /** One attempt a window, whatever is written: devices lock up after a few wrong logins. */
  readonly oncePerWindow: boolean;
  /** A read of the device can settle that a doubtful attempt did not run. */
  readonly settledByRead: boolean;
  /** A doubt that nothing settles ends as `unknown` after a time. */
  readonly endsUnknown: boolean;
  /**
   * A device that reads online shows, by what was read anyway, what an unverified attempt wanted. Absent: it
   * never counts as down for it.
   */
  readonly showsLater?: (attempt: UnverifiedAttempt, device: Device, facts: Facts) => boolean;
  /** The key of `availableTask` that must be true; absent for onboarding. */
  readonly available?: AvailableTask;
  /** The device is down while the task runs: budgets count it. */
  readonly disruptive: boolean;
  /** An edge task shows only a change, never a target state: it is never repeated on a doubt. */
  readonly edge: boolean;
  /** May act on a device that reads offline. */
  readonly actsOffline: boolean;
  /**
   * Fields of the row that decide about this task beside those that decide about all; absent: none. One
   * that was not understood keeps the task away.
   */
  readonly restsOn?: (policy: Policy) => readonly string[];
  /** The per-device reads that `judge` wants for this case; asked before any of them was made. */
  reads(theCase: Case): readonly DeviceRead[];
  /** The per-device reads that `prove` wants. */
  readonly proofReads: readonly DeviceRead[];
  judge(theCase: Case): Judgement;
  /**
   * What a device shows of `before`, where its row shows all of it: a change whose device still shows it,
   * and that nothing is wanted of any more, has lost its target. Absent: the row does not tell.
   */
  readonly shows?: (device: Device) => Values;
  /**
   * What the documents add to the payload, as written there: an approval binds it. Absent: they can add
   * nothing.
   */
  readonly payloadAsWritten?: (policy: Policy, dialect: Dialect) => Payload;
  /** How soon a doubt shows itself or never does, where that is soon. Absent: for as long as anybody looks. */
  readonly showsWithin?: (marker: string) => Milliseconds;
  /** The payload of one device, secrets still as references; undefined where none is needed. */
  payload(policy: Policy, target: string, dialect: Dialect): Payload | undefined;
  /** How much is at stake when it goes wrong on such a device. */
  risk(device: Pick<Device, 'deviceType'>): Risk;
  /**
   * After `completed` with result `succeeded` (verify), or after a doubt (settle): see protocol V3 and Q2.
   */
  prove(attempted: Attempted, seen: Readback): Proof;
  /**
   * What of an observation settles a doubt as done, all by itself; nothing where it does not. Never
   * anything for an edge task without a marker that moved.
   */
  settlesDoubt(attempted: Attempted, seen: Readback): readonly Finding[];
  /**
   * Signs that the attempt ran, too weak to settle it (protocol Q3). `first` is what the same
   * process saw first.
   */
  weakSigns(attempted: Attempted, seen: Readback, first: Readback): readonly Finding[];
  /**
   * What shows that the device has exactly what it had before, so that nothing ran; nothing where it
   * shows anything else. Absent: no read can ever say so of this kind.
   */
  readonly showsBefore?: (attempted: Attempted, seen: Readback) => readonly Finding[];
}
