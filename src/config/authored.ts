import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { ENTRY_OF } from '../model/documents/sections.gen.ts';
import type { Authored } from './documents.gen.ts';
import { locate, pointerSegment, type Aspect, type Source } from './locate.ts';
import type { Spot } from './findings.ts';
import { isObject, toList } from '../lib/objects.ts';

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
}

export interface AuthoredFleet {
  /** Entries that fit their schema. */
  of<S extends Section>(section: S): readonly AuthoredEntry<S>[];
  /** Every named entry that counts, sound or not. */
  all(section: Section): readonly AuthoredEntry[];
  /** Every entry of shared documents, also those that do not count. */
  shared(section: Section): readonly AuthoredEntry[];
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
  const listed = new Map<Section, readonly AuthoredEntry[]>(
    SECTIONS.map((section) => [section, checked.flatMap((one) => listEntries(one, section))]),
  );
  const entries = new Map([...listed].map(([section, each]) => [section, withoutOverridden(each)]));
  const all = (section: Section) => entries.get(section) ?? [];
  return {
    of: <S extends Section>(section: S) =>
      all(section).filter(({ sound }) => sound) as unknown as readonly AuthoredEntry<S>[],
    all,
    shared: (section) => (listed.get(section) ?? []).filter(isShared),
    mayHold,
  };
}

/** A fleet that overrides a shared entry has its own alone, and nothing of a shared document that is only for fleets (semantics D11). */
function withoutOverridden(all: readonly AuthoredEntry[]): readonly AuthoredEntry[] {
  const own = all.filter((one) => !isShared(one) && saysOverride(one));
  const gone = new Set(own.map(({ name }) => name));
  return all.filter((one) => !isShared(one) || !(gone.has(one.name) || isForFleets(one)));
}

export function isShared({ source }: AuthoredEntry): boolean {
  return source.file.isShared === true;
}

/** Whether an entry says that it replaces a shared one. */
export function saysOverride({ value }: AuthoredEntry): boolean {
  return isObject(value) && 'override' in value && value.override === true;
}

/** Whether a fleet alone may say it: where credentials go, what is there, and that more may happen. */
export function isForFleets({ section, value }: AuthoredEntry): boolean {
  if (section !== 'exceptions') return /^(?:service|sites|incidents|onboarding)$/.test(section);
  return isObject(value) && 'type' in value && /^(?:allow|expedite)$/.test(String(value.type));
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
