import type { RolloutSpec, Wave } from '../../model/documents/rollout.ts';
import type { StartedRollout } from '../../model/ledger/memory.ts';

/** A device that a rollout governs, with the fields that waves depend on. */
export interface WaveMember {
  readonly id: string;
  /** IDs of its sites; waves use the first one. Empty if none is readable. */
  readonly sites: readonly string[];
  readonly vendor?: string | undefined;
  readonly model?: string | undefined;
  readonly firmwareVersion?: string | undefined;
  readonly deviceType?: string | undefined;
  /** Fields that were not understood. */
  readonly unreadable?: readonly string[] | undefined;
}

/** The base that the ROLLOUT record froze; without waves it is divided again, by the hash. */
export type FrozenBase = Pick<StartedRollout, 'base' | 'waves' | 'replaced'>;

/** Further members, each of which is made when something asks for it. */
export interface Resting {
  readonly ids: readonly string[];
  readonly memberOf: (id: string) => WaveMember | undefined;
}

export interface WaveInput {
  /** Name of the policy; each has its own order. */
  readonly policy: string;
  readonly spec: Pick<RolloutSpec, 'waves' | 'assignment'>;
  /** The devices governed now, in any order. */
  readonly members: readonly WaveMember[];
  /** Governed as well; absent: none is. */
  readonly resting?: (() => Resting) | undefined;
  /** Absent before the first attempt: all members are then the base. */
  readonly frozen?: FrozenBase;
  /** Whether a device matches a wave of type `select`. */
  readonly selects: (wave: Wave, deviceId: string) => boolean;
  /** Whether a device can start now, apart from time; the first wave takes these first. All can if absent. */
  readonly canStart?: ((deviceId: string) => boolean) | undefined;
}

/** The place of a device in a rollout. */
export interface WaveAssignment {
  /** Index of its wave. */
  readonly wave: number;
  /**
   * Whether it joined after the base was frozen. A late joiner never counts for a percentage or a
   * soak.
   */
  readonly isLate: boolean;
}

/** A combination of `stratify` values that the wave had no place for. */
export interface Unrepresented {
  readonly wave: string;
  /** The values in the order of `stratify`; the empty text if a device has none. */
  readonly combination: readonly string[];
  readonly devices: number;
}

/** The waves and their devices. */
export interface Assignment {
  /** Device IDs of each wave, in the order in which they start. */
  readonly waves: readonly (readonly string[])[];
  /** The frozen form of this assignment, for a ROLLOUT record. */
  readonly frozen: Required<Omit<FrozenBase, 'replaced'>>;
  readonly unrepresented: readonly Unrepresented[];
  /** Members that are not in the base. */
  readonly lateJoiners: readonly string[];
  readonly assignmentOf: (deviceId: string) => WaveAssignment;
  /** Whether the rollout governs a device now. */
  readonly isMember: (deviceId: string) => boolean;
  /** The member with this ID; undefined if the rollout does not govern it now. */
  readonly memberOf: (deviceId: string) => WaveMember | undefined;
}
