import type { Cause, Risk, Values } from '../model/plan/change.ts';
import type { Device, DiscoveredDevice, OwnField } from '../model/fleet/device.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { Passer } from '../model/documents/passes.ts';
import type { Incident, Policy } from '../model/documents/policy.ts';
import type { UnclearBy } from '../model/documents/selector.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { ResultEvidence } from '../model/ledger/record.ts';
import type { Facts, DeviceRead } from '../model/fleet/snapshot.ts';
import type { AvailableTask, Payload, TaskType } from '../model/fleet/task.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** The input of a judgement: one device, the winning policy, the values read, and what the ledger recorded. */
export type Case = CaseOf<Device, IntentState, Facts>;

/** A case that shows no more of its device, of its intents and of its single reads than these types. */
export interface CaseOf<D, I, R> {
  readonly policy: Policy;
  /** The version that an exception pins; it replaces the policy's version. */
  readonly pin?: string;
  /** The pin may keep the device below the floor of its policy. */
  readonly acceptsRisk?: true;
  /** Why it is unclear whether the policy selects the device (semantics M20). */
  readonly unclear?: UnclearBy;
  /** What lets this change pass some of what holds others back; absent: nothing does. */
  readonly passer?: Passer;
  /** An incident that ended and did not reach the device, as far as its policy knows. */
  readonly leftBy?: Incident;
  readonly device: D;
  /** Only for onboarding. */
  readonly discovered?: DiscoveredDevice;
  /** Only for onboarding: the service shows the managed device that an earlier onboarding made. */
  readonly stillManaged?: true;
  readonly facts: R;
  /** The intents of this device and task, oldest first. */
  readonly past: readonly I[];
  /** How many devices of the fleet the service offered each task for, by the last record; absent without one. */
  readonly offered?: Readonly<Record<string, number>>;
  /** The reading shows no device of the fleet that is offered any task. */
  readonly noneOffered?: true;
  /** The highest generation in the ledger for this device and task. */
  readonly generation: number;
  /** The observed facts in the ledger; absent if there are none. */
  readonly sightings?: Memory['sightings'];
  /** The online devices of the fleet were last seen long ago or in the future: no `lastSeen` can be relied on. */
  readonly lastSeenOff?: true;
  readonly now: Instant;
  readonly dialect: Dialect;
}

/** What the kind decides about a case: steps K2, K3 and K8 of the decision order, or the intent to run. */
export type Judgement = Shown & Verdict;

/** Values that every judgement may carry. */
interface Shown {
  /** When the current credential expires, if known. */
  readonly expiresAt?: Instant;
}

type Verdict =
  | { readonly is: 'unsupported'; readonly reason: Reason; readonly before: Values }
  | { readonly is: 'notRead'; readonly reason: Reason; readonly before: Values }
  | { readonly is: 'converged'; readonly reason: Reason; readonly before: Values }
  | {
      readonly is: 'notDue';
      readonly reason: Reason;
      /** Whether the device still complies with its policy (`note`) or is only delayed (`wait`). */
      readonly within: boolean;
      /** The credential that falls due at `reason.next` is too old, or no longer valid, from this instant on. */
      readonly breachesAt?: Instant;
      readonly before: Values;
      readonly after: Values;
      /** As for a change that is due. */
      readonly finalTarget?: string;
    }
  | {
      readonly is: 'due';
      readonly why: ReasonWhy;
      readonly since?: Instant;
      /** The credential is too old, or no longer valid, from this instant on. */
      readonly breachesAt?: Instant;
      readonly cause: Cause;
      readonly before: Values;
      readonly after: Values;
      readonly target: string;
      /** The final target, if the path to it may have several steps. */
      readonly finalTarget?: string;
      readonly generation: number;
      readonly marker: string;
      /** Nothing was read of it: the last look reads and judges again (semantics N11, N56). */
      readonly unread?: true;
      /**
       * The number of consecutive starts, this one included, that must fit before the window
       * closes. Absent: only this one.
       */
      readonly together?: number;
    };

/** The input of verification and settlement: the device read back, and the other reads of the kind. */
export interface Readback {
  readonly device?: Device;
  /** Only for onboarding: the device is still listed as discovered. */
  readonly discovered?: DiscoveredDevice;
  /** Only for onboarding: a managed device with the name and the source of the discovered one. */
  readonly namesake?: Pick<Device, 'id'>;
  readonly facts: Facts;
  /** The service's time of the read, else the local time. */
  readonly readAt: Instant;
  /** How long consecutive reads have shown the same version and status; absent for the first read. */
  readonly steadyFor?: Milliseconds;
}

/** Where evidence was read, and its value: a version, a fingerprint or an instant, never a name. */
export type Finding = Pick<ResultEvidence, 'source' | 'field' | 'value'>;

/** What was attempted and when. It is sufficient to judge evidence from the ledger alone. */
export interface Attempted {
  readonly target: string;
  readonly marker: string;
  readonly attemptedAt: Instant;
  /** When a poll first showed `completed`; absent while an attempt in doubt is settled. */
  readonly completedAt?: Instant;
  /** The answer to that poll had no time of the service, so `lastSeen` cannot be compared with it. */
  readonly undated?: boolean;
}

/**
 * What a read proves. `shown`: the device shows the target. `other`: the read is fresh and shows
 * something else. `notYet`: the read is too old, the device is offline, or a value is unreadable.
 * `resultOnly`: the service does not show the effect.
 */
export type Proof =
  | { readonly is: 'shown'; readonly evidence: readonly ResultEvidence[] }
  | { readonly is: 'other'; readonly evidence: readonly ResultEvidence[] }
  | { readonly is: 'notYet'; readonly why: 'stale' | 'notOnline' | 'unreadable' }
  | { readonly is: 'resultOnly'; readonly evidence: readonly ResultEvidence[] };

export type UnverifiedAttempt = Pick<
  IntentState,
  'target' | 'marker' | 'attemptedAt' | 'settledAt'
>;

/** Everything that differs between task types. A new task type adds one more value of this type. */
export interface Kind {
  readonly task: TaskType;
  /** The position among the tasks of a plan, from 1. Earlier tasks receive shares first (semantics K22). */
  readonly rank: number;
  /** The cause of a change that is not due yet: the event that will make it due. */
  readonly initialCause: Cause;
  /**
   * Whether the task would hide or repair an effect of new firmware. Such a task does not run while
   * firmware soaks (semantics F1).
   */
  readonly disturbsSoak: boolean;
  /**
   * Whether an intent may be attempted again after the service reported a failure. `unchanged`:
   * only while the device shows the same values as before.
   */
  readonly retriedAfterFailure: 'always' | 'never' | 'unchanged';
  /** How many attempts may follow an attempt that is known not to have run (protocol Q9). */
  readonly triesAfterNotDone: number;
  /** Only one attempt per window, whatever the documents allow: devices lock up after a few wrong logins. */
  readonly oncePerWindow: boolean;
  /**
   * Whether a read of the device can prove that an attempt in doubt did not run. An edge task shows only that something
   * changed, never a target state: it is never repeated on a doubt.
   */
  readonly settledByRead: boolean;
  /** Whether a doubt that nothing settles ends as `unknown` after a time. */
  readonly endsUnknown: boolean;
  /**
   * Whether an online device shows the target of an unverified attempt, judged by values that are
   * read anyway. Absent: the device never counts as down because of that attempt.
   */
  readonly showsLater?: (attempt: UnverifiedAttempt, device: Device, facts: Facts) => boolean;
  /** The key of `availableTask` that must be true; absent for onboarding. */
  readonly available?: AvailableTask;
  /** Whether the device is down while the task runs, so that budgets count it. */
  readonly disruptive: boolean;
  /** Whether the task may run on a device that reads offline. */
  readonly actsOffline: boolean;
  /**
   * The fields of the row that decide about this task in addition to those that decide about every
   * task; absent: none. An unreadable one prevents the task.
   */
  readonly decidingFields?: (policy: Policy) => readonly string[];
  /**
   * All that `judge` and `reads` use of a device and of its single reads, and `judge` of its intents, where
   * many devices are equal in that: those of one desired state are judged once. Absent: each is judged by
   * itself, as with `readsLate`.
   */
  readonly judgedBy?: {
    readonly fields: readonly Exclude<keyof Device, OwnField>[];
    readonly past: readonly (keyof IntentState)[];
    readonly read: DeviceRead;
  };
  /**
   * The reads per device that `judge` needs for this case, whatever the intents of a device that `judgedBy` lets
   * share them. It is called before any of them is made.
   */
  reads(theCase: Case): readonly DeviceRead[];
  /**
   * Whether the documents themselves ask for the task, so that a plan makes none of these reads: the
   * last look makes them (semantics N11). Absent: never.
   */
  readsLate?(theCase: Case): boolean;
  /**
   * Whether these reads show nothing that the task changes, so that its result alone will count
   * (protocol V5). Absent: the service always shows it.
   */
  readonly hidesEffect?: (device: Device, facts: Facts) => boolean;
  /** The reads per device that `prove` needs. */
  readonly proofReads: readonly DeviceRead[];
  judge(theCase: Case): Judgement;
  /**
   * The part of `before` that a device row shows, if the row shows all of it. A change whose device
   * still shows it, and that no policy requires any more, has lost its target. Absent: the row does
   * not show it.
   */
  readonly shows?: (device: Device) => Values;
  /** What the documents add to the payload, exactly as written; an approval binds it. Absent: they can add nothing. */
  readonly payloadAsWritten?: (policy: Policy, dialect: Dialect) => Payload;
  /** Evidence of an attempt in doubt appears within this time or never. Absent: there is no such limit. */
  readonly showsWithin?: (marker: string) => Milliseconds;
  /** The payload for one device, with secrets as references; undefined if none is needed. */
  payload(policy: Policy, target: string, dialect: Dialect): Payload | undefined;
  /** The risk of a failed task on such a device. */
  risk(device: Pick<Device, 'deviceType'>): Risk;
  /** Judges a read after `completed` with result `succeeded` (protocol V3), or after a doubt (protocol Q2). */
  prove(attempted: Attempted, seen: Readback): Proof;
  /**
   * The findings that alone settle a doubt as done; empty if there are none. An edge task has
   * findings only if its marker changed.
   */
  settlesDoubt(attempted: Attempted, seen: Readback): readonly Finding[];
  /**
   * Signs that the attempt ran which are too weak to settle it (protocol Q3). `first` is the first
   * read that the same process made.
   */
  weakSigns(attempted: Attempted, seen: Readback, first: Readback): readonly Finding[];
  /**
   * The findings that show the device exactly as before the attempt, so that nothing ran; empty if
   * anything differs. Absent: no read can ever show that for this kind.
   */
  readonly showsBefore?: (attempted: Attempted, seen: Readback) => readonly Finding[];
}
