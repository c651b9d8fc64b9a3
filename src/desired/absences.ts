import { type Diagnostic, error, warning } from '../model/documents/diagnostic.ts';
import { isPattern } from '../lib/glob.ts';
import { cellOf } from '../lib/columns.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { nearest } from '../lib/nearest-name.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { DeviceTable, Snapshot } from '../model/fleet/snapshot.ts';
import { type Sourced, locateValue } from '../model/documents/source.ts';
import type { DeviceFacets } from './clauses.ts';
import { compile, type Selects } from './select.ts';
import {
  isOfOne,
  isOfSome,
  type Protecting,
  type ProtectingInput,
  protectingParts,
  type Selecting,
  selectorsIn,
} from './selecting.ts';
import { unknownNames } from './unknown-names.ts';
import { type IsSaid, writtenNames } from './written-names.ts';
import {
  type ComparedNames,
  discoveredNames,
  indexNames,
  limitComparisons,
  managedNames,
  type NearMiss,
  nearMiss,
  type Shown,
  TEXTS,
} from './near-miss.ts';

/** The input of the search for names without a device or site. */
export interface AbsencesInput extends ProtectingInput {
  readonly snapshot: Snapshot;
  readonly facets: DeviceFacets;
  /** Policies and exceptions that select at least one device. */
  readonly used: ReadonlySet<Sourced<unknown>>;
}

/**
 * Warns about names in documents that the fleet does not show, since absence never acts (semantics
 * D7). Two entries for one site are an error, which only the fleet can reveal.
 */
export function findAbsences(input: AbsencesInput): readonly Diagnostic[] {
  const protecting = protectingParts(input);
  const idle = idleEntries(input);
  const [courtesies, all] = [limitComparisons(), limitComparisons(Infinity)];
  const near = new Map(
    idle.map(({ entry, select, names }) => {
      const comparisons = protecting.select.has(entry) ? all : courtesies;
      return [entry, nearMiss(select, names, comparisons)] as const;
    }),
  );
  // What concerns some policies alone is said of the name, so that it refuses these.
  const isSaid: IsSaid = (entry, part, key) =>
    near.get(entry)?.key === key && !isOfSome(protecting[part].get(entry));
  return [
    ...idleSelectors(idle, near, protecting),
    ...unknownNames({ ...input, protecting, isSaid }),
    ...missedNames(input, protecting, isSaid),
    ...unknownSites(input, protecting),
    ...sitesTwice(input),
    ...unknownDevices(input, protecting),
  ];
}

/**
 * What no device has, or misses one only because of upper and lower case, in what keeps devices from tasks: what is meant
 * is not kept (semantics D7). IDs without a wildcard are in `unknownDevices`.
 */
function missedNames(
  { documents, snapshot, facets }: AbsencesInput,
  protecting: Protecting,
  isSaid: IsSaid,
): readonly Diagnostic[] {
  const [managed, discovered] = [managedNames(facets, snapshot), discoveredNames(snapshot)];
  const shownFor = computeOnce((key: Parameters<ComparedNames>[0]) =>
    indexNames([...managed(key).values, ...discovered(key).values]),
  );
  const courtesies = limitComparisons();
  return keptNames(documents, protecting).flatMap((name) => {
    const { key, written, entry, part, pointer, protector } = name;
    if (isSaid(entry, part, key) || (key === 'device' && !isPattern(written))) return [];
    const meant = shownFor(key).tellCase(written);
    if (meant === undefined && !isGone(name, shownFor(key))) return [];
    const near = meant ?? nearMiss({ [key]: [written] }, shownFor, courtesies)?.meant.suggestion;
    const next = { ...(near && { suggestion: near }), ...(!meant && { list: 'devices' }) };
    const params = { what: WORDS[key] ?? key, written, ...next, ...protector };
    return [error('nameNotShown', locateValue(entry, pointer), params)];
  });
}

/** A vendor or model without another in its list may be written for devices to come. */
function isGone({ key, keys, written, isDue }: KeptName, { isAny }: Shown): boolean {
  if (!isDue || isAny(written)) return false;
  if (key === 'vendor' || key === 'model') return keys[key]?.some(isAny) === true;
  return key === 'name';
}

const WORDS: Readonly<Record<string, string>> = {
  name: 'device',
  deviceType: 'device type',
  firmwareVersion: 'firmware version',
};

/**
 * What is written of devices in what keeps them from tasks, and whether a device must have it. A discovered device comes
 * and goes, so an exception about onboarding alone names some that are not there.
 */
function keptNames(documents: Documents, protecting: Protecting) {
  return writtenNames(documents, ['device', 'firmwareVersion', ...TEXTS]).flatMap((name) => {
    const { section, entry, part, written } = name;
    const protector = protecting[part].get(entry);
    if (!protector) return [];
    const { tasks } =
      (section === 'exceptions' && documents.exceptions.get(entry.name)?.value) || {};
    const isAwaited = tasks?.every((task) => task === TASK_OF.onboarding) === true;
    return [{ ...name, protector, isDue: !isAwaited && isOfOne(written, protector) }];
  });
}

type KeptName = ReturnType<typeof keptNames>[number];

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
    if (section === 'rollouts') return false;
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
    const protector = protecting.select.get(entry);
    const finding = miss && protector && !isOfSome(protector) ? error : warning;
    const params = { policy: address, ...miss?.meant };
    return finding('selectsNothing', locateValue(entry, pointer), params);
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
      return (protector ? error : warning)('siteUnknown', locateValue(entry, ''), {
        name: entry.name,
        ...(suggestion !== undefined && { suggestion }),
        ...protector,
      });
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

/**
 * IDs that groups list, or what keeps devices from tasks has, and the service does not return. One that is another in the
 * wrong case, or the name of a device, keeps no device from tasks, so it is an error there (semantics D7).
 */
function unknownDevices(
  { documents, snapshot: { devices, discovered } }: AbsencesInput,
  protecting: Protecting,
): readonly Diagnostic[] {
  const listed = [...documents.groups.values()].flatMap((entry) => {
    const written = entry.value.is === 'devices' ? entry.value.devices : [];
    const protector = protecting.select.get(entry);
    return written.map((id, at) => ({ written: id, entry, pointer: `/devices/${at}`, protector }));
  });
  const kept = keptNames(documents, protecting).filter(({ key }) => key === 'device');
  const found = new Set(discovered.map(({ id }) => id));
  const missing = [...listed, ...kept].filter(
    ({ written }) =>
      !isPattern(written) && devices.rowOf(written) === undefined && !found.has(written),
  );
  if (missing.length === 0) return [];
  const idByName = idsNamed(new Set(missing.map(({ written }) => written)), devices);
  const ids = indexNames(devices.text.id.values);
  return missing.map(({ written: device, entry, pointer, protector }) => {
    const suggestion = idByName.get(device) ?? ids.tellCase(device);
    const at = locateValue(entry, pointer);
    if (suggestion === undefined) return warning('deviceUnknown', at, { device });
    const params = { device, suggestion, ...protector };
    return (protector ? error : warning)('deviceUnknown', at, params);
  });
}

function idsNamed(
  names: ReadonlySet<string>,
  { length, text, idAt }: DeviceTable,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (names.size === 0) return found;
  for (let row = 0; row < length; row++) {
    const name = cellOf(text.name, row) ?? '';
    if (names.has(name) && !found.has(name)) found.set(name, idAt(row));
  }
  return found;
}
