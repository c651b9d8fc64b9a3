import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { components } from './documents.gen.ts';
import { locate, pointerSegment, type Aspect, type Source } from './locate.ts';
import type { Spot } from './findings.ts';

/** The documents as an author writes them; the types are made from the schemas. */
export type Authored = components['schemas'];

/** What an entry of a section is, as written. `service` is the one section without entries. */
export interface AuthoredValues {
  service: Authored['service'];
  sites: Authored['site'];
  groups: Authored['group'];
  windows: Authored['window'];
  freezes: Authored['freeze'];
  rollouts: Authored['rollout'];
  budgets: Authored['budget'];
  firmware: Authored['firmwarePolicy'];
  rotations: Authored['rotation'];
  onboarding: Authored['onboardingPolicy'];
  restarts: Authored['restartPolicy'];
  exceptions: Authored['exception'];
  guardrails: Authored['guardrail'];
}

/** One entry and where it stands. */
export interface AuthoredEntry<S extends Section = Section> {
  readonly section: S;
  /** Its key; `service` for the service. */
  readonly name: string;
  /** `firmware.axis-p32` */
  readonly address: string;
  readonly value: AuthoredValues[S];
  readonly source: Source;
  /** From the top of its document. */
  readonly pointer: string;
  /** It fits its schema, so its value is what its type says. */
  readonly sound: boolean;
  /** Where its mistakes are, as pointers from the top of the document. */
  readonly mistakes: readonly string[];
  /** Sound, or wrong only there. */
  readonly usable: boolean;
}

/** All documents together, as written. */
export interface AuthoredFleet {
  /** Entries that fit their schema. */
  of<S extends Section>(section: S): readonly AuthoredEntry<S>[];
  /** Every entry that has a name, whether it fits or not. */
  all(section: Section): readonly AuthoredEntry[];
  /** Whether a name could be one of a file, or a part of a file, that could not be read; `''`: whether there is one. */
  mayHold(name: string): boolean;
}

/** A document that was held against the schemas. */
export interface CheckedDocument {
  readonly source: Source;
  readonly findings: readonly Diagnostic[];
  /**
   * By pointer of each entry that does not fit its schema (`/firmware/axis-p32`, `/service`): where in it the
   * mistakes are; undefined where nothing of it can be relied on.
   */
  readonly broken: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Collects the entries of all documents. */
export function collectEntries(
  checked: readonly CheckedDocument[],
  mayHold: AuthoredFleet['mayHold'],
): AuthoredFleet {
  const entries = new Map<Section, readonly AuthoredEntry[]>(
    SECTIONS.map((section) => [section, checked.flatMap((one) => entriesOf(one, section))]),
  );
  const all = (section: Section) => entries.get(section) ?? [];
  return {
    of: <S extends Section>(section: S) =>
      all(section).filter(({ sound }) => sound) as unknown as readonly AuthoredEntry<S>[],
    all,
    mayHold,
  };
}

function entriesOf(
  { source, broken }: CheckedDocument,
  section: Section,
): readonly AuthoredEntry[] {
  const content = isMap(source.value) ? source.value[section] : undefined;
  if (!isMap(content)) return [];
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

/** The place of something inside an entry; `below` is a pointer from the entry on. */
export function placeIn(entry: AuthoredEntry, below = '', aspect: Aspect = 'value'): Spot {
  return locate(entry.source, entry.pointer + below, aspect);
}

/** A map, as opposed to a list, a scalar or nothing. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One or a list, as a list. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
