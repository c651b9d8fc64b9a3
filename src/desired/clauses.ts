import type { Ref } from '../model/fleet/device.ts';
import { compileGlobs, matchesAny, matchesGlob } from '../lib/glob.ts';
import type { Glob, SelectorKeys, SiteClause } from '../model/documents/policy.ts';
import type { CodedColumn, DeviceTable, TextField } from '../model/fleet/snapshot.ts';
import { inRange } from '../lib/version-order.ts';

/** The device columns that selectors use; discovered devices have them too. */
export type DeviceColumns = Pick<DeviceTable, 'length' | 'text' | 'sites' | 'sources'>;

/** A firmware version and the vendor, whose order compares it. */
export interface RunningVersion {
  readonly vendor: string | undefined;
  readonly version: string;
}

/** What selectors evaluate. Expensive columns are computed on first use. */
export interface DeviceFacets {
  readonly rows: DeviceColumns;
  tagsOf(site: Ref): readonly string[];
  running(): CodedColumn<RunningVersion>;
  /** The group names of each row. */
  groups(): CodedColumn<readonly string[]>;
}

/**
 * One key of a selector, evaluated per distinct value of its column: `codes[row]` is the code of a
 * row, and `holds` tests a code. Code 0, an absent field, never matches.
 */
export interface Clause {
  readonly key: keyof SelectorKeys;
  readonly codes: Uint32Array;
  /** The number of distinct values, code 0 included. */
  readonly size: number;
  holds(code: number): boolean;
}

/** Keys whose columns are nearly unique per device, and so use an index. */
export const NAMING_KEYS = { device: 'id', name: 'name' } as const satisfies Partial<
  Record<keyof SelectorKeys, TextField>
>;

/** The clauses of a selector. A device must satisfy all of them (semantics D5). */
export function compileClauses(keys: SelectorKeys, facets: DeviceFacets): readonly Clause[] {
  const { text, sites, sources } = facets.rows;
  const globs = (key: keyof SelectorKeys & TextKey): Clause | undefined => {
    const wanted = keys[key];
    return wanted && clause(key, text[TEXT_OF[key]], compileGlobs(wanted));
  };
  const { firmwareVersion, site, source, group } = keys;
  return [
    globs('device'),
    globs('name'),
    globs('vendor'),
    globs('model'),
    globs('deviceType'),
    firmwareVersion &&
      clause('firmwareVersion', facets.running(), (value) => isVersionIn(firmwareVersion, value)),
    site && clause('site', sites, (refs) => refs.some((ref) => isSiteIn(site, ref, facets))),
    source && clause('source', sources, (refs) => refs.some((ref) => names(source, ref))),
    group &&
      clause('group', facets.groups(), (held) => held.some((name) => matchesAny(group, name))),
  ].filter((made) => made !== undefined);
}

/** Keys whose globs match one text of a device. */
export const TEXT_OF = {
  ...NAMING_KEYS,
  vendor: 'vendor',
  model: 'model',
  deviceType: 'deviceType',
} as const;
type TextKey = keyof typeof TEXT_OF;

function clause<T>(
  key: keyof SelectorKeys,
  { values, codes }: CodedColumn<T>,
  test: (value: T) => boolean,
): Clause {
  const holds = (code: number): boolean => {
    const value = values[code];
    return code !== 0 && value !== undefined && test(value);
  };
  return { key, codes, size: values.length, holds };
}

/**
 * A text that starts with `<` or `>` is a range. A version that cannot be compared does not match.
 */
function isVersionIn(wanted: readonly string[], { vendor, version }: RunningVersion): boolean {
  return wanted.some((text) =>
    /^\s*[<>]/.test(text) ? inRange(vendor, version, text) === true : matchesGlob(text, version),
  );
}

/** The same site must have both the name and the tag. */
function isSiteIn({ name, tag }: SiteClause, site: Ref, facets: DeviceFacets): boolean {
  if (name && !names(name, site)) return false;
  return !tag || facets.tagsOf(site).some((text) => matchesAny(tag, text));
}

/** A site or source matches by its name or its ID. */
function names(globs: readonly Glob[], { id, name }: Ref): boolean {
  return matchesAny(globs, id) || (name !== undefined && matchesAny(globs, name));
}
