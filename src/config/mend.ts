import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { AuthoredEntry, AuthoredFleet, DocumentRule } from './authored.ts';
import { entryRanges, locate, toOffset, pointerSegment } from './locate.ts';
import { isObject } from '../lib/objects.ts';

/**
 * If more entries than this are broken, the rules skip all broken entries, because the report would
 * only count their problems.
 */
const MOST_ENTRIES = 100;

/**
 * Runs the rules on entries that do not match their schema, so that one run reports every problem.
 * A rule sees an entry without its mistakes. If a rule reads a mistake, a finding beside that
 * mistake is dropped, because the mistake may be its cause. If a rule fails because the value is
 * missing, it reports nothing more about the entry.
 */
export function checkBroken(
  fleet: AuthoredFleet,
  rules: readonly DocumentRule[],
): readonly Diagnostic[] {
  const broken = SECTIONS.flatMap((section) => fleet.all(section))
    .filter(({ sound, usable, value }) => !sound && usable && isObject(value))
    .slice(0, MOST_ENTRIES)
    .map(watch);
  if (broken.length === 0) return [];
  return rules.flatMap((rule) => {
    const found = run(rule, fleet, broken);
    if (found.isWhole) return found.findings;
    return broken.flatMap((one) => run(rule, fleet, [one]).findings);
  });
}

/** An entry without its mistakes, and the mistakes that a rule has read so far. */
interface WatchedEntry {
  readonly entry: AuthoredEntry;
  readonly readMistakes: Set<string>;
  holds(finding: Diagnostic): boolean;
}

function run(
  rule: DocumentRule,
  fleet: AuthoredFleet,
  broken: readonly WatchedEntry[],
): { readonly findings: readonly Diagnostic[]; readonly isWhole: boolean } {
  const findings: Diagnostic[] = [];
  for (const { readMistakes } of broken) readMistakes.clear();
  try {
    for (const finding of rule(withEntries(fleet, broken))) {
      const one = broken.find(({ holds }) => holds(finding));
      if (one && !isBesideMistake(one, finding)) findings.push(finding);
    }
    return { findings, isWhole: true };
  } catch {
    // The rule is correct for valid entries. It failed here because a value that its types require
    // is missing.
    return { findings, isWhole: false };
  }
}

function withEntries(fleet: AuthoredFleet, broken: readonly WatchedEntry[]): AuthoredFleet {
  const more = broken.map(({ entry }) => entry);
  return {
    ...fleet,
    of: <S extends Section>(section: S) => [
      ...fleet.of(section),
      ...(more.filter(
        (entry) => entry.section === section,
      ) as unknown as readonly AuthoredEntry<S>[]),
    ],
  };
}

function watch(entry: AuthoredEntry): WatchedEntry {
  const readMistakes = new Set<string>();
  const range = [...entryRanges(entry.source)].find(({ pointer }) => pointer === entry.pointer);
  const value = without(entry.value, entry.pointer, {
    readMistakes,
    mistakes: new Set(entry.mistakes),
  });
  return {
    entry: { ...entry, value: value as AuthoredEntry['value'] },
    readMistakes,
    holds: ({ at }) => {
      if (!at || !range || at.file !== entry.source.file.path) return false;
      const offset = toOffset(entry.source, at);
      return range.from <= offset && offset <= range.to;
    },
  };
}

interface MistakeWatch {
  readonly readMistakes: Set<string>;
  readonly mistakes: ReadonlySet<string>;
}

/** The same value without the members that are mistakes. Reads of those members are recorded. */
function without(value: unknown, pointer: string, watched: MistakeWatch): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const below = (key: string | symbol) => `${pointer}/${pointerSegment(String(key))}`;
  const isMistake = (key: string | symbol) => watched.mistakes.has(below(key));
  return new Proxy(value, {
    get: (target, key, receiver) => {
      if (isMistake(key)) {
        watched.readMistakes.add(below(key));
        return undefined;
      }
      const member: unknown = Reflect.get(target, key, receiver);
      return typeof key === 'symbol' ? member : without(member, below(key), watched);
    },
    ownKeys: (target) =>
      Array.isArray(target)
        ? Reflect.ownKeys(target)
        : Reflect.ownKeys(target).filter((key) => !isMistake(key)),
  });
}

/**
 * Whether a finding is beside a mistake that was read: in the same mapping, or in one around it.
 */
function isBesideMistake({ entry, readMistakes }: WatchedEntry, { at }: Diagnostic): boolean {
  if (readMistakes.size === 0 || !at) return false;
  const places = pointersAt(entry, at);
  return (
    places.length === 0 ||
    places.some((place) =>
      [...readMistakes].some(
        (one) => parentPointer(one) === parentPointer(place) || one.startsWith(`${place}/`),
      ),
    )
  );
}

function parentPointer(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function pointersAt(entry: AuthoredEntry, at: NonNullable<Diagnostic['at']>): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    const spots = [locate(entry.source, pointer), locate(entry.source, pointer, 'key')];
    if (spots.some(({ line, column }) => line === at.line && column === at.column))
      found.push(pointer);
    if (Array.isArray(value) || isObject(value))
      for (const [key, member] of Object.entries(value))
        visit(member, `${pointer}/${pointerSegment(key)}`);
  };
  visit(entry.value, entry.pointer);
  return found.filter((one) => !found.some((other) => other.startsWith(`${one}/`)));
}
