import type { Ref } from '../model/fleet/device.ts';
import { compileGlobs, matchesAny, matchesGlob } from '../lib/glob.ts';
import type { Glob, Selector, SelectorKeys, SiteClause } from '../model/documents/policy.ts';
import type { Membership } from '../model/documents/selector.ts';
import type { CodedColumn } from '../lib/columns.ts';
import type { Codes } from '../lib/growing-array.ts';
import type { DeviceTable, TextField } from '../model/fleet/snapshot.ts';
import { inRange } from '../lib/version-order.ts';

/** The device columns that selectors use; discovered devices have them too. */
export type DeviceColumns = Pick<
  DeviceTable,
  'length' | 'text' | 'sites' | 'sources' | 'unreadable'
>;

/** A firmware version and the vendor, whose order compares it. */
export interface RunningVersion {
  readonly vendor: string | undefined | typeof UNREAD;
  readonly version: string;
}

/** In place of a vendor that could not be read: no order can be chosen. */
export const UNREAD = Symbol('unread');

/** The groups of a device, and those of which it may be a member. */
export interface GroupNames {
  readonly held: readonly string[];
  readonly perhaps: readonly string[];
}

/** The selectors that select some rows. */
export interface MatchedSet {
  /** The ascending numbers of the selectors that surely select them. */
  readonly indexes: readonly number[];
  /** And of those of which it is unclear (semantics M20). */
  readonly unclear: readonly number[];
}

/** What is known of the rows of a reading for a list of selectors. */
export interface KnownSets {
  readonly selectors: readonly Selector[];
  /** The set of a row, by the code of its ID. */
  readonly ofId: (MatchedSet | undefined)[];
  readonly byHash: Map<number, MatchedSet[]>;
}

/** What selectors evaluate. Expensive columns are computed on first use. */
export interface DeviceFacets {
  readonly rows: DeviceColumns;
  /** What is known of the rows by their selectors; all facets of a reading and of its pages share it. */
  readonly known: KnownSets[];
  tagsOf(site: Ref): readonly string[];
  running(): CodedColumn<RunningVersion>;
  /** The group names of each row. */
  groups(): CodedColumn<GroupNames>;
}

/**
 * One key of a selector, evaluated per distinct value of its column: `codes[row]` is the code of a
 * row, and `holds` tests a code. Code 0, an absent field, never matches (semantics D6); a field that could not be read
 * is unclear (semantics M20).
 */
export interface Clause {
  readonly key: keyof SelectorKeys;
  readonly codes: Codes;
  holds(code: number): Membership;
  isUnread(row: number): boolean;
}

/** Keys whose columns are nearly unique per device, and so use an index. */
export const NAMING_KEYS = { device: 'id', name: 'name' } as const satisfies Partial<
  Record<keyof SelectorKeys, TextField>
>;

/** The fields of a row that keys read, as `unreadable` names them; an ID and a group are always known. */
export const FIELD_OF: Readonly<Partial<Record<keyof SelectorKeys, string>>> = {
  name: 'name',
  vendor: 'vendor',
  model: 'model',
  deviceType: 'deviceType',
  firmwareVersion: 'firmwareVersion',
  site: 'sites',
  source: 'sources',
};

/** The clauses of a selector. A device must satisfy all of them (semantics D5). */
export function compileClauses(keys: SelectorKeys, facets: DeviceFacets): readonly Clause[] {
  const { text, sites, sources } = facets.rows;
  const clause = <T>(
    key: keyof SelectorKeys,
    { values, codes }: CodedColumn<T>,
    test: (value: T) => Membership,
  ): Clause => {
    const holds = (code: number): Membership => {
      const value = values[code];
      return code !== 0 && value !== undefined && test(value);
    };
    return { key, codes, holds, isUnread: unreadTest(key, facets.rows) };
  };
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
    group && clause('group', facets.groups(), (value) => isInGroup(group, value)),
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

function unreadTest(
  key: keyof SelectorKeys,
  { unreadable: { values, codes } }: DeviceColumns,
): (row: number) => boolean {
  const field = FIELD_OF[key];
  const isUnread = values.map((fields) => field !== undefined && fields.includes(field));
  return isUnread.includes(true) ? (row) => isUnread[codes[row] ?? 0] === true : () => false;
}

/** Keys must all hold; where none fails, one that is unclear decides. */
export function allOf(answers: readonly Membership[]): Membership {
  if (answers.includes(false)) return false;
  return answers.includes('maybe') ? 'maybe' : true;
}

/** A list matches if one of its patterns does; where none does, one that is unclear decides. */
function anyOf(answers: readonly Membership[]): Membership {
  return answers.includes(true) || (answers.includes('maybe') && 'maybe');
}

/**
 * A text that starts with `<` or `>` is a range. A version that cannot be compared with it may lie in it (semantics
 * M20).
 */
function isVersionIn(wanted: readonly string[], { vendor, version }: RunningVersion): Membership {
  return anyOf(
    wanted.map((text) => {
      if (!/^\s*[<>]/.test(text)) return matchesGlob(text, version);
      return (vendor === UNREAD ? undefined : inRange(vendor, version, text)) ?? 'maybe';
    }),
  );
}

function isInGroup(wanted: readonly Glob[], { held, perhaps }: GroupNames): Membership {
  const isAny = (group: readonly string[]) => group.some((name) => matchesAny(wanted, name));
  return isAny(held) || (isAny(perhaps) && 'maybe');
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
