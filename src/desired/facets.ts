import type { Ref } from '../model/fleet/device.ts';
import { once } from '../lib/compute-once.ts';
import { addTo, getOrAdd } from '../lib/maps.ts';
import { internBy } from '../lib/intern.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { CodedColumn } from '../lib/columns.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import {
  UNREAD,
  type DeviceFacets,
  type DeviceColumns,
  type GroupNames,
  type RunningVersion,
} from './clauses.ts';
import { groupRows } from './group-rows.ts';

/** The facets of managed devices, with the tags and groups of the documents. */
export function deviceFacets(
  documents: Pick<Documents, 'sites' | 'groups'>,
  devices: Pick<DeviceTable, keyof DeviceColumns | 'rowOf'>,
): DeviceFacets {
  const ofReading = getOrAdd(
    KNOWN,
    devices.text.id.values,
    () => new WeakMap<object, KnownFacets>(),
  );
  const before = ofReading.get(documents.groups);
  const last = before?.sites === documents.sites ? before.facets : undefined;
  if (last?.rows === devices) return last;
  const ungrouped = ungroupedFacets(documents, devices, last?.known);
  const groups = once(() => groupColumn(documents.groups, devices, ungrouped));
  const facets = { ...ungrouped, groups };
  ofReading.set(documents.groups, { sites: documents.sites, facets });
  return facets;
}

/** The last facets by reading, which its table and its pages share, and by groups: a plan asks for them many times. */
const KNOWN = new WeakMap<object, WeakMap<object, KnownFacets>>();

interface KnownFacets {
  readonly sites: Documents['sites'];
  readonly facets: DeviceFacets;
}

/**
 * Facets without groups, for discovered devices and to find the members of groups, since a group
 * cannot refer to other groups.
 */
export function ungroupedFacets(
  documents: Pick<Documents, 'sites'>,
  rows: DeviceColumns,
  known: DeviceFacets['known'] = [],
): DeviceFacets {
  return {
    rows,
    known,
    tagsOf: (site) => siteTags(documents, site),
    running: once(() => runningColumn(rows)),
    groups: () => ({ values: [NO_GROUPS], codes: new Uint32Array(rows.length) }),
  };
}

/** The tags of a site, which the documents name by name or ID. */
function siteTags({ sites }: Pick<Documents, 'sites'>, { id, name }: Ref): readonly string[] {
  const byName = name === undefined ? undefined : sites.get(name);
  return [...(sites.get(id)?.value.tags ?? []), ...(byName?.value.tags ?? [])];
}

const NO_GROUPS: GroupNames = { held: [], perhaps: [] };

/** The distinct pairs of vendor and version; absent without a version. */
function runningColumn({
  length,
  text: { vendor, firmwareVersion },
  unreadable,
}: DeviceColumns): CodedColumn<RunningVersion> {
  const values: RunningVersion[] = [{ vendor: undefined, version: '' }];
  const known = new Map<number, number>();
  const isUnread = unreadable.values.map((fields) => fields.includes('vendor'));
  const codes = Uint32Array.from({ length }, (_, row) => {
    const isOfNone = isUnread[unreadable.codes[row] ?? 0] === true;
    const maker = isOfNone ? vendor.values.length : (vendor.codes[row] ?? 0);
    const version = firmwareVersion.codes[row] ?? 0;
    if (version === 0) return 0;
    const pair = maker * firmwareVersion.values.length + version;
    const code =
      known.get(pair) ??
      values.push({
        vendor: isOfNone ? UNREAD : textAt(vendor, maker),
        version: textAt(firmwareVersion, version) ?? '',
      }) - 1;
    known.set(pair, code);
    return code;
  });
  return { values, codes };
}

function groupColumn(
  groups: Documents['groups'],
  devices: Pick<DeviceTable, 'length' | 'rowOf'>,
  facets: DeviceFacets,
): CodedColumn<GroupNames> {
  const interned = internBy<GroupNames>(NO_GROUPS, JSON.stringify);
  const names: string[] = [];
  const selectors = [];
  const listed = new Map<number, string[]>();
  for (const [name, { value }] of groups) {
    if (value.is === 'select') {
      names.push(name);
      selectors.push(value.select);
    } else {
      const rows = value.devices.flatMap((id) => devices.rowOf(id) ?? []);
      for (const row of rows) addTo(listed, row, name);
    }
  }
  const grouped = groupRows(selectors, facets);
  const namesOf = (indexes: readonly number[]) => indexes.map((index) => names[index] ?? '');
  const ofSets = grouped.sets.map(({ indexes, unclear }): GroupNames => {
    return { held: namesOf(indexes), perhaps: namesOf(unclear) };
  });
  const codeOf = (all: GroupNames): number =>
    interned.codeOf(all.held.length + all.perhaps.length === 0 ? undefined : all);
  const codeOfSet = ofSets.map(codeOf);
  const codes = grouped.codes.map((set, row) => {
    const more = listed.get(row);
    const { held, perhaps } = ofSets[set] ?? NO_GROUPS;
    return more ? codeOf({ held: [...held, ...more], perhaps }) : (codeOfSet[set] ?? 0);
  });
  return { values: interned.values, codes };
}

function textAt({ values }: CodedColumn<string>, code: number): string | undefined {
  return code === 0 ? undefined : values[code];
}
