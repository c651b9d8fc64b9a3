import type { IntentState, StartedRollout } from '../../model/ledger/memory.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { RolloutSpec, Wave } from '../../model/documents/rollout.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Assignment, WaveMember } from '../waves/assignment.ts';
import type { WaveState } from './gates.ts';
import type { Halts, Stopped } from './halts.ts';
import type { RolloutProgress } from './progress.ts';
import type { Trip } from './stops.ts';

/** One policy with a rollout, and what the rest of the program knows about its devices. */
export interface RolloutInput {
  /** Address of the policy. */
  readonly policy: string;
  readonly task: TaskType;
  /** Name of the rollout in the documents, and what it says. */
  readonly name: string;
  readonly spec: RolloutSpec;
  /** Digest of the target, as ROLLOUT records have it: another one is another rollout. */
  readonly targetDigest: string;
  /** Digest of the target and the rollout's documents together: another one ends stops. */
  readonly documents: string;
  /** The devices that the policy governs now, in any order. */
  readonly members: readonly WaveMember[];
  /** Whether a device matches a wave of the kind `select`; false for one that is unknown. */
  readonly selects: (wave: Wave, deviceId: string) => boolean;
  /**
   * What the steps of the decision order before K12 say that is not about time: `converged` for
   * `alreadyConverged`, `skipped` for any other `skip` or `note`.
   */
  readonly aside: (deviceId: string) => 'converged' | 'skipped' | undefined;
  /**
   * Whether what was approved covers a device: the base of a rollout that has not begun holds no
   * other. All are covered where it is absent.
   */
  readonly covers?: (task: TaskType, deviceId: string) => boolean;
  /** Whether an intent is all of the want; false for a hop on the way. All are where it is absent. */
  readonly isLast?: (intent: IntentState) => boolean;
  /** Whether an `allow: {gate: ROLLOUT/WAVE}` opens this wave for a device; none where absent. */
  readonly isApproved?: (wave: string, deviceId: string) => boolean;
  /** What `expedite` and `allow: {skipCanary: true}` let a device pass; nothing where absent. */
  readonly passes?: (deviceId: string) => { readonly soak: boolean; readonly canary: boolean };
  /** Who is in which wave, of an `assigner` of this input; worked out at each look where absent. */
  readonly assign?: Assign;
}

/** The waves of a rollout that has begun, or of the one that would begin now. */
export type Assign = (started: StartedRollout | undefined) => Assignment;

/** Why a device may not be acted on now. */
export interface Refused {
  readonly action: 'wait' | 'skip';
  readonly reason: Reason;
}

/** Where one rollout stands. */
export interface Followed {
  readonly input: RolloutInput;
  /** Absent before its first attempt. */
  readonly started: StartedRollout | undefined;
  readonly assignment: Assignment;
  readonly progress: RolloutProgress;
  /** One for each wave. */
  readonly states: readonly WaveState[];
  readonly trips: readonly Trip[];
  readonly stopped: Stopped;
  readonly halts: Halts;
  /** Steps K12 and K13 of the decision order for a device; undefined where neither bites. */
  readonly refuses: (deviceId: string) => Refused | undefined;
}
