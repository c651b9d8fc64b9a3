import { PROBES, type Device, type DeviceSource, type DiscoveredDevice } from '../model/device.ts';
import type { Ref, Site } from '../model/device.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Collection, Collections } from '../model/ports.ts';
import { AVAILABLE_TASKS } from '../model/task.ts';
import { field, flagOf, idOf, instantOf, isRow, member, part, put, textOf } from './fields.ts';
import type { Draft, Row } from './fields.ts';

/** Says that a field of a row cannot be read, by throwing `unexpectedShape` with its place. */
export type Fail = (name: string) => never;

export type Decoder<T> = (row: Row, fail: Fail) => T;

export type Decoders = { readonly [C in Collection]: Decoder<Collections[C]> };

/**
 * Rows of the four collections as the model has them, by the names of a dialect. What is
 * absent, null or of an odd type is absent, and words that nobody knows survive; only an id,
 * and whether somebody works on a device, must be readable.
 */
export function createDecoders(dialect: Dialect): Decoders {
  return {
    devices: deviceDecoder(dialect),
    sites: decodeSite,
    deviceSources: decodeSource,
    discoveredDevices: discoveredDecoder(dialect),
  };
}

function deviceDecoder(dialect: Dialect): Decoder<Device> {
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField);
  const sites = field(dialect.deviceSitesField);
  const sources = field(dialect.deviceSourcesField);
  const putLaterFields = laterFields(dialect);
  return (row, fail) => {
    const device: Draft<Device> = {
      id: requiredId(row, 'id', fail),
      probe: pick(PROBES, member(row, 'probe'), textOf),
      sites: refsOf(sites(row), dialect.deviceSitesForm, siteOf),
      sources: refsOf(sources(row), dialect.deviceSourcesForm, sourceOf),
      available: pick(AVAILABLE_TASKS, member(row, 'availableTask'), flagOf),
    };
    putIdentity(device, row);
    put(device, 'firmwareVersion', textOf(member(row, 'firmwareVersion')));
    put(device, 'status', textOf(member(row, 'status')));
    put(device, 'lastSeen', instantOf(member(row, 'lastSeen'), dialect.dateForm));
    put(device, 'maintenanceMode', maintenanceOf(row, fail));
    putLaterFields(device, row);
    return device;
  };
}

/** Fields that the service added over time; where they are is the dialect's to say. */
function laterFields(dialect: Dialect): (device: Draft<Device>, row: Row) => void {
  const storageServer = field(dialect.storageServerField);
  const recordingStatus = field(dialect.recordingStatusField);
  const lifeCycle = field(dialect.lifeCycleField);
  const passwordExpiry = field(dialect.passwordExpiryField);
  const passwordChange = field(dialect.passwordLastChangedField);
  const sslCertificateExpiry = field(dialect.sslCertificateExpiryField);
  return (device, row) => {
    put(device, 'storageServer', textOf(storageServer(row)));
    put(device, 'recordingStatus', textOf(recordingStatus(row)));
    put(device, 'lifeCycle', textOf(lifeCycle(row)));
    put(device, 'passwordExpiresAt', instantOf(passwordExpiry(row), dialect.dateForm));
    put(device, 'passwordChangedAt', instantOf(passwordChange(row), dialect.dateForm));
    put(device, 'sslCertificateExpiresAt', instantOf(sslCertificateExpiry(row), dialect.dateForm));
  };
}

function decodeSite(row: Row, fail: Fail): Site {
  const site: Draft<Site> = { id: requiredId(row, 'id', fail) };
  put(site, 'name', textOf(member(row, 'name')));
  put(site, 'description', textOf(member(row, 'description')));
  put(site, 'status', textOf(member(row, 'status')));
  return site;
}

function decodeSource(row: Row, fail: Fail): DeviceSource {
  const source: Draft<DeviceSource> = { id: requiredId(row, 'id', fail) };
  put(source, 'name', textOf(member(row, 'name')));
  put(source, 'type', textOf(member(row, 'type')));
  put(source, 'version', textOf(member(row, 'version')));
  return source;
}

function discoveredDecoder(dialect: Dialect): Decoder<DiscoveredDevice> {
  const idOfRow = field(dialect.discoveredIdField);
  const name = field(dialect.discoveredNameField);
  const model = field(dialect.discoveredModelField);
  const second = field(dialect.onboardSecondField === '' ? '' : dialect.onboardSecondSource);
  const serial = field(dialect.discoveredSerialField);
  const discoveredAt = field(dialect.discoveredTimeField);
  const source = field(dialect.discoveredSourceField);
  const site = field(dialect.discoveredSiteField);
  const siteOf = refReader(dialect.siteIdField, dialect.siteNameField);
  const sourceOf = refReader(dialect.sourceIdField, dialect.sourceNameField);
  return (row, fail) => {
    const device: Draft<DiscoveredDevice> = {
      id: idOf(idOfRow(row)) ?? fail(dialect.discoveredIdField),
    };
    const sources = refsOf(source(row), dialect.discoveredSourceForm, sourceOf);
    if (sources.length > 0) device.sources = sources;
    put(device, 'name', textOf(name(row)));
    put(device, 'vendor', textOf(member(row, 'vendor')));
    put(device, 'model', textOf(model(row)));
    put(device, 'deviceType', textOf(member(row, 'deviceType')));
    put(device, 'serial', idOf(serial(row)));
    put(device, 'onboardingStatus', textOf(member(row, 'onboardingStatus')));
    put(device, 'discoveredAt', instantOf(discoveredAt(row), dialect.dateForm));
    put(device, 'site', siteOf(site(row)));
    put(device, 'second', secondOf(second(row)));
    return device;
  };
}

type Identity = Pick<Device, 'name' | 'vendor' | 'model' | 'deviceType'>;

function putIdentity(draft: Draft<Identity>, row: Row): void {
  put(draft, 'name', textOf(member(row, 'name')));
  put(draft, 'vendor', textOf(member(row, 'vendor')));
  put(draft, 'model', textOf(member(row, 'model')));
  put(draft, 'deviceType', textOf(member(row, 'deviceType')));
}

function requiredId(row: Row, name: string, fail: Fail): string {
  return idOf(member(row, name)) ?? fail(name);
}

/**
 * Absent means no; anything that is neither could mean that somebody works there, so it is not
 * guessed.
 */
function maintenanceOf(row: Row, fail: Fail): boolean | undefined {
  const value = member(row, 'maintenanceMode');
  if (value === undefined || value === null) return undefined;
  return flagOf(value) ?? fail('maintenanceMode');
}

/** The members that we know, where they are readable. */
function pick<K extends string, T>(
  names: readonly K[],
  value: unknown,
  read: (value: unknown) => T | undefined,
): Partial<Record<K, T>> {
  const picked: Partial<Record<K, T>> = {};
  if (!isRow(value)) return picked;
  for (const name of names) {
    const found = read(member(value, name));
    if (found !== undefined) picked[name] = found;
  }
  return picked;
}

/** A value of an entry that is sent back as it came. */
function secondOf(value: unknown): string | number | undefined {
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

/** A list, or one alone: an object always, a bare id where the dialect says so. */
function refsOf(
  value: unknown,
  form: 'list' | 'one',
  refOf: (value: unknown) => Ref | undefined,
): readonly Ref[] {
  const isOne = isRow(value) || (form === 'one' && !Array.isArray(value));
  const list: readonly unknown[] = isOne ? [value] : Array.isArray(value) ? value : [];
  return list.map(refOf).filter((ref) => ref !== undefined);
}

/**
 * A reference as an object with an id, or the id itself. One that has a name alone is known by
 * its name.
 */
function refReader(idPath: string, namePath: string): (value: unknown) => Ref | undefined {
  const readId = part(idPath);
  const readName = field(namePath);
  return (value) => {
    const name = isRow(value) ? textOf(readName(value)) : undefined;
    const id = idOf(isRow(value) ? readId(value) : value) ?? name;
    if (id === undefined) return undefined;
    return name === undefined ? { id } : { id, name };
  };
}
