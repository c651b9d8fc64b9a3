import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { cellOf } from '../lib/columns.ts';
import { isPattern } from '../lib/glob.ts';
import { compareTexts, listAndCount } from '../lib/text-order.ts';
import type { Documents } from '../model/documents/policy.ts';
import { locateValue } from '../model/documents/source.ts';
import type { DeviceFacets } from './clauses.ts';
import { compile } from './select.ts';
import { writtenNames } from './written-names.ts';

/** How many devices of a name are listed. */
const LISTED = 2;

/**
 * Warns about a name without a wildcard that several devices of its selector have: who writes one
 * means one device (semantics D10).
 */
export function severalNames(documents: Documents, facets: DeviceFacets): readonly Diagnostic[] {
  const names = writtenNames(documents, ['name']).filter(
    ({ section, written }) => section !== 'onboarding' && !isPattern(written),
  );
  const rows = rowsNamed(new Set(names.map(({ written }) => written)), facets);
  return names.flatMap(({ entry, pointer, keys, written }) => {
    const all = rows.get(written) ?? [];
    if (all.length < 2) return [];
    const selects = compile(keys, facets);
    const mine = all.filter((row) => selects(row) !== false);
    if (mine.length < 2) return [];
    const at = locateValue(entry, pointer);
    const params = { written, ...shown(mine, facets) };
    return [{ code: 'namesSeveral', severity: 'warning', at, params }];
  });
}

function rowsNamed(
  wanted: ReadonlySet<string>,
  { rows: { length, text } }: DeviceFacets,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  if (wanted.size === 0) return found;
  const { codes, values } = text.name;
  const isWanted = values.map((name, code) => code > 0 && wanted.has(name));
  for (let row = 0; row < length; row++) {
    const code = codes[row] ?? 0;
    if (!isWanted[code]) continue;
    const name = values[code] ?? '';
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}

/** How many devices and sites there are, and the first of the devices. */
function shown(devices: readonly number[], { rows }: DeviceFacets): Diagnostic['params'] {
  const ids = devices.map((row) => cellOf(rows.text.id, row) ?? '').sort(compareTexts);
  const at = new Set(
    devices.flatMap((row) => (cellOf(rows.sites, row) ?? []).map((site) => site.id)),
  );
  return { count: devices.length, sites: at.size, devices: listAndCount(ids, LISTED) };
}
