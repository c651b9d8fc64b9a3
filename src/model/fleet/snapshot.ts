import type { Device, DeviceSource, DiscoveredDevice, Ref, Site } from './device.ts';
import type { Instant } from '../../lib/time.ts';

/** How far a paged reading can be trusted; a conclusion from absence needs one of the first two. */
export const CONFIDENCES = ['one page', 'two equal passes', 'clean pass', 'torn'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/**
 * Values of one field for all rows, each distinct value kept once.
 * `values[codes[row]]` is the value of a row; code 0 stands for a field that the device does not have.
 */
export interface CodedColumn<T> {
  readonly values: readonly T[];
  readonly codes: Uint32Array;
}

/** The fields whose distinct values a selector is evaluated on. */
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

/** Devices in columns; `at` builds one row as an object, for as long as it is looked at. */
export interface DeviceTable {
  readonly length: number;
  readonly text: Readonly<Record<TextField, CodedColumn<string>>>;
  readonly sites: CodedColumn<readonly Ref[]>;
  readonly sources: CodedColumn<readonly Ref[]>;
  readonly storageServers: CodedColumn<string>;
  /** What was not understood of each device; code 0 where all was. */
  readonly unreadable: CodedColumn<readonly string[]>;
  at(row: number): Device;
  rowOf(deviceId: string): number | undefined;
}

/** The per-device reads that a decision may want; everything else is in the lists. */
export const DEVICE_READS = ['targetFirmware', 'passwords', 'certificates'] as const;
export type DeviceRead = (typeof DEVICE_READS)[number];

/**
 * One wanted read. Needs with the same `key` have the same answer, so one request serves them all:
 * the device id, or (vendor, model, version) where the dialect says that the answer depends on these alone.
 */
export interface Need {
  readonly read: DeviceRead;
  readonly deviceId: string;
  readonly key: string;
}

/**
 * A version that the service approves for a device, with the hops to it; the last hop is the
 * version itself.
 */
export interface ApprovedFirmware {
  readonly version: string;
  readonly hops: readonly string[];
}

/** Password metadata: when, never what. `marker` changes whenever the password does. */
export interface PasswordFacts {
  readonly changedAt?: Instant;
  readonly expiresAt?: Instant;
  readonly marker: string;
}

/** The certificate in use, reduced at the boundary to what a decision needs. */
export interface CertificateFacts {
  readonly fingerprint: string;
  readonly notBefore?: Instant;
  readonly notAfter?: Instant;
}

/** Why a wanted read gave nothing. */
export type ReadProblem = 'notFound' | 'forbidden' | 'unreadable' | 'notRead';

/** What the per-device reads showed. A read that was not wanted is absent. */
export interface Facts {
  readonly targetFirmware?: readonly ApprovedFirmware[] | ReadProblem;
  readonly passwords?: PasswordFacts | ReadProblem;
  readonly certificates?: CertificateFacts | 'none' | ReadProblem;
  /** The device was not asked itself: so many of those that share its answer were, and none could be understood. */
  readonly sampled?: { readonly requests: number; readonly devices: number };
}

/** What reads by id made of the devices that a torn reading left open. */
export interface Repair {
  /** How many are there. */
  readonly present: number;
  /** Ids that are absent, or that our user may not see: two reads V apart did not show them. */
  readonly absent: readonly string[];
  /** Ids of which nothing is known. */
  readonly unknown: readonly string[];
}

/** A device as one read showed it, and when that was. */
export interface ReadDevice {
  readonly device: Device;
  readonly readAt: Instant;
}

/** The fleet as read at one moment. */
export interface Snapshot {
  readonly takenAt: Instant;
  readonly confidence: Confidence;
  readonly discoveredConfidence: Confidence;
  /** Of a torn reading alone, where it was repaired. */
  readonly repair?: Repair;
  /** The service ignores or refuses a filter that starts in a fleet of this size rest on. */
  readonly unfiltered?: boolean;
  readonly devices: DeviceTable;
  readonly sites: readonly Site[];
  readonly sources: readonly DeviceSource[];
  readonly discovered: readonly DiscoveredDevice[];
  /** Facts of a device; empty where nothing was read for it. */
  facts(deviceId: string): Facts;
}
