import type { Ref } from '../../model/fleet/device.ts';
import type { BudgetScope } from '../../model/documents/budget.ts';
import type { Group } from '../../model/documents/policy.ts';
import type { Column } from '../../model/fleet/snapshot.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { BudgetInput } from './budget-tracker.ts';

/**
 * One set of devices that a budget counts on its own: a site, the devices without one, a group, or
 * the fleet.
 */
export interface BudgetSet {
  /** Id of the site or source, name of the group or recorder. */
  readonly key: string;
  members: number;
  /** The row of the last member that was counted: of the only one in a set of one. */
  last: number;
  down: number;
  inFlight: number;
}

/**
 * Which sets the device in a row is counted in; none where it is in no set of its kind. A device
 * that is not managed yet has no row.
 */
export type SetsOf = (row: number | undefined) => readonly BudgetSet[];

/** What the sets of a fleet depend on. */
export type Divided = Pick<BudgetInput, 'snapshot' | 'members'> & {
  readonly documents: Pick<BudgetInput['documents'], 'groups'>;
};

/** The set of devices whose site cannot be read. */
export const UNKNOWN_SITE = 'unknown';

/** The sets of one kind, before anything is counted in them. */
export function setsPer(scope: BudgetScope, fleet: Divided): SetsOf {
  const { sites, sources, storageServers } = fleet.snapshot.devices;
  switch (scope) {
    case 'fleet':
      return wholeFleet();
    case 'site':
      return byCode(sites, idsOf, [createSet(UNKNOWN_SITE)]);
    case 'deviceSource':
      return byCode(sources, idsOf, []);
    case 'storageServer':
      return byCode(storageServers, (name) => [name], []);
    case 'redundancyGroup':
      return byGroup(fleet);
  }
}

function wholeFleet(): SetsOf {
  const sets = [createSet('fleet')];
  return () => sets;
}

/** Values are kept once in the table, so that the sets of a row are found by its code. */
function byCode<T>(
  { values, codes }: Column<T>,
  keysOf: (value: T) => readonly string[],
  none: readonly BudgetSet[],
): SetsOf {
  const sets = new Map<string, BudgetSet>();
  const setOf = (key: string): BudgetSet => {
    const set = sets.get(key) ?? createSet(key);
    sets.set(key, set);
    return set;
  };
  const setsByCode = values.map((value, code) => {
    const keys = code === 0 ? [] : [...new Set(keysOf(value))];
    return keys.length === 0 ? none : keys.map(setOf);
  });
  return (row) => (row === undefined ? [] : (setsByCode[codes[row] ?? 0] ?? none));
}

function idsOf(refs: readonly Ref[]): readonly string[] {
  return refs.map(({ id }) => id);
}

/** Each group with redundancy, by name; a device may be in several, and the first that is full says so. */
function byGroup(fleet: Divided): SetsOf {
  const byRow = new Map<number, BudgetSet[]>();
  for (const { name, value } of byName(fleet.documents.groups)) {
    if (value.redundancy !== true) continue;
    const set = createSet(name);
    for (const row of rowsOf(value, fleet)) {
      const sets = byRow.get(row) ?? [];
      sets.push(set);
      byRow.set(row, sets);
    }
  }
  return (row) => (row === undefined ? [] : (byRow.get(row) ?? []));
}

function* rowsOf(group: Group, { snapshot: { devices }, members }: Divided): Generator<number> {
  if (group.is === 'devices') {
    const rows = group.devices.map((id) => devices.rowOf(id));
    return yield* new Set(rows.filter((row) => row !== undefined));
  }
  const isMember = members(group.select);
  for (let row = 0; row < devices.length; row++) if (isMember(row)) yield row;
}

function createSet(key: string): BudgetSet {
  return { key, members: 0, last: 0, down: 0, inFlight: 0 };
}

/** In whichever order the files were read. */
function byName(groups: Divided['documents']['groups']): readonly Sourced<Group>[] {
  return [...groups.values()].sort((a, b) => compareTexts(a.name, b.name));
}
