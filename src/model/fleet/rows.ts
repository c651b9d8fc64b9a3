import type { Device } from './device.ts';
import type { CodedColumn } from './snapshot.ts';

/** The rows of a page of a list: an array, or what makes the object of a row when it is asked for. */
export interface PageRows<T> extends Iterable<T> {
  /** The rows of the page, with those that were not asked for. */
  readonly length: number;
  /** The row at an index; undefined for a row that was not asked for, which the iteration leaves out as well. */
  at(index: number): T | undefined;
  /** The rows from an index on. */
  slice(from: number): PageRows<T>;
  /** The same rows in columns, where devices were read so. */
  readonly columns?: ListedColumns;
}

/** Fields whose values many devices share. */
export const SHARED_FIELDS = [
  'vendor',
  'model',
  'deviceType',
  'firmwareVersion',
  'status',
  'storageServer',
  'sites',
  'sources',
  'unreadable',
  'available',
  'probe',
  'maintenanceMode',
  'recordingStatus',
  'lifeCycle',
  'supportEndsAt',
  'sslCertificateStatus',
  'dot1xCertificateStatus',
  'vulnerabilitySeverity',
  'patchedFirmwareVersion',
  'suggestedFirmwareVersion',
  'suggestedReplacementModel',
  'orphaned',
] as const satisfies readonly (keyof Device)[];
export type SharedField = (typeof SHARED_FIELDS)[number];

/** Fields with an instant, which few devices share. */
export const INSTANT_FIELDS = [
  'lastSeen',
  'passwordExpiresAt',
  'passwordChangedAt',
  'sslCertificateExpiresAt',
  'dot1xCertificateExpiresAt',
  'lastHardenedAt',
] as const satisfies readonly (keyof Device)[];
export type InstantField = (typeof INSTANT_FIELDS)[number];

/** Devices in columns, in the order of their page. With `id` and `name` these are all fields of a device. */
export interface ListedColumns {
  readonly ids: readonly string[];
  readonly names: readonly (string | undefined)[];
  /** Code 0 means that the device does not have the field; equal values may have several codes. */
  readonly shared: Readonly<Record<SharedField, CodedColumn<unknown>>>;
  /** NaN means that the device does not have the field. */
  readonly instants: Readonly<Record<InstantField, Float64Array>>;
}
