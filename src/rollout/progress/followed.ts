import type { LostPlace } from '../../model/ledger/scopes.ts';
import type { IntentState, Memory, StartedRollout } from '../../model/ledger/memory.ts';
import type { Passed } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { RolloutSpec, Wave } from '../../model/documents/rollout.ts';
import type { Instant } from '../../lib/time.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Assignment, Resting, WaveMember } from '../waves/assignment.ts';
import type { DeviceChecks } from './gate-sample.ts';
import type { WaveState } from './gates.ts';
import type { Halts, Stopped } from './halts.ts';
import type { CountProgress, RolloutProgress } from './rollout-progress.ts';
import type { Trip } from './stops.ts';

/** One policy with a rollout, and the data about its devices. */
export interface RolloutInput {
  /** Address of the policy. */
  readonly policy: string;
  /** Its name in whatever stays the same when it is renamed (semantics M23); its address if absent. */
  readonly seed?: string;
  readonly task: TaskType;
  /** Name of the rollout in the documents, and its definition. */
  readonly name: string;
  readonly spec: RolloutSpec;
  /** Digest of the target, as in ROLLOUT records: a different digest is a different rollout. */
  readonly targetDigest: string;
  /** Digest of the target and the rollout's documents together: a different one ends stops. */
  readonly documents: string;
  readonly lostPlace?: LostPlace;
  /** The devices that the policy governs now, in any order, but for those that have nothing to do. */
  readonly members: readonly WaveMember[];
  /** The devices that have nothing to do (`converged`): only a rollout that has begun looks at them. */
  readonly resting?: () => Resting;
  /** Whether a device matches a wave of type `select`; false for an unknown device. */
  readonly selects: (wave: Wave, deviceId: string) => boolean;
  /**
   * How the steps before K12 decide about a device, apart from time: `converged` for
   * `alreadyConverged`, `skipped` for any other `skip` or `note`.
   */
  readonly aside: (deviceId: string) => 'converged' | 'skipped' | undefined;
  /**
   * Since when a device of its base cannot start, for a reason of its own and not of time; absent where it can. A device
   * of which nothing says since when has the begin of the rollout.
   */
  readonly cannotStart?: (deviceId: string) => { readonly since?: Instant } | undefined;
  /** Why a device that is set aside will never start, whatever wave it joins; absent: none is known. */
  readonly never?: (deviceId: string) => Reason | undefined;
  /** The gate checks of a device that the rollout verified, in the present reading. */
  readonly sample: (deviceId: string, memory: Memory) => DeviceChecks;
  /**
   * Whether the approved plan covers a device: the base of a new rollout contains no others. If
   * absent, all devices are covered.
   */
  readonly covers?: (task: TaskType, deviceId: string) => boolean;
  /**
   * Whether an intent is the final step; false for an intermediate upgrade step. If absent, every
   * intent is final.
   */
  readonly isLast?: (intent: IntentState) => boolean;
  /** The `allow: {gate: ROLLOUT/WAVE}` that opens this wave for a device; none if absent. */
  readonly approvedBy?: (wave: string, deviceId: string) => string | undefined;
  /** What lets a device skip soaks (`expedite`) and canaries (also `allow: {skipCanary: true}`); nothing if absent. */
  readonly passes?: (deviceId: string) => { readonly soak?: string; readonly canary?: string };
  /** Wave assignment, from an `assigner` of this input; computed on each call if absent. */
  readonly assign?: Assign;
  /** Counts the progress, from an `openProgressBook` of this input; on each call from scratch if absent. */
  readonly count?: CountProgress;
}

/** Assigns the waves of a started rollout, or of the one that would start now. */
export type Assign = (started: StartedRollout | undefined) => Assignment;

/** Why a device may not start now. */
export interface Refused {
  readonly action: 'wait' | 'skip';
  readonly reason: Reason;
}

/** The state of one rollout. */
export interface Followed {
  readonly input: RolloutInput;
  /** Absent before its first attempt; with the replacements that are due now. */
  readonly started: StartedRollout | undefined;
  /** Replacements that no record has yet (semantics C12). */
  readonly replaced: ReadonlyMap<string, string>;
  readonly assignment: Assignment;
  readonly progress: RolloutProgress;
  /** One entry for each wave. */
  readonly states: readonly WaveState[];
  readonly trips: readonly Trip[];
  readonly stopped: Stopped;
  readonly halts: Halts;
  /** Steps K12 and K13 of the decision order for a device; undefined if neither refuses it. */
  readonly refuses: (deviceId: string) => Refused | undefined;
  /** The gates, canaries and soaks that would hold a device and do not, each with what opens it (semantics M26). */
  readonly passed: (deviceId: string) => readonly Passed[];
}
