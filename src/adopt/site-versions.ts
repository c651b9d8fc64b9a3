import { compareTexts } from '../lib/text-order.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import type { WrittenValue } from '../model/report/adoption.ts';
import { isLiteral } from './selectable.ts';

/** Which versions of one model run where, by every text that a selector of sites matches. */
export interface SiteVersions {
  readonly at: ReadonlyMap<string, ReadonlySet<string>>;
  siteTexts(row: number): readonly string[];
}

/** With fewer devices a list is shorter, and says no more than it must. */
const LEAST_DEVICES = 5;
const DEVICES_PER_SITE = 3;

export function sitesOfVersions(
  { sites: { values, codes } }: DeviceTable,
  versions: ReadonlyMap<string, readonly number[]>,
): SiteVersions {
  const siteTexts = (row: number): readonly string[] => {
    const code = codes[row] ?? 0;
    const refs = code === 0 ? [] : (values[code] ?? []);
    return refs.flatMap(({ id, name }) => (name === undefined ? [id] : [name, id]));
  };
  const at = new Map<string, Set<string>>();
  for (const [version, rows] of versions)
    for (const text of rows.flatMap(siteTexts))
      at.set(text, (at.get(text) ?? new Set()).add(version));
  return { at, siteTexts };
}

/**
 * The sites that tell the devices of a version from the others of their model, by name, else by ID;
 * undefined if sites do not, or if a list of devices is as short.
 */
export function siteSelection(
  { at, siteTexts }: SiteVersions,
  version: string,
  rows: readonly number[],
): WrittenValue | undefined {
  if (rows.length < LEAST_DEVICES) return undefined;
  const chosen = new Set<string>();
  for (const row of rows) {
    const text = siteTexts(row).find(
      (each) => isLiteral(each) && at.get(each)?.size === 1 && at.get(each)?.has(version) === true,
    );
    if (text === undefined) return undefined;
    chosen.add(text);
  }
  if (chosen.size * DEVICES_PER_SITE > rows.length) return undefined;
  const [first = '', ...more] = [...chosen].toSorted(compareTexts);
  return more.length === 0 ? first : [first, ...more];
}
