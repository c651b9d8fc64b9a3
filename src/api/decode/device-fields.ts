import { type Device, PROBES, type Ref } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import { AVAILABLE_TASKS } from '../../model/fleet/task.ts';
import { isSafeId } from '../wire.ts';
import { decodeInstant, UNREADABLE } from './dates.ts';
import { field, known, markUnreadable, member } from './fields.ts';
import {
  type JsonRow,
  type PartialRow,
  type Shown,
  plainFlag,
  shownFlag,
  shownId,
  shownName,
  shownText,
} from './fields.ts';
import { isObject } from '../../lib/objects.ts';

/** Where a row shows a field of a device, and how its value is read. */
export interface DeviceField<T> {
  /** The dotted path; empty where the service lacks the field. */
  readonly path: string;
  /** Reads the value at the path; undefined where a row does not have it. */
  read(value: unknown): T;
}

/** What a row shows of a device, each field as it was read. */
export interface ShownDevice {
  /** Undefined where the row has no ID that can be read. */
  readonly id: string | undefined;
  readonly probe: Picked<Device['probe']>;
  readonly sites: Shown<readonly Ref[]>;
  readonly sources: Shown<readonly Ref[]>;
  readonly available: Picked<Device['available']>;
  readonly name: Shown<string>;
  readonly vendor: Shown<string>;
  readonly model: Shown<string>;
  readonly deviceType: Shown<string>;
  readonly firmwareVersion: Shown<string>;
  readonly status: Shown<string>;
  readonly lastSeen: Shown<number>;
  readonly maintenanceMode: Shown<boolean>;
  readonly sslCertificateStatus: Shown<string>;
  readonly dot1xCertificateStatus: Shown<string>;
  readonly vulnerabilitySeverity: Shown<string>;
  readonly patchedFirmwareVersion: Shown<string>;
  readonly suggestedFirmwareVersion: Shown<string>;
  readonly suggestedReplacementModel: Shown<string>;
  readonly supportEndsAt: Shown<number>;
  readonly dot1xCertificateExpiresAt: Shown<number>;
  readonly lastHardenedAt: Shown<number>;
  readonly orphaned: Shown<boolean>;
  readonly storageServer: Shown<string>;
  readonly recordingStatus: Shown<string>;
  readonly lifeCycle: Shown<string>;
  readonly passwordExpiresAt: Shown<number>;
  readonly passwordChangedAt: Shown<number>;
  readonly sslCertificateExpiresAt: Shown<number>;
}

/** A row without any field: what `read` makes of undefined. A copy of it has all members from the start. */
export const NOTHING_SHOWN: ShownDevice = {
  id: undefined,
  probe: { value: {}, unreadable: [] },
  sites: [],
  sources: [],
  available: { value: {}, unreadable: [] },
  name: undefined,
  vendor: undefined,
  model: undefined,
  deviceType: undefined,
  firmwareVersion: undefined,
  status: undefined,
  lastSeen: undefined,
  maintenanceMode: undefined,
  sslCertificateStatus: undefined,
  dot1xCertificateStatus: undefined,
  vulnerabilitySeverity: undefined,
  patchedFirmwareVersion: undefined,
  suggestedFirmwareVersion: undefined,
  suggestedReplacementModel: undefined,
  supportEndsAt: undefined,
  dot1xCertificateExpiresAt: undefined,
  lastHardenedAt: undefined,
  orphaned: undefined,
  storageServer: undefined,
  recordingStatus: undefined,
  lifeCycle: undefined,
  passwordExpiresAt: undefined,
  passwordChangedAt: undefined,
  sslCertificateExpiresAt: undefined,
};

export type DeviceFields = { readonly [K in keyof ShownDevice]: DeviceField<ShownDevice[K]> };

/** The known members of an object, and the names of those that were not understood. */
interface Picked<T> {
  readonly value: T;
  readonly unreadable: readonly string[];
}

/** Reads the references of a device to its sites or sources; an absent list is empty. */
export type RefsReader = (value: unknown) => Shown<readonly Ref[]>;

/** The fields of a device in a dialect: the only place that says where each is and how it is read. */
export function deviceFields(
  dialect: Dialect,
  refs: { readonly sites: RefsReader; readonly sources: RefsReader },
): DeviceFields {
  const text = (path: string): DeviceField<Shown<string>> => ({ path, read: shownText });
  const flag = (path: string): DeviceField<Shown<boolean>> => ({ path, read: shownFlag });
  const read = (value: unknown): Shown<number> => decodeInstant(value, dialect.dateForm);
  const instant = (path: string): DeviceField<Shown<number>> => ({ path, read });
  return {
    id: { path: 'id', read: readId },
    name: { path: 'name', read: shownName },
    vendor: text('vendor'),
    model: text('model'),
    deviceType: text('deviceType'),
    firmwareVersion: text('firmwareVersion'),
    status: text('status'),
    lastSeen: instant('lastSeen'),
    maintenanceMode: flag('maintenanceMode'),
    probe: { path: 'probe', read: (value) => pick(value, ['probe', PROBES, shownText]) },
    available: {
      path: 'availableTask',
      read: (value) => pick(value, ['available', AVAILABLE_TASKS, plainFlag]),
    },
    sites: { path: dialect.deviceSitesField, read: refs.sites },
    sources: { path: dialect.deviceSourcesField, read: refs.sources },
    // Fields that the service added over time; the dialect gives their paths.
    storageServer: text(dialect.storageServerField),
    recordingStatus: text(dialect.recordingStatusField),
    lifeCycle: text(dialect.lifeCycleField),
    passwordExpiresAt: instant(dialect.passwordExpiryField),
    passwordChangedAt: instant(dialect.passwordLastChangedField),
    sslCertificateExpiresAt: instant(dialect.sslCertificateExpiryField),
    // What reports show and no decision uses: vulnerabilities, support, 802.1X, hardening.
    sslCertificateStatus: text(dialect.sslCertificateStatusField),
    dot1xCertificateStatus: text(dialect.dot1xCertificateStatusField),
    vulnerabilitySeverity: text(dialect.vulnerabilitySeverityField),
    patchedFirmwareVersion: text(dialect.patchedFirmwareVersionField),
    suggestedFirmwareVersion: text(dialect.suggestedFirmwareVersionField),
    suggestedReplacementModel: text(dialect.suggestedReplacementModelField),
    supportEndsAt: instant(dialect.supportEndField),
    dot1xCertificateExpiresAt: instant(dialect.dot1xCertificateExpiryField),
    lastHardenedAt: instant(dialect.lastHardenedField),
    orphaned: flag(dialect.orphanedField),
  };
}

export function rowReader(fields: DeviceFields): (row: JsonRow) => ShownDevice {
  const all = Object.entries(fields).map(([name, { path, read }]) => ({
    name,
    valueOf: field(path),
    read,
  }));
  return (row) => {
    const shown: Record<string, unknown> = { ...NOTHING_SHOWN };
    for (const { name, valueOf, read } of all) shown[name] = read(valueOf(row));
    return shown as unknown as ShownDevice;
  };
}

/** The device of these fields. An absent one is left out; one that was not understood is listed. */
export function toDevice(id: string, shown: ShownDevice): Device {
  const device: PartialRow<Device> = {
    id,
    probe: shown.probe.value,
    sites: known(shown.sites) ?? [],
    sources: known(shown.sources) ?? [],
    available: shown.available.value,
  };
  if (!isSafeId(id)) markUnreadable(device, 'id');
  for (const name of shown.probe.unreadable) markUnreadable(device, name);
  for (const name of shown.available.unreadable) markUnreadable(device, name);
  if (shown.sites === UNREADABLE) markUnreadable(device, 'sites');
  if (shown.sources === UNREADABLE) markUnreadable(device, 'sources');
  for (const set of SETTERS) set(device, shown);
  return device;
}

/** Each member by a function of its own: one for all of them takes several times as long, for each device. */
const SETTERS: readonly ((device: PartialRow<Device>, shown: ShownDevice) => void)[] = [
  (device, { name: value }) => isKnown(device, 'name', value) && (device.name = value),
  (device, { vendor: value }) => isKnown(device, 'vendor', value) && (device.vendor = value),
  (device, { model: value }) => isKnown(device, 'model', value) && (device.model = value),
  (device, { deviceType: value }) =>
    isKnown(device, 'deviceType', value) && (device.deviceType = value),
  (device, { firmwareVersion: value }) =>
    isKnown(device, 'firmwareVersion', value) && (device.firmwareVersion = value),
  (device, { status: value }) => isKnown(device, 'status', value) && (device.status = value),
  (device, { lastSeen: value }) => isKnown(device, 'lastSeen', value) && (device.lastSeen = value),
  (device, { maintenanceMode: value }) =>
    isKnown(device, 'maintenanceMode', value) && (device.maintenanceMode = value),
  (device, { storageServer: value }) =>
    isKnown(device, 'storageServer', value) && (device.storageServer = value),
  (device, { recordingStatus: value }) =>
    isKnown(device, 'recordingStatus', value) && (device.recordingStatus = value),
  (device, { lifeCycle: value }) =>
    isKnown(device, 'lifeCycle', value) && (device.lifeCycle = value),
  (device, { passwordExpiresAt: value }) =>
    isKnown(device, 'passwordExpiresAt', value) && (device.passwordExpiresAt = value),
  (device, { passwordChangedAt: value }) =>
    isKnown(device, 'passwordChangedAt', value) && (device.passwordChangedAt = value),
  (device, { sslCertificateExpiresAt: value }) =>
    isKnown(device, 'sslCertificateExpiresAt', value) && (device.sslCertificateExpiresAt = value),
  (device, { sslCertificateStatus: value }) =>
    isKnown(device, 'sslCertificateStatus', value) && (device.sslCertificateStatus = value),
  (device, { dot1xCertificateStatus: value }) =>
    isKnown(device, 'dot1xCertificateStatus', value) && (device.dot1xCertificateStatus = value),
  (device, { vulnerabilitySeverity: value }) =>
    isKnown(device, 'vulnerabilitySeverity', value) && (device.vulnerabilitySeverity = value),
  (device, { patchedFirmwareVersion: value }) =>
    isKnown(device, 'patchedFirmwareVersion', value) && (device.patchedFirmwareVersion = value),
  (device, { suggestedFirmwareVersion: value }) =>
    isKnown(device, 'suggestedFirmwareVersion', value) && (device.suggestedFirmwareVersion = value),
  (device, { suggestedReplacementModel: value }) =>
    isKnown(device, 'suggestedReplacementModel', value) &&
    (device.suggestedReplacementModel = value),
  (device, { supportEndsAt: value }) =>
    isKnown(device, 'supportEndsAt', value) && (device.supportEndsAt = value),
  (device, { dot1xCertificateExpiresAt: value }) =>
    isKnown(device, 'dot1xCertificateExpiresAt', value) &&
    (device.dot1xCertificateExpiresAt = value),
  (device, { lastHardenedAt: value }) =>
    isKnown(device, 'lastHardenedAt', value) && (device.lastHardenedAt = value),
  (device, { orphaned: value }) => isKnown(device, 'orphaned', value) && (device.orphaned = value),
];

/** Whether a value is known; one that was not understood is listed. */
function isKnown<T>(device: PartialRow<Device>, name: string, value: Shown<T>): value is T {
  if (value === UNREADABLE) markUnreadable(device, name);
  return value !== UNREADABLE && value !== undefined;
}

/** An empty ID identifies no device and fits no URL. It does not affect the other rows. */
function readId(value: unknown): string | undefined {
  return value === '' ? value : known(shownId(value));
}

/** The known members. A member that is not understood is listed by its name. */
function pick<K extends string, T>(
  value: unknown,
  [name, names, read]: readonly [string, readonly K[], (value: unknown) => Shown<T>],
): Picked<Partial<Record<K, T>>> {
  const picked: Partial<Record<K, T>> = {};
  const unreadable: string[] = [];
  if (value === undefined || value === null) return { value: picked, unreadable };
  if (!isObject(value)) unreadable.push(name);
  for (const each of names) {
    const found = isObject(value) ? read(member(value, each)) : undefined;
    if (found === UNREADABLE) unreadable.push(`${name}.${each}`);
    else if (found !== undefined) picked[each] = found;
  }
  return { value: picked, unreadable };
}
