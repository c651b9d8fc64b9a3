import type { Ref } from '../model/fleet/device.ts';
import { matchesAny, matchesGlob } from '../lib/glob.ts';
import type { Glob, SelectorKeys, SiteClause } from '../model/documents/policy.ts';
import type { CodedColumn, DeviceTable, TextField } from '../model/fleet/snapshot.ts';
import { inRange } from '../lib/version-order.ts';

/** Devices in columns, as far as selectors look at them; discovered devices fit as well. */
export type DeviceColumns = Pick<DeviceTable, 'length' | 'text' | 'sites' | 'sources'>;

/** The version that runs, with the vendor whose order judges it. */
export interface RunningVersion {
  readonly vendor: string | undefined;
  readonly version: string;
}

/** What selectors may ask of devices; the costly columns are made when they are first asked for. */
export interface DeviceFacets {
  readonly rows: DeviceColumns;
  tagsOf(site: Ref): readonly string[];
  running(): CodedColumn<RunningVersion>;
  /** Names of the groups of each row. */
  groups(): CodedColumn<readonly string[]>;
}

/**
 * One key of a selector, over the distinct values of its column: `codes[row]` is what a row has and
 * `holds` whether that satisfies the key. Code 0, a field that the device lacks, never does.
 */
export interface Clause {
  readonly key: keyof SelectorKeys;
  readonly codes: Uint32Array;
  /** Distinct values, code 0 included. */
  readonly size: number;
  holds(code: number): boolean;
}

/** The keys whose column holds a text of (nearly) every device, and so is searched by an index. */
export const NAMING_KEYS = { device: 'id', name: 'name' } as const satisfies Partial<
  Record<keyof SelectorKeys, TextField>
>;

/** The clauses of a selector; all must hold (semantics D5). */
export function clausesOf(keys: SelectorKeys, facets: DeviceFacets): readonly Clause[] {
  const { text, sites, sources } = facets.rows;
  const globs = (key: keyof SelectorKeys & TextKey): Clause | undefined => {
    const wanted = keys[key];
    return wanted && clause(key, text[TEXT_OF[key]], (value) => matchesAny(wanted, value));
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

const TEXT_OF = {
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
 * A text that starts with `<` or `>` is a range; what cannot be compared with it does not match.
 */
function isVersionIn(wanted: readonly string[], { vendor, version }: RunningVersion): boolean {
  return wanted.some((text) =>
    /^\s*[<>]/.test(text) ? inRange(vendor, version, text) === true : matchesGlob(text, version),
  );
}

/** One and the same site must bear the name and the tag. */
function isSiteIn({ name, tag }: SiteClause, site: Ref, facets: DeviceFacets): boolean {
  if (name && !names(name, site)) return false;
  return !tag || facets.tagsOf(site).some((text) => matchesAny(tag, text));
}

/** A site or source goes by its name and by its id. */
function names(globs: readonly Glob[], { id, name }: Ref): boolean {
  return matchesAny(globs, id) || (name !== undefined && matchesAny(globs, name));
}
