import {
  PROBES,
  type Device,
  type DeviceSource,
  type DiscoveredDevice,
} from '../../model/fleet/device.ts';
import type { Ref, Site } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Collection, Collections } from '../../model/ports.ts';
import { AVAILABLE_TASKS } from '../../model/fleet/task.ts';
import { decodeInstant, UNREADABLE, type Unreadable } from './dates.ts';
import {
  field,
  shownFlag,
  shownId,
  isAbsent,
  isJsonRow,
  known,
  markUnreadable,
  member,
  part,
} from './fields.ts';
import { putShown, shownText, type PartialRow, type JsonRow, type Shown } from './fields.ts';
import { isSafeId } from '../wire.ts';

/** Throws `unexpectedShape` with the path of the unreadable field. */
export type Fail = (name: string) => never;

export type Decoder<T> = (row: JsonRow, fail: Fail) => T;

export type Decoders = { readonly [C in Collection]: Decoder<Collections[C]> };

/**
 * Creates decoders for the rows of the four collections, with the field names of a dialect. Null
 * and empty values are absent, and unknown words are kept. Values that are not understood are
 * listed in `unreadable`. Only the ID must be readable. An ID that no URL can contain is also
 * listed there, so that it does not block other devices.
 */
export function createDecoders(dialect: Dialect): Decoders {
  const names: Names = { sites: new Map(), sources: new Map() };
  return {
    devices: deviceDecoder(dialect, names),
    sites: remembering(decodeSite, names.sites),
    deviceSources: remembering(decodeSource, names.sources),
    discoveredDevices: discoveredDecoder(dialect, names),
  };
}

/**
 * The names from the last lists of sites and sources, by ID, because a device may refer to them by
 * ID alone.
 */
interface Names {
  readonly sites: Map<string, string>;
  readonly sources: Map<string, string>;
}

function remembering<T extends Ref>(decode: Decoder<T>, names: Map<string, string>): Decoder<T> {
  return (row, fail) => {
    const decoded = decode(row, fail);
    if (decoded.name !== undefined) names.set(decoded.id, decoded.name);
    return decoded;
  };
}

function deviceDecoder(dialect: Dialect, names: Names): Decoder<Device> {
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField, names.sites);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField, names.sources);
  const sites = field(dialect.deviceSitesField);
  const sources = field(dialect.deviceSourcesField);
  const putLaterFields = laterFields(dialect);
  return (row, fail) => {
    const device: PartialRow<Device> = {
      id: requiredId(member(row, 'id'), 'id', fail),
      probe: {},
      sites: [],
      sources: [],
      available: {},
    };
    if (!isSafeId(device.id)) markUnreadable(device, 'id');
    putShown(device, 'sites', decodeRefs(sites(row), dialect.deviceSitesForm, siteOf));
    putShown(device, 'sources', decodeRefs(sources(row), dialect.deviceSourcesForm, sourceOf));
    device.probe = pick(device, ['probe', PROBES], [member(row, 'probe'), shownText]);
    const available = member(row, 'availableTask');
    device.available = pick(device, ['available', AVAILABLE_TASKS], [available, shownFlag]);
    putIdentity(device, row);
    putShown(device, 'firmwareVersion', shownText(member(row, 'firmwareVersion')));
    putShown(device, 'status', shownText(member(row, 'status')));
    putShown(device, 'lastSeen', decodeInstant(member(row, 'lastSeen'), dialect.dateForm));
    putShown(device, 'maintenanceMode', shownFlag(member(row, 'maintenanceMode')));
    putLaterFields(device, row);
    return device;
  };
}

/** Fields that the service added over time; the dialect gives their paths. */
function laterFields(dialect: Dialect): (device: PartialRow<Device>, row: JsonRow) => void {
  const storageServer = field(dialect.storageServerField);
  const recordingStatus = field(dialect.recordingStatusField);
  const lifeCycle = field(dialect.lifeCycleField);
  const passwordExpiry = field(dialect.passwordExpiryField);
  const passwordChange = field(dialect.passwordLastChangedField);
  const sslCertificateExpiry = field(dialect.sslCertificateExpiryField);
  const putPosture = postureFields(dialect);
  return (device, row) => {
    putPosture(device, row);
    putShown(device, 'storageServer', shownText(storageServer(row)));
    putShown(device, 'recordingStatus', shownText(recordingStatus(row)));
    putShown(device, 'lifeCycle', shownText(lifeCycle(row)));
    putShown(device, 'passwordExpiresAt', decodeInstant(passwordExpiry(row), dialect.dateForm));
    putShown(device, 'passwordChangedAt', decodeInstant(passwordChange(row), dialect.dateForm));
    putShown(
      device,
      'sslCertificateExpiresAt',
      decodeInstant(sslCertificateExpiry(row), dialect.dateForm),
    );
  };
}

const POSTURE_TEXTS = [
  ['sslCertificateStatus', 'sslCertificateStatusField'],
  ['dot1xCertificateStatus', 'dot1xCertificateStatusField'],
  ['vulnerabilitySeverity', 'vulnerabilitySeverityField'],
  ['patchedFirmwareVersion', 'patchedFirmwareVersionField'],
  ['suggestedFirmwareVersion', 'suggestedFirmwareVersionField'],
  ['suggestedReplacementModel', 'suggestedReplacementModelField'],
] as const;

const POSTURE_INSTANTS = [
  ['supportEndsAt', 'supportEndField'],
  ['dot1xCertificateExpiresAt', 'dot1xCertificateExpiryField'],
  ['lastHardenedAt', 'lastHardenedField'],
] as const;

/** What reports show and no decision uses: vulnerabilities, support, 802.1X, hardening. */
function postureFields(dialect: Dialect): (device: PartialRow<Device>, row: JsonRow) => void {
  const texts = POSTURE_TEXTS.map(([name, key]) => ({ name, read: field(dialect[key]) }));
  const instants = POSTURE_INSTANTS.map(([name, key]) => ({ name, read: field(dialect[key]) }));
  const orphaned = field(dialect.orphanedField);
  return (device, row) => {
    for (const { name, read } of texts) putShown(device, name, shownText(read(row)));
    for (const { name, read } of instants)
      putShown(device, name, decodeInstant(read(row), dialect.dateForm));
    putShown(device, 'orphaned', shownFlag(orphaned(row)));
  };
}

function decodeSite(row: JsonRow, fail: Fail): Site {
  const site: PartialRow<Site> = { id: requiredId(member(row, 'id'), 'id', fail) };
  putShown(site, 'name', shownText(member(row, 'name')));
  putShown(site, 'description', shownText(member(row, 'description')));
  putShown(site, 'status', shownText(member(row, 'status')));
  return site;
}

function decodeSource(row: JsonRow, fail: Fail): DeviceSource {
  const source: PartialRow<DeviceSource> = { id: requiredId(member(row, 'id'), 'id', fail) };
  putShown(source, 'name', shownText(member(row, 'name')));
  putShown(source, 'type', shownText(member(row, 'type')));
  putShown(source, 'version', shownText(member(row, 'version')));
  return source;
}

function discoveredDecoder(dialect: Dialect, names: Names): Decoder<DiscoveredDevice> {
  const idOfRow = field(dialect.discoveredIdField);
  const name = field(dialect.discoveredNameField);
  const model = field(dialect.discoveredModelField);
  const second = field(dialect.onboardSecondField === '' ? '' : dialect.onboardSecondSource);
  const serial = field(dialect.discoveredSerialField);
  const discoveredAt = field(dialect.discoveredTimeField);
  const source = field(dialect.discoveredSourceField);
  const site = field(dialect.discoveredSiteField);
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField, names.sites);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField, names.sources);
  return (row, fail) => {
    const device: PartialRow<DiscoveredDevice> = {
      id: requiredId(idOfRow(row), dialect.discoveredIdField, fail),
    };
    if (!isSafeId(device.id)) markUnreadable(device, 'id');
    const sources = decodeRefs(source(row), dialect.discoveredSourceForm, sourceOf);
    if (sources === UNREADABLE || sources.length > 0) putShown(device, 'sources', sources);
    putShown(device, 'name', shownText(name(row)));
    putShown(device, 'vendor', shownText(member(row, 'vendor')));
    putShown(device, 'model', shownText(model(row)));
    putShown(device, 'deviceType', shownText(member(row, 'deviceType')));
    putShown(device, 'serial', shownId(serial(row)));
    putShown(device, 'onboardingStatus', shownText(member(row, 'onboardingStatus')));
    putShown(device, 'discoveredAt', decodeInstant(discoveredAt(row), dialect.dateForm));
    putShown(device, 'site', siteOf(site(row)));
    putShown(device, 'second', decodeSecondId(second(row)));
    return device;
  };
}

type Identity = Pick<Device, 'name' | 'vendor' | 'model' | 'deviceType' | 'unreadable'>;

function putIdentity(draft: PartialRow<Identity>, row: JsonRow): void {
  putShown(draft, 'name', shownText(member(row, 'name')));
  putShown(draft, 'vendor', shownText(member(row, 'vendor')));
  putShown(draft, 'model', shownText(member(row, 'model')));
  putShown(draft, 'deviceType', shownText(member(row, 'deviceType')));
}

/** An empty ID identifies no device and fits no URL. It does not affect the other rows. */
function requiredId(value: unknown, name: string, fail: Fail): string {
  return value === '' ? value : (known(shownId(value)) ?? fail(name));
}

/** Copies the known members. A member that is not understood is listed by its name. */
function pick<K extends string, T>(
  device: PartialRow<Device>,
  [field, names]: readonly [field: string, names: readonly K[]],
  [value, read]: readonly [value: unknown, read: (value: unknown) => Shown<T>],
): Partial<Record<K, T>> {
  const picked: Partial<Record<K, T>> = {};
  if (value === undefined || value === null) return picked;
  if (!isJsonRow(value)) markUnreadable(device, field);
  for (const name of names) {
    const found = isJsonRow(value) ? read(member(value, name)) : undefined;
    if (found === UNREADABLE) markUnreadable(device, `${field}.${name}`);
    else if (found !== undefined) picked[name] = found;
  }
  return picked;
}

/** A value that fleetform sends back unchanged. */
function decodeSecondId(value: unknown): Shown<string | number> {
  if (isAbsent(value)) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? value : UNREADABLE;
}

/**
 * Reads a list of references or a single reference: an object in any dialect, a bare ID only if the
 * dialect allows it. If one entry is unreadable, the whole field is, because the device may belong
 * to that site or source.
 */
function decodeRefs(
  value: unknown,
  form: 'list' | 'one',
  refOf: (value: unknown) => Shown<Ref>,
): readonly Ref[] | Unreadable {
  if (isAbsent(value)) return [];
  const isOne = isJsonRow(value) || (form === 'one' && !Array.isArray(value));
  if (!isOne && !Array.isArray(value)) return UNREADABLE;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const refs: Ref[] = [];
  for (const entry of list) {
    const ref = refOf(entry);
    if (ref === UNREADABLE) return UNREADABLE;
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

/**
 * Reads a reference: an object with an ID, or the ID itself. A reference without an ID is
 * identified by its name. A missing name comes from the list.
 */
function refReader(
  idPath: string,
  namePath: string,
  names: ReadonlyMap<string, string>,
): (value: unknown) => Shown<Ref> {
  const readId = part(idPath);
  const readName = field(namePath);
  return (value) => {
    if (isAbsent(value)) return undefined;
    const nameGiven = isJsonRow(value) ? shownText(readName(value)) : undefined;
    const id = shownId(isJsonRow(value) ? readId(value) : value) ?? nameGiven;
    if (id === undefined || id === UNREADABLE || nameGiven === UNREADABLE) return UNREADABLE;
    const name = nameGiven ?? names.get(id);
    return name === undefined ? { id } : { id, name };
  };
}
