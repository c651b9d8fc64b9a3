import type { Ref } from '../model/fleet/device.ts';
import { internBy } from '../lib/intern.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { CodedColumn, DeviceTable } from '../model/fleet/snapshot.ts';
import type { DeviceFacets, DeviceColumns, RunningVersion } from './clauses.ts';
import { createMatcher } from './matcher.ts';

/** The facets of managed devices, with the tags and groups of the documents. */
export function deviceFacets(
  documents: Pick<Documents, 'sites' | 'groups'>,
  devices: Pick<DeviceTable, keyof DeviceColumns | 'rowOf'>,
): DeviceFacets {
  const ungrouped = ungroupedFacets(documents, devices);
  const groups = once(() => groupColumn(documents.groups, devices, ungrouped));
  return { ...ungrouped, groups };
}

/**
 * Facets without groups, for discovered devices and to find the members of groups, since a group
 * cannot refer to other groups.
 */
export function ungroupedFacets(
  documents: Pick<Documents, 'sites'>,
  rows: DeviceColumns,
): DeviceFacets {
  return {
    rows,
    tagsOf: (site) => siteTags(documents, site),
    running: once(() => runningColumn(rows)),
    groups: () => ({ values: [[]], codes: new Uint32Array(rows.length) }),
  };
}

/** The tags of a site, which the documents name by name or ID. */
function siteTags({ sites }: Pick<Documents, 'sites'>, { id, name }: Ref): readonly string[] {
  const byName = name === undefined ? undefined : sites.get(name);
  return [...(sites.get(id)?.value.tags ?? []), ...(byName?.value.tags ?? [])];
}

/** The distinct pairs of vendor and version; absent without a version. */
function runningColumn({
  length,
  text: { vendor, firmwareVersion },
}: DeviceColumns): CodedColumn<RunningVersion> {
  const interned = internBy<RunningVersion>({ vendor: undefined, version: '' }, (pair) =>
    JSON.stringify([pair.vendor, pair.version]),
  );
  return column(interned, length, (row) => {
    const version = textAt(firmwareVersion, row);
    return version === undefined ? undefined : { vendor: textAt(vendor, row), version };
  });
}

function groupColumn(
  groups: Documents['groups'],
  devices: Pick<DeviceTable, 'length' | 'rowOf'>,
  facets: DeviceFacets,
): CodedColumn<readonly string[]> {
  const interned = internBy<readonly string[]>([], (names) => names.join('\n'));
  const names: string[] = [];
  const selectors = [];
  const listed = new Map<number, string[]>();
  for (const [name, { value }] of groups) {
    if (value.is === 'select') {
      names.push(name);
      selectors.push(value.select);
    } else {
      for (const id of value.devices) addTo(listed, devices.rowOf(id), name);
    }
  }
  const match = createMatcher(selectors, facets);
  return column(interned, devices.length, (row) => {
    const found = match(row).map((index) => names[index] ?? '');
    const all = [...found, ...(listed.get(row) ?? [])];
    return all.length === 0 ? undefined : all;
  });
}

function addTo(lists: Map<number, string[]>, row: number | undefined, name: string): void {
  if (row !== undefined) lists.set(row, [...(lists.get(row) ?? []), name]);
}

function column<T>(
  interned: ReturnType<typeof internBy<T>>,
  length: number,
  valueAt: (row: number) => T | undefined,
): CodedColumn<T> {
  const codes = new Uint32Array(length);
  for (let row = 0; row < length; row++) codes[row] = interned.codeOf(valueAt(row));
  return { values: interned.values, codes };
}

function textAt({ values, codes }: CodedColumn<string>, row: number): string | undefined {
  const code = codes[row] ?? 0;
  return code === 0 ? undefined : values[code];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
