import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { nearest } from '../lib/nearest-name.ts';
import type { Documents, Exception } from '../model/documents/policy.ts';
import type { DeviceTable, Snapshot } from '../model/fleet/snapshot.ts';
import { type Sourced, locateValue } from '../model/documents/source.ts';
import type { Instant } from '../lib/time.ts';
import type { DeviceFacets } from './clauses.ts';
import { compile, type Selects } from './select.ts';
import {
  keysOf,
  PARTS,
  POINTERS,
  type Protecting,
  protectingParts,
  type Selecting,
  selectorsIn,
} from './selecting.ts';
import { unknownNames } from './unknown-names.ts';
import {
  type ComparedNames,
  discoveredNames,
  limitComparisons,
  managedNames,
  MOST_COMPARED,
  type NearMiss,
  nearMiss,
} from './near-miss.ts';

/** The input of the search for names without a device or site. */
export interface AbsencesInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  /** The unexpired exceptions. */
  readonly exceptions: readonly Sourced<Exception>[];
  readonly facets: DeviceFacets;
  /** Policies and exceptions that select at least one device. */
  readonly used: ReadonlySet<Sourced<unknown>>;
  readonly now: Instant;
}

/**
 * Warns about names in documents that the fleet does not show, since absence never acts (semantics
 * D7). Two entries for one site are an error, which only the fleet can reveal.
 */
export function findAbsences(input: AbsencesInput): readonly Diagnostic[] {
  const protecting = protectingParts(input);
  const idle = idleEntries(input);
  const comparisons = limitComparisons(MOST_COMPARED);
  const near = new Map(
    idle.map(({ entry, select, names }) => [entry, nearMiss(select, names, comparisons)] as const),
  );
  return [
    ...idleSelectors(idle, near, protecting),
    ...unknownNames({ ...input, protecting, saidOf: (entry) => near.get(entry)?.key }),
    ...unprotected(input, protecting),
    ...unknownSites(input, protecting),
    ...sitesTwice(input),
    ...unknownDevices(input),
  ];
}

/**
 * IDs in what keeps devices from tasks that the service does not manage: an error where only their case is wrong, since the
 * device that is meant is not kept (semantics D7).
 */
function unprotected(
  { documents, snapshot: { devices, discovered } }: AbsencesInput,
  protecting: Protecting,
): readonly Diagnostic[] {
  const found = new Set(discovered.map(({ id }) => id));
  const missing = selectorsIn(documents).flatMap((selecting) =>
    PARTS.flatMap((part) => {
      const protector = protecting[part].get(selecting.entry);
      const { device = [] } = protector ? keysOf(selecting, part) : {};
      const at = locateValue(selecting.entry, `${POINTERS[part]}/device`);
      return device
        .filter((id) => !/[*?]/.test(id) && devices.rowOf(id) === undefined && !found.has(id))
        .map((id) => ({ device: id, protector, at }));
    }),
  );
  if (missing.length === 0) return [];
  const byCase = new Map(devices.text.id.values.map((id) => [id.toLowerCase(), id]));
  return missing.map(({ device, protector, at }) => {
    const suggestion = byCase.get(device.toLowerCase());
    if (suggestion === undefined)
      return { code: 'deviceUnknown', severity: 'warning', at, params: { device } };
    return {
      code: 'deviceUnknown',
      severity: 'error',
      at,
      params: { device, suggestion, ...protector },
    };
  });
}

/** Entries whose selector matches no device. */
function idleEntries(input: AbsencesInput): readonly Idle[] {
  const { documents, snapshot, exceptions, facets, used } = input;
  const inhabited = new Set(
    facets.groups().values.flatMap(({ held, perhaps }) => [...held, ...perhaps]),
  );
  const names = { managed: managedNames(facets, snapshot), discovered: discoveredNames(snapshot) };
  const unexpired = new Set<Sourced<unknown>>(exceptions);
  const isIdle = ({ section, entry, select }: Selecting): boolean => {
    if (section === 'groups') return !inhabited.has(entry.name);
    if (section === 'budgets' || section === 'freezes')
      return !selectsAny(compile(select, facets), facets);
    return !used.has(entry) && (section !== 'exceptions' || unexpired.has(entry));
  };
  return selectorsIn(documents)
    .filter(isIdle)
    .map((selecting) => ({
      ...selecting,
      names: selecting.section === 'onboarding' ? names.discovered : names.managed,
    }));
}

function idleSelectors(
  idle: readonly Idle[],
  near: ReadonlyMap<Sourced<unknown>, NearMiss | undefined>,
  protecting: Protecting,
): readonly Diagnostic[] {
  return idle.map(({ address, entry }) => {
    const miss = near.get(entry);
    const pointer = miss === undefined ? '/select' : `/select/${miss.key}`;
    const found = warning('selectsNothing', [entry, pointer], { policy: address, ...miss?.meant });
    return miss && protecting.select.has(entry) ? { ...found, severity: 'error' } : found;
  });
}

/** An entry that selects nothing, and what it could match. */
type Idle = Selecting & { readonly names: ComparedNames };

function selectsAny(selects: Selects, { rows }: DeviceFacets): boolean {
  for (let row = 0; row < rows.length; row++) if (selects(row) !== false) return true;
  return false;
}

/** Names of sites that neither the list of sites nor any device shows. */
function unknownSites(
  { documents, snapshot }: AbsencesInput,
  { tags }: Protecting,
): readonly Diagnostic[] {
  const refs = [...snapshot.sites, ...snapshot.devices.sites.values.flat()];
  const names = new Set(refs.flatMap(({ name }) => name ?? []));
  const ids = new Set(refs.map(({ id }) => id));
  return [...documents.sites.values()]
    .filter(({ name }) => !names.has(name) && !ids.has(name))
    .map((entry) => {
      const suggestion = nearest(entry.name, names);
      const protector = tags.get(entry);
      const found = warning('siteUnknown', [entry, ''], {
        name: entry.name,
        ...(suggestion !== undefined && { suggestion }),
        ...protector,
      });
      return protector === undefined ? found : { ...found, severity: 'error' };
    });
}

/** A site that has one entry by name and one by ID, so that its zone and tags are ambiguous. */
function sitesTwice({ documents: { sites }, snapshot }: AbsencesInput): readonly Diagnostic[] {
  return snapshot.sites.flatMap(({ id, name }): readonly Diagnostic[] => {
    const [byId, byName] = [sites.get(id), name === undefined ? undefined : sites.get(name)];
    if (!byId || !byName || byId === byName) return [];
    const [at, related] = [locateValue(byId, ''), [locateValue(byName, '')]];
    const params = { site: byName.name, id: byId.name };
    return [{ code: 'siteTwice', severity: 'error', at, params, related }];
  });
}

/** A group lists IDs. If an entry is the name of a device, the warning suggests its ID. */
function unknownDevices({ documents, snapshot }: AbsencesInput): readonly Diagnostic[] {
  const unknown = [...documents.groups.values()].flatMap((entry) =>
    entry.value.is === 'devices'
      ? entry.value.devices.map((device, index) => ({ entry, device, index }))
      : [],
  );
  const missing = unknown.filter(({ device }) => snapshot.devices.rowOf(device) === undefined);
  const idByName = idsNamed(new Set(missing.map(({ device }) => device)), snapshot.devices);
  return missing.map(({ entry, device, index }) => {
    const suggestion = idByName.get(device);
    return warning('deviceUnknown', [entry, `/devices/${index}`], {
      device,
      ...(suggestion !== undefined && { suggestion }),
    });
  });
}

function idsNamed(
  names: ReadonlySet<string>,
  { length, text }: DeviceTable,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (names.size === 0) return found;
  for (let row = 0; row < length; row++) {
    const name = text.name.values[text.name.codes[row] ?? 0] ?? '';
    const id = text.id.values[text.id.codes[row] ?? 0] ?? '';
    if (names.has(name) && !found.has(name)) found.set(name, id);
  }
  return found;
}

function warning(
  code: Diagnostic['code'],
  [entry, pointer]: readonly [Sourced<unknown>, string],
  params: Diagnostic['params'],
): Diagnostic {
  return { code, severity: 'warning', at: locateValue(entry, pointer), params };
}
