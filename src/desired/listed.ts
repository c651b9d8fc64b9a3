import { cellOf } from '../lib/columns.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { addTo } from '../lib/maps.ts';
import { answersTo } from '../kinds/onboard-device.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { ListedDevice } from '../model/documents/policy.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { indexNames } from './near-miss.ts';

/** The current match of an entry in an onboarding list. */
export type ListedMatch =
  | { readonly is: 'discovered'; readonly device: DiscoveredDevice }
  | { readonly is: 'managed'; readonly deviceId: string }
  | { readonly is: 'several'; readonly devices: readonly DiscoveredDevice[] }
  /** `meant`: the value of a discovered device that a key of the entry misses only by upper and lower case. */
  | { readonly is: 'none'; readonly meant?: string | undefined };

/**
 * Creates a function that finds the device of a list entry. All given keys must match; a managed
 * device wins over a discovered one, since it needs no onboarding.
 */
export function createListedFinder(
  discovered: readonly DiscoveredDevice[],
  managed: DeviceTable,
): (entry: ListedDevice) => ListedMatch {
  const byKey: Index = {
    id: listsBy(discovered, ({ id }) => id),
    serial: listsBy(discovered, ({ serial }) => serial),
    name: listsBy(discovered, ({ name }) => name),
  };
  const tell = computeOnce((key: keyof Index) => indexNames(byKey[key].keys()).tellCase);
  const meantBy = (entry: ListedDevice): string | undefined =>
    (['id', 'serial', 'name'] as const)
      .map((key) => entry[key] && tell(key)(entry[key]))
      .find((meant) => meant !== undefined);
  let byName: Lists<number> | undefined;
  return (entry) => {
    if (entry.id !== undefined && managed.rowOf(entry.id) !== undefined)
      return { is: 'managed', deviceId: entry.id };
    const fitting = candidates(entry, byKey).filter((device) => answersTo(entry, device));
    const [device] = fitting;
    if (device && fitting.length === 1 && managed.rowOf(device.id) !== undefined)
      return { is: 'managed', deviceId: device.id };
    if (device)
      return fitting.length === 1
        ? { is: 'discovered', device }
        : { is: 'several', devices: fitting };
    const none = { is: 'none', meant: meantBy(entry) } as const;
    if (entry.id !== undefined || entry.name === undefined) return none;
    byName ??= managedNames(managed);
    return managedAs(entry, managed, byName.get(entry.name) ?? []) ?? none;
  };
}

/** A short text for an entry, in the reviewer's terms: `name=lobby-cam-1, site=HQ Berlin`. */
export function entryText({ id, serial, name, site }: ListedDevice): string {
  return Object.entries({ id, serial, name, site })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
    .join(', ');
}

/** Discovered devices by each key of an entry. */
type Index = Readonly<Record<'id' | 'serial' | 'name', Lists<DiscoveredDevice>>>;
type Lists<T> = ReadonlyMap<string, readonly T[]>;

/** The devices that match the most selective key of an entry. */
function candidates({ id, serial, name }: ListedDevice, index: Index): readonly DiscoveredDevice[] {
  if (id !== undefined) return index.id.get(id) ?? [];
  if (serial !== undefined) return index.serial.get(serial) ?? [];
  return name === undefined ? [] : (index.name.get(name) ?? []);
}

function managedNames({ length, text: { name } }: DeviceTable): Lists<number> {
  const rows = Array.from({ length }, (_, row) => row);
  return listsBy(rows, (row) => cellOf(name, row));
}

/**
 * After onboarding, an entry without an ID is recognized only by its name and site, if these are
 * unique.
 */
function managedAs(
  { site }: ListedDevice,
  managed: DeviceTable,
  rows: readonly number[],
): ListedMatch | undefined {
  const devices = rows
    .map((row) => managed.at(row))
    .filter(
      ({ sites }) =>
        site === undefined || sites.some((ref) => ref.name === site || ref.id === site),
    );
  const [device] = devices;
  return device && devices.length === 1 ? { is: 'managed', deviceId: device.id } : undefined;
}

function listsBy<T>(all: Iterable<T>, keyOf: (value: T) => string | undefined): Lists<T> {
  const lists = new Map<string, T[]>();
  for (const value of all) {
    const key = keyOf(value);
    if (key !== undefined) addTo(lists, key, value);
  }
  return lists;
}
