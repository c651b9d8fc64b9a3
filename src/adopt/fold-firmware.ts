import { compareTexts } from '../lib/text-order.ts';
import { compareVersions, isExactVersion } from '../lib/version-order.ts';
import { findDialectKeys } from '../model/fleet/dialect-keys.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { undecidedBy } from '../model/fleet/unreadable.ts';
import type {
  AdoptedEntry,
  AdoptNotice,
  AdoptSubject,
  WrittenFields,
} from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';
import { isLiteral, selectListed, textAt } from './selectable.ts';
import { siteSelection, type SiteVersions, sitesOfVersions } from './site-versions.ts';

/** Devices of one vendor and model, by the version that they run. */
interface Fold {
  readonly vendor: string | undefined;
  readonly model: string | undefined;
  readonly versions: ReadonlyMap<string, readonly number[]>;
  /** Devices that no policy can hold at a version; a plan would ask a person about them. */
  readonly idle: readonly number[];
}

interface FoldedFirmware {
  readonly entries: readonly AdoptedEntry[];
  readonly notices: readonly AdoptNotice[];
}

/** The existing policy that selects a row, if any. */
export type CoveredBy = (row: number) => string | undefined;

interface FoldInput {
  readonly devices: DeviceTable;
  readonly windows: string;
  readonly coveredBy: CoveredBy;
  readonly names: EntryNames;
  readonly groupNames: EntryNames;
}

/** Above the policy of the model, so that these devices keep their version. */
const PRIORITY = 600;

/**
 * Folds the versions in use into policies: one for each vendor and model at the version that most of
 * its devices run, and one more for each other version. No device is due under them, because each
 * runs the version that its policy wants.
 */
export function foldFirmware(input: FoldInput): FoldedFirmware {
  const { devices, coveredBy, names } = input;
  const entries: AdoptedEntry[] = [];
  const notices = new FoldNotices();
  for (const fold of folds(devices, notices)) {
    const rows = [...[...fold.versions.values()].flat(), ...fold.idle];
    const policy = firstDefined(rows, coveredBy);
    if (policy !== undefined) {
      notices.cover(policy, rows.length);
      continue;
    }
    const name = names.claim(fold.vendor ?? '', fold.model ?? '');
    entries.push(...foldEntries(fold, { ...input, name, notices }));
  }
  return { entries, notices: notices.all() };
}

interface Naming extends FoldInput {
  readonly name: string;
  readonly notices: FoldNotices;
}

function foldEntries(fold: Fold, naming: Naming): readonly AdoptedEntry[] {
  const written = byUse(fold).filter(([version]) => isExactVersion(version));
  const odd = [...fold.versions].filter(([version]) => !isExactVersion(version));
  const inexpressible = odd.flatMap(([, rows]) => rows);
  const oddRows = [...fold.idle, ...inexpressible];
  naming.notices.expressible(inexpressible.length);
  const { vendor, model } = fold;
  const [main, ...others] = written;
  if (!main) return [];
  const entries =
    isLiteral(vendor) && isLiteral(model)
      ? modelEntries({ select: { vendor, model }, main, others, oddRows, fold }, naming)
      : listedEntries(written, naming);
  if (entries) return entries;
  naming.notices.expressible(written.flatMap(([, rows]) => rows).length);
  return [];
}

type InUse = readonly [version: string, rows: readonly number[]];

interface ModelParts {
  readonly select: WrittenFields;
  readonly main: InUse;
  readonly others: readonly InUse[];
  /** Devices that the policy of the model leaves out. */
  readonly oddRows: readonly number[];
  readonly fold: Fold;
}

/** The policy of the model, and above it one for each other version; undefined if a list cannot name a device. */
function modelEntries(
  { select, main, others, oddRows, fold }: ModelParts,
  naming: Naming,
): readonly AdoptedEntry[] | undefined {
  const { devices, name, names, windows, groupNames } = naming;
  const except = selectListed(readIds(devices, oddRows), groupNames, name, 'left', 'out');
  if (oddRows.length > 0 && !except) return undefined;
  const not = except && oddRows.length > 0 ? { not: except.select } : {};
  const sites = others.length === 0 ? undefined : sitesOfVersions(devices, fold.versions);
  const entries: AdoptedEntry[] = [
    ...(oddRows.length > 0 ? (except?.groups ?? []) : []),
    policy(name, { select: { ...select, ...not }, version: main[0], windows }),
  ];
  for (const [version, rows] of others) {
    const own = selectOthers(version, rows, sites, naming);
    if (!own) return undefined;
    const fields = { ...select, ...own.select };
    const other = names.claim(name, version);
    const what = { select: fields, version, priority: PRIORITY, windows };
    entries.push(...own.groups, policy(other, what));
  }
  return entries;
}

function selectOthers(
  version: string,
  rows: readonly number[],
  sites: SiteVersions | undefined,
  { devices, name, groupNames }: Naming,
): ReturnType<typeof selectListed> {
  const site = sites && siteSelection(sites, version, rows);
  if (site) return { select: { site }, groups: [] };
  return selectListed(readIds(devices, rows), groupNames, name, version);
}

/** Policies by lists alone, where no pattern names the vendor and the model. */
function listedEntries(
  written: readonly InUse[],
  { devices, name, names, windows, groupNames }: Naming,
): readonly AdoptedEntry[] | undefined {
  const entries: AdoptedEntry[] = [];
  for (const [version, rows] of written) {
    const listed = selectListed(readIds(devices, rows), groupNames, name, version);
    if (!listed) return undefined;
    const { select, groups } = listed;
    entries.push(...groups, policy(names.claim(name, version), { select, version, windows }));
  }
  return entries;
}

function policy(name: string, fields: WrittenFields): AdoptedEntry {
  return { section: 'firmware', name, fields };
}

/** Most devices first, then the newest. */
function byUse({ vendor, versions }: Fold): readonly InUse[] {
  return [...versions].toSorted(
    ([a, rowsOfA], [b, rowsOfB]) =>
      rowsOfB.length - rowsOfA.length || compareVersions(vendor, b, a) || compareTexts(b, a),
  );
}

function readIds(devices: DeviceTable, rows: readonly number[]): readonly string[] {
  return rows.map((row) => textAt(devices.text.id, row) ?? '');
}

interface Growing extends Omit<Fold, 'versions' | 'idle'> {
  readonly versions: Map<string, number[]>;
  readonly idle: number[];
}

function folds(devices: DeviceTable, notices: FoldNotices): readonly Fold[] {
  const { length, text } = devices;
  const byModel = new Map<string, Growing>();
  for (let row = 0; row < length; row += 1) {
    const [vendor, model] = [textAt(text.vendor, row), textAt(text.model, row)];
    const key = JSON.stringify([vendor ?? null, model ?? null]);
    const fold: Growing = byModel.get(key) ?? { vendor, model, versions: new Map(), idle: [] };
    byModel.set(key, fold);
    const version = textAt(text.firmwareVersion, row);
    if (isIdle(devices, row, notices) || version === undefined) {
      fold.idle.push(row);
      continue;
    }
    const rows = fold.versions.get(version) ?? [];
    rows.push(row);
    fold.versions.set(version, rows);
  }
  return [...byModel].toSorted(([a], [b]) => compareTexts(a, b)).map(([, fold]) => fold);
}

/** Whether a plan could not judge the firmware of a device, and would ask a person; the reason is counted. */
function isIdle(devices: DeviceTable, row: number, notices: FoldNotices): boolean {
  const device = devices.at(row);
  const field = undecidedBy(device, ['firmwareVersion', 'available.upgradeFirmware']);
  if (field !== undefined) notices.leave(field);
  else if (device.firmwareVersion === undefined) notices.unknown += 1;
  else if (device.available.upgradeFirmware !== true) notices.notOffered += 1;
  else return false;
  return true;
}

function firstDefined(rows: readonly number[], find: CoveredBy): string | undefined {
  for (const row of rows) {
    const found = find(row);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A notice for each field that could not be read, with the number of devices. */
export function unreadableFields(
  what: AdoptSubject,
  fields: ReadonlyMap<string, number>,
): readonly AdoptNotice[] {
  const code = 'fieldUnreadable';
  return [...fields].map(([field, devices]) => {
    const key = findDialectKeys(field, 'devices');
    return { code, what, field, devices, ...(key !== undefined && { key }) };
  });
}

/** Counts what is not written, by its reason. */
class FoldNotices {
  unknown = 0;
  notOffered = 0;
  private inexpressible = 0;
  private readonly covered = new Map<string, number>();
  private readonly unreadable = new Map<string, number>();

  leave(field: string): void {
    this.unreadable.set(field, (this.unreadable.get(field) ?? 0) + 1);
  }

  expressible(missing: number): void {
    this.inexpressible += missing;
  }

  cover(policy: string, devices: number): void {
    this.covered.set(policy, (this.covered.get(policy) ?? 0) + devices);
  }

  all(): readonly AdoptNotice[] {
    const what = 'firmware';
    return [
      ...[...this.covered].map(
        ([policy, devices]) => ({ code: 'covered', policy, what, devices }) as const,
      ),
      ...(this.notOffered > 0
        ? [{ code: 'notOffered', what, devices: this.notOffered } as const]
        : []),
      ...unreadableFields(what, this.unreadable),
      ...(this.unknown > 0 ? [{ code: 'versionUnknown', devices: this.unknown } as const] : []),
      ...(this.inexpressible > 0
        ? [{ code: 'notExpressible', what, devices: this.inexpressible } as const]
        : []),
    ];
  }
}
