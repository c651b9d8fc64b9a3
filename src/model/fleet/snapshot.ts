import type {
  Device,
  DeviceFieldName,
  DeviceSource,
  DiscoveredDevice,
  OwnField,
  Ref,
  Site,
} from './device.ts';
import type { CodedColumn } from '../../lib/columns.ts';
import type { Codes } from '../../lib/growing-array.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

/**
 * How far a paged read can be trusted; concluding that a device is absent needs one of the first
 * two.
 */
export const CONFIDENCES = ['one page', 'two equal passes', 'clean pass', 'torn'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** The fields whose distinct values selectors are evaluated on. */
export const TEXT_FIELDS = [
  'id',
  'name',
  'vendor',
  'model',
  'deviceType',
  'firmwareVersion',
  'status',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Devices in columns; `at` builds the object of one row, which callers do not keep. */
export interface DeviceTable {
  readonly length: number;
  readonly text: Readonly<Record<TextField, CodedColumn<string>>>;
  readonly sites: CodedColumn<readonly Ref[]>;
  readonly sources: CodedColumn<readonly Ref[]>;
  readonly storageServers: CodedColumn<string>;
  /** The fields of each device that could not be parsed; code 0 where all could. */
  readonly unreadable: CodedColumn<readonly string[]>;
  /** Codes that are equal where a field is; for no field of which each device has a value of its own. */
  codesOf(field: Exclude<DeviceFieldName, OwnField>): Codes;
  /** When each device was seen last; NaN where that is not known. */
  readonly lastSeen: Float64Array;
  at(row: number): Device;
  /** The device of a row as JSON, the same bytes as `JSON.stringify(at(row))`. */
  jsonAt(row: number): string;
  idAt(row: number): string;
  rowOf(deviceId: string): number | undefined;
  /** The same table with newer rows of its devices; a device that is not in it is passed over. */
  with(newer: Iterable<Device>): DeviceTable;
}

/** The per-device reads that a decision may need; everything else is in the lists. */
export const DEVICE_READS = ['targetFirmware', 'passwords', 'certificates'] as const;
export type DeviceRead = (typeof DEVICE_READS)[number];

/**
 * One read that is needed. Needs with the same `key` have the same answer, so one request serves
 * them all: the device ID, or (vendor, model, version) where the dialect says that the answer
 * depends on these alone.
 */
export interface Need {
  readonly read: DeviceRead;
  readonly deviceId: string;
  readonly key: string;
}

/**
 * A version that the service approves for a device, with the upgrade steps to it; the last step is
 * the version itself.
 */
export interface ApprovedFirmware {
  readonly version: string;
  readonly hops: readonly string[];
}

/**
 * Password metadata: dates, never the password. `marker` changes with every change of the password.
 */
export interface PasswordFacts {
  readonly changedAt?: Instant;
  /** The oldest change of all users; absent if there is one, or all changed at once. */
  readonly oldestChangeAt?: Instant;
  readonly expiresAt?: Instant;
  readonly marker: string;
}

/** The certificate in use, reduced to the fields that a decision needs. */
export interface CertificateFacts {
  readonly fingerprint: string;
  readonly notBefore?: Instant;
  readonly notAfter?: Instant;
}

/** Why a read has no value. */
export type ReadProblem = 'notFound' | 'forbidden' | 'unreadable' | 'failed' | 'notRead';

/** The values of the per-device reads. A read that was not needed is absent. */
export interface Facts {
  readonly targetFirmware?: readonly ApprovedFirmware[] | ReadProblem;
  readonly passwords?: PasswordFacts | ReadProblem;
  readonly certificates?: CertificateFacts | 'none' | ReadProblem;
  /**
   * The device itself was not read: this many devices that share its answer were, and no answer
   * could be parsed.
   */
  readonly sampled?: { readonly requests: number; readonly devices: number };
  /** The instants at which an earlier run read these values; this run did not read them (semantics N26). */
  readonly knownAt?: Readonly<Partial<Record<DeviceRead, Instant>>>;
}

/** The result of reading by ID the devices that an inconsistent read left open. */
export interface Repair {
  /** The number of devices that exist. */
  readonly present: number;
  /** IDs that are absent, or hidden from this user: two reads V apart did not return them. */
  readonly absent: readonly string[];
  /** IDs whose state is unknown. */
  readonly unknown: readonly string[];
}

/** A device as one read returned it, with the time of that read. */
export interface ReadDevice {
  readonly device: Device;
  readonly readAt: Instant;
}

/** What a reading found wrong with the values of single devices that earlier runs read. */
export interface FactNotices {
  /** They grow too old before they are read again: how many are wanted, and how many are read in a day. */
  readonly tooSlow?: { readonly wanted: number; readonly perDay: number };
  /** Stored values that a read of now contradicts, one of each kind. */
  readonly contradicted?: readonly ContradictedValue[];
  /** How far the clock of the service is ahead of ours; only where that is too far for `apply`. */
  readonly skew?: Milliseconds;
}

/** A kind of value that a single read shows. */
export type ContradictedKind = 'certificate' | 'password' | 'target';

/** A stored value that a read contradicts, and how many others of its kind no read of this run has confirmed. */
export interface ContradictedValue {
  readonly kind: ContradictedKind;
  readonly device: string;
  readonly count: number;
}

/** How a fleet was read. */
export interface Reading {
  readonly takenAt: Instant;
  /** The organization that was read; absent where no service was read. */
  readonly organization?: string;
  readonly confidence: Confidence;
  readonly discoveredConfidence: Confidence;
  /** Only for an inconsistent read that was repaired. */
  readonly repair?: Repair;
  /** How many single reads the reading could make for its decisions; absent where that was not limited. */
  readonly maxReads?: number;
  /** What is wrong with the values that earlier runs read; absent where nothing is. */
  readonly notices?: FactNotices;
}

/** The fleet as read at one moment. */
export interface Snapshot extends Reading {
  /** The service ignores or refuses a filter that starts in a fleet of this size rely on. */
  readonly unfiltered?: boolean;
  readonly devices: DeviceTable;
  readonly sites: readonly Site[];
  readonly sources: readonly DeviceSource[];
  readonly discovered: readonly DiscoveredDevice[];
  /** Facts of a device; empty where it was not read. */
  facts(deviceId: string): Facts;
}
