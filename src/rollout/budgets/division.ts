import type { Ref } from '../../model/fleet/device.ts';
import type { BudgetScope } from '../../model/documents/budget.ts';
import type { DeviceGroup } from '../../model/documents/policy.ts';
import type { Membership } from '../../model/documents/selector.ts';
import type { CodedColumn } from '../../lib/columns.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { addTo, getOrAdd } from '../../lib/maps.ts';
import type { BudgetInput } from './budget-tracker.ts';

/** The counts of the devices of a set. */
export interface SetCounts {
  down: number;
  /** Devices in our hands (semantics N45). */
  inHands: number;
  inFlight: number;
}

/**
 * A set of devices that a budget counts separately: a site, the devices without a site, a group, or
 * the fleet.
 */
export interface BudgetSet extends SetCounts {
  /** ID of the site or source, or name of the group or recorder. */
  readonly key: string;
  members: number;
  /** The row of the last member counted: in a set of one, of its only member. */
  last: number;
  /**
   * A set of devices that may belong to any set of this scope: they add no members here, but count
   * as down.
   */
  readonly open?: BudgetSet;
  /**
   * IDs of members that the documents name and the reading does not show: members that count as
   * down, since the absence of a device from a list starts nothing (semantics B4, protocol I19).
   */
  readonly missing: readonly string[];
}

/**
 * The sets that count the device in a row; none if it is in no set of this scope. A device that is
 * not managed yet has no row.
 */
export type SetsOf = (row: number | undefined) => readonly BudgetSet[];

/** The sets that contain a device, and those that may contain it (semantics D9). */
export interface Sets {
  readonly of: SetsOf;
  readonly perhaps: SetsOf;
}

/** The data that the sets of a fleet depend on. */
export type Divided = Pick<BudgetInput, 'snapshot' | 'members'> & {
  readonly documents: Pick<BudgetInput['documents'], 'groups'>;
};

/** The key of the set of devices whose site cannot be read. */
export const UNKNOWN_SITE = 'unknown';

/** The sets of one scope, with nothing counted in them yet. */
export function setsPer(scope: BudgetScope, fleet: Divided): Sets {
  const { sites, sources, storageServers } = fleet.snapshot.devices;
  const open = createSet('');
  const perhaps = (field: string): SetsOf => openWhere(field, open, fleet);
  switch (scope) {
    case 'fleet': {
      const whole = [createSet('fleet')];
      return { of: () => whole, perhaps: NOWHERE };
    }
    case 'site': {
      const none = [createSet(UNKNOWN_SITE)];
      return { of: byCode(sites, refIds, { none, open }), perhaps: perhaps('sites') };
    }
    case 'deviceSource':
      return { of: byCode(sources, refIds, { none: [], open }), perhaps: perhaps('sources') };
    case 'storageServer': {
      const groups = byCode(storageServers, (name) => [name], { none: [], open });
      return { of: groups, perhaps: perhaps('storageServer') };
    }
    case 'redundancyGroup':
      return byGroup(fleet);
  }
}

const NOWHERE: SetsOf = () => [];

/** Devices whose set is unknown because the field for it was not understood. */
function openWhere(field: string, open: BudgetSet, { snapshot: { devices } }: Divided): SetsOf {
  const { values, codes } = devices.unreadable;
  const setsByCode = values.map((names) => (names.includes(field) ? [open] : []));
  return (row) => (row === undefined ? [] : (setsByCode[codes[row] ?? 0] ?? []));
}

/** The table stores each value once, so the code of a row finds its sets. */
function byCode<T>(
  { values, codes }: CodedColumn<T>,
  keysOf: (value: T) => readonly string[],
  { none, open }: { readonly none: readonly BudgetSet[]; readonly open: BudgetSet },
): SetsOf {
  const sets = new Map<string, BudgetSet>();
  const setOf = (key: string): BudgetSet => {
    return getOrAdd(sets, key, () => ({ ...createSet(key), open }));
  };
  const setsByCode = values.map((value, code) => {
    const keys = code === 0 ? [] : [...new Set(keysOf(value))];
    return keys.length === 0 ? none : keys.map(setOf);
  });
  return (row) => (row === undefined ? [] : (setsByCode[codes[row] ?? 0] ?? none));
}

function refIds(refs: readonly Ref[]): readonly string[] {
  return refs.map(({ id }) => id);
}

/**
 * Each group with redundancy, by name. A device may be in several groups; the first full one
 * refuses.
 */
function byGroup(fleet: Divided): Sets {
  const byRow = new Map<number, BudgetSet[]>();
  const perhapsByRow = new Map<number, BudgetSet[]>();
  for (const { name, value } of byName(fleet.documents.groups)) {
    if (value.redundancy !== true) continue;
    const set = createSet(name, missingMembers(value, fleet));
    for (const [row, isMember] of groupRows(value, fleet)) {
      const rows = isMember === true ? byRow : perhapsByRow;
      addTo(rows, row, set);
    }
  }
  const setsIn =
    (rows: ReadonlyMap<number, readonly BudgetSet[]>): SetsOf =>
    (row) =>
      row === undefined ? [] : (rows.get(row) ?? []);
  return { of: setsIn(byRow), perhaps: setsIn(perhapsByRow) };
}

function* groupRows(
  group: DeviceGroup,
  { snapshot: { devices }, members }: Divided,
): Generator<readonly [row: number, isMember: Membership]> {
  if (group.is === 'devices') {
    for (const row of new Set(group.devices.map((id) => devices.rowOf(id))))
      if (row !== undefined) yield [row, true];
    return;
  }
  const membershipOf = members(group.select);
  for (let row = 0; row < devices.length; row++) {
    const isMember = membershipOf(row);
    if (isMember !== false) yield [row, isMember];
  }
}

function missingMembers(group: DeviceGroup, { snapshot: { devices } }: Divided): readonly string[] {
  if (group.is !== 'devices') return [];
  return [...new Set(group.devices)].filter((id) => devices.rowOf(id) === undefined);
}

function createSet(key: string, missing: readonly string[] = []): BudgetSet {
  const { length } = missing;
  return { key, members: length, last: 0, down: length, inHands: 0, inFlight: 0, missing };
}

/** In order of name, regardless of the order in which the files were read. */
function byName(groups: Divided['documents']['groups']): readonly Sourced<DeviceGroup>[] {
  return [...groups.values()].sort((a, b) => compareTexts(a.name, b.name));
}
