import { createDecoders } from '../../api/decode/decode.ts';
import { nested, type JsonRow } from '../../api/decode/fields.ts';
import type { WrittenSelector } from '../../config/selector-flag.ts';
import { compileSelector } from '../../desired/select.ts';
import { formatInstant } from '../../lib/time.ts';
import { createTable } from '../../live/device-table.ts';
import { WorldError, usage } from '../../model/error.ts';
import {
  type Device,
  DEVICE_FIELD_NAMES,
  DEVICE,
  type DeviceField,
  type DeviceFieldName,
  type DiscoveredDevice,
  type Ref,
} from '../../model/fleet/device.ts';
import { resolveDialect, type Dialect } from '../../model/fleet/dialect.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Collection, Pass, ServiceFilter } from '../../model/ports.ts';
import { isAbsenceSure } from '../../plan/observe/listings.ts';
import { asDevice } from '../../plan/decide/decision-input.ts';

export type ListName = Collection | 'firmwarePaths';

type Pages = AsyncGenerator<readonly JsonRow[], Pass>;

/** Where the rows of a list come from: the service, or a saved snapshot. */
export interface ListSource {
  readonly dialect: Dialect;
  listRaw(list: ListName, filter?: ServiceFilter): Pages;
}

/**
 * The rows of a saved snapshot, under the names of the default dialect, and under ours what that dialect has no place
 * for. A snapshot has only the fields that fleetform reads.
 */
export function snapshotSource(snapshot: Snapshot): ListSource {
  const assumed = resolveDialect();
  const placeless = DEVICE_FIELD_NAMES.flatMap((name) => {
    const { key }: DeviceField = DEVICE[name];
    return key !== undefined && assumed[key] === '' ? [[key, name] as const] : [];
  });
  const dialect = { ...assumed, ...Object.fromEntries(placeless) };
  const { devices, sites, sources, discovered } = snapshot;
  const rowsIn: Readonly<Record<Collection, () => JsonRow[]>> = {
    devices: () =>
      Array.from({ length: devices.length }, (_, row) => deviceRow(devices.at(row), dialect)),
    sites: () => sites.map((site) => withoutUnreadable(site)),
    deviceSources: () => sources.map((source) => withoutUnreadable(source)),
    discoveredDevices: () => discovered.map((device) => discoveredRow(device, dialect)),
  };
  return {
    dialect,
    async *listRaw(list) {
      if (list === 'firmwarePaths') throw usage('A snapshot has no firmware-paths');
      if (
        list === 'discoveredDevices' &&
        discovered.length === 0 &&
        !isAbsenceSure(snapshot.discoveredConfidence)
      )
        throw usage(
          'This snapshot has no list of discovered devices; omit --snapshot to read it from the service',
        );
      const rows = rowsIn[list]();
      yield await Promise.resolve(rows);
      return { total: rows.length, rows: rows.length, pages: 1 };
    },
  };
}

/**
 * The rows of a list that a selector selects. All rows are read first, since a selector is compiled
 * for a whole fleet; sites and sources too, since a device may name them by ID alone.
 * @param onUnclear receives the IDs of devices of which it is unclear whether it selects them (semantics M20)
 */
export async function* selectedRows(
  source: ListSource,
  list: 'devices' | 'discoveredDevices',
  { selector, documents, filter }: WrittenSelector & { readonly filter: ServiceFilter },
  onUnclear: (ids: readonly string[]) => void,
): Pages {
  const decoders = createDecoders(source.dialect);
  for (const names of ['sites', 'deviceSources'] as const) {
    const rows = await allRows(source.listRaw(names));
    for (const row of rows.rows) decoders[names](row, failIn(names));
  }
  const { rows, pass } = await allRows(source.listRaw(list, filter));
  const decode = (row: JsonRow): Device =>
    list === 'devices'
      ? decoders.devices(row, failIn(list))
      : asDevice(decoders.discoveredDevices(row, failIn(list)));
  const devices = createTable(rows.map(decode));
  const selects = compileSelector(selector, { documents, snapshot: { devices } });
  const isSelected = (row: JsonRow): boolean => {
    const at = devices.rowOf(decode(row).id);
    return at !== undefined && selects(at) === true;
  };
  const unclear = Array.from({ length: devices.length }, (_, row) => row)
    .filter((row) => selects(row) === 'maybe')
    .map((row) => devices.at(row).id);
  if (unclear.length > 0) onUnclear(unclear);
  yield rows.filter(isSelected);
  return pass;
}

async function allRows(pages: Pages) {
  const rows: JsonRow[] = [];
  let step = await pages.next();
  for (; !step.done; step = await pages.next()) rows.push(...step.value);
  return { rows, pass: step.value };
}

function failIn(list: Collection): (name: string) => never {
  return (name) => {
    throw new WorldError('unexpectedShape', { path: list, at: name });
  };
}

/** The row of a device as the default dialect has it, each field at its place. */
function deviceRow(device: Device, dialect: Dialect): JsonRow {
  return nestedRow(
    DEVICE_FIELD_NAMES.map((name) => {
      const { at = '', key }: DeviceField = DEVICE[name];
      return [key ? String(dialect[key]) : at, shownValue(device, name, dialect)];
    }),
  );
}

function shownValue(device: Device, name: DeviceFieldName, dialect: Dialect): unknown {
  if (name === 'sites') return device.sites.map((site) => refRow(site, dialect, 'site'));
  if (name === 'sources') return device.sources.map((source) => refRow(source, dialect, 'source'));
  const value = device[name];
  return DEVICE[name].type === 'instant' ? instant(value as number | undefined) : value;
}

function discoveredRow(device: DiscoveredDevice, dialect: Dialect): JsonRow {
  const { id, name, serial, vendor, model, deviceType, onboardingStatus } = device;
  const { discoveredAt, site, sources = [] } = device;
  return nestedRow([
    [dialect.discoveredIdField, id],
    [dialect.discoveredNameField, name],
    ['vendor', vendor],
    [dialect.discoveredModelField, model],
    ['deviceType', deviceType],
    ['onboardingStatus', onboardingStatus],
    [dialect.discoveredSerialField, serial],
    [dialect.discoveredTimeField, instant(discoveredAt)],
    [dialect.discoveredSiteField, site && refRow(site, dialect, 'site')],
    [dialect.discoveredSourceField, sources.map((source) => refRow(source, dialect, 'source'))],
  ]);
}

function refRow({ id, name }: Ref, dialect: Dialect, what: 'site' | 'source'): JsonRow {
  return nestedRow([
    [what === 'site' ? dialect.siteIdField : dialect.sourceIdField, id],
    [what === 'site' ? dialect.siteNameField : dialect.sourceNameField, name],
  ]);
}

/** Without the fields that the dialect does not have, and without absent values. */
function nestedRow(members: readonly (readonly [path: string, value: unknown])[]): JsonRow {
  return nested(members.filter(([path, value]) => path !== '' && value !== undefined));
}

function instant(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatInstant(value);
}

function withoutUnreadable<T extends { readonly unreadable?: readonly string[] }>(
  row: T,
): Omit<T, 'unreadable'> {
  const { unreadable: _, ...known } = row;
  return known;
}
