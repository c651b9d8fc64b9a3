import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { ENTRY_OF } from '../model/documents/sections.gen.ts';
import type { Authored } from './documents.gen.ts';
import { locate, pointerSegment, type Aspect, type Source } from './locate.ts';
import type { Spot } from './findings.ts';
import { isObject } from '../lib/objects.ts';

export type { Authored } from './documents.gen.ts';

export type AuthoredValues = { [S in Section]: Authored[(typeof ENTRY_OF)[S]] };

export interface AuthoredEntry<S extends Section = Section> {
  readonly section: S;
  /** Its key; `service` for the service. */
  readonly name: string;
  /** `firmware.axis-p32` */
  readonly address: string;
  readonly value: AuthoredValues[S];
  readonly source: Source;
  /** JSON pointer from the top of its document. */
  readonly pointer: string;
  /** The entry fits its schema, so its value has its type. */
  readonly sound: boolean;
  /** Pointers of its errors, from the top of the document. */
  readonly mistakes: readonly string[];
  /** The entry is sound except for `mistakes`. */
  readonly usable: boolean;
  /** It says `override: true`, and stands in the place of the entry of its name in a shared document. */
  readonly isOverride?: true;
}

export interface AuthoredFleet {
  /** Entries that fit their schema. */
  of<S extends Section>(section: S): readonly AuthoredEntry<S>[];
  /** Every named entry, sound or not. */
  all(section: Section): readonly AuthoredEntry[];
  /**
   * Whether a file, or a part of one, that could not be read may define this name; `''` asks
   * whether there is such a part at all.
   */
  mayHold(name: string): boolean;
}

/**
 * A check across entries or documents. It sees entries of their declared types and reports all
 * findings.
 */
export type DocumentRule = (fleet: AuthoredFleet) => Iterable<Diagnostic>;

/** A document after validation against the schemas. */
export interface CheckedDocument {
  readonly source: Source;
  readonly findings: readonly Diagnostic[];
  /**
   * Pointers of the entries that do not fit their schema (`/firmware/axis-p32`, `/service`), with
   * the pointers of their errors; undefined if the whole entry is unreliable.
   */
  readonly broken: ReadonlyMap<string, readonly string[] | undefined>;
}

export function collectEntries(
  checked: readonly CheckedDocument[],
  mayHold: AuthoredFleet['mayHold'],
): AuthoredFleet {
  const entries = new Map<Section, readonly AuthoredEntry[]>(
    SECTIONS.map((section) => {
      return [section, withOverrides(checked.flatMap((one) => listEntries(one, section)))];
    }),
  );
  const all = (section: Section) => entries.get(section) ?? [];
  return {
    of: <S extends Section>(section: S) =>
      all(section).filter(({ sound }) => sound) as unknown as readonly AuthoredEntry<S>[],
    all,
    mayHold,
  };
}

/** Whether an entry says that it replaces a shared one. */
export function saysOverride({ value }: AuthoredEntry): boolean {
  return isObject(value) && 'override' in value && value.override === true;
}

/** The entries without those that a fleet overrides: the whole entry goes, and nothing of it is merged (semantics D11). */
function withOverrides(all: readonly AuthoredEntry[]): readonly AuthoredEntry[] {
  const gone = new Set<AuthoredEntry>();
  const kept = all.map((entry): AuthoredEntry => {
    if (entry.source.file.isShared || !saysOverride(entry)) return entry;
    const shared = all.find(
      (one) => one.source.file.isShared && one.name === entry.name && !gone.has(one),
    );
    if (shared) gone.add(shared);
    return shared ? { ...entry, isOverride: true } : entry;
  });
  return kept.filter((entry) => !gone.has(entry));
}

function listEntries(
  { source, broken }: CheckedDocument,
  section: Section,
): readonly AuthoredEntry[] {
  const content = isObject(source.value) ? source.value[section] : undefined;
  if (!isObject(content)) return [];
  const keys = section === 'service' ? [undefined] : Object.keys(content);
  return keys.map((key) => {
    const pointer = `/${section}${key === undefined ? '' : `/${pointerSegment(key)}`}`;
    return {
      section,
      name: key ?? section,
      address: key === undefined ? section : `${section}.${key}`,
      value: (key === undefined ? content : content[key]) as AuthoredValues[Section],
      source,
      pointer,
      sound: !broken.has(pointer),
      mistakes: broken.get(pointer) ?? [],
      usable: !broken.has(pointer) || broken.get(pointer) !== undefined,
    };
  });
}

/** The location of a value inside an entry; `below` is a pointer relative to the entry. */
export function placeIn(entry: AuthoredEntry, below = '', aspect: Aspect = 'value'): Spot {
  return locate(entry.source, entry.pointer + below, aspect);
}

export function toList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** A value or a list, as a list with the pointer of each. */
export function eachOf(
  written: string | readonly string[] | undefined,
  below: string,
): readonly { readonly value: string; readonly below: string }[] {
  const isList = Array.isArray(written);
  return toList<string>(written).map((value, index) => {
    return { value, below: isList ? `${below}/${index}` : below };
  });
}

export function isStopList(
  written: Authored['stopOn'],
): written is readonly Authored['stopRule'][] {
  return Array.isArray(written);
}
