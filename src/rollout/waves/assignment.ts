import type { FrozenWave, RolloutSpec, Wave } from '../../model/documents/rollout.ts';

/** A device that a rollout governs, as far as waves depend on it. */
export interface WaveMember {
  readonly id: string;
  /** Ids of its sites; waves go by the first. Empty where none is readable. */
  readonly sites: readonly string[];
  readonly vendor?: string;
  readonly model?: string;
  readonly firmwareVersion?: string;
  readonly deviceType?: string;
  /** Fields that were not understood. */
  readonly unreadable?: readonly string[];
}

/** What the ROLLOUT record of this rollout froze: device ids, wave after wave in their order. */
export interface FrozenBase {
  readonly base: readonly string[];
  /** Absent in a record that does not say: the base is cut anew, by the hash. */
  readonly waves?: readonly FrozenWave[];
}

export interface WaveInput {
  /** Address of the policy: each policy has an order of its own. */
  readonly policy: string;
  readonly spec: Pick<RolloutSpec, 'waves' | 'assignment'>;
  /** The devices governed now, in any order. */
  readonly members: readonly WaveMember[];
  /** Absent before the first attempt: then all members are the base. */
  readonly frozen?: FrozenBase;
  /** Whether a device matches a wave of the kind `select`. */
  readonly selects: (wave: Wave, deviceId: string) => boolean;
}

/** Where a device is in a rollout. */
export interface WaveAssignment {
  /** Index of its wave. */
  readonly wave: number;
  /** Its place in the order of the base; a latecomer comes after all of the base. */
  readonly rank: number;
  /** Not in the base: it joined later. It never counts for a share or for a soak. */
  readonly isLate: boolean;
}

/** A combination that `stratify` asks for and no place of the wave was left for. */
export interface Unrepresented {
  readonly wave: string;
  /** The values in the order of `stratify`; the empty text where a device has none. */
  readonly combination: readonly string[];
  readonly devices: number;
}

/** Which device is in which wave. */
export interface Assignment {
  /** Device ids of each wave, in the order in which they are taken. */
  readonly waves: readonly (readonly string[])[];
  /** For a ROLLOUT record: what freezes this assignment. */
  readonly frozen: Required<FrozenBase>;
  readonly unrepresented: readonly Unrepresented[];
  /** Members that are not in the base. */
  readonly lateJoiners: readonly string[];
  readonly assignmentOf: (deviceId: string) => WaveAssignment;
  /** The member of this id; undefined where the rollout does not govern it, or no longer. */
  readonly memberOf: (deviceId: string) => WaveMember | undefined;
}
