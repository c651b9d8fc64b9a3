import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import { isMap, type AuthoredEntry, type AuthoredFleet } from './authored.ts';
import { entryRanges, locate, offsetOf, pointerSegment } from './locate.ts';

type Rule = (fleet: AuthoredFleet) => Iterable<Diagnostic>;

/** More entries with mistakes than that are not looked at twice: their findings would only be counted. */
const MOST_ENTRIES = 100;

/**
 * What rules find in entries that do not fit their schema, so that one round shows all there is: a rule sees such an
 * entry without its mistakes. What it finds right beside a mistake that it asked for is dropped, since the mistake may
 * be the reason; and where a rule cannot do without, it says no more about that entry.
 */
export function checkBroken(fleet: AuthoredFleet, rules: readonly Rule[]): readonly Diagnostic[] {
  const broken = SECTIONS.flatMap((section) => fleet.all(section))
    .filter(({ sound, usable, value }) => !sound && usable && isMap(value))
    .slice(0, MOST_ENTRIES)
    .map(watch);
  if (broken.length === 0) return [];
  return rules.flatMap((rule) => {
    const found = run(rule, fleet, broken);
    if (found.isWhole) return found.findings;
    return broken.flatMap((one) => run(rule, fleet, [one]).findings);
  });
}

/** An entry without its mistakes, and which of them a rule asked for. */
interface WatchedEntry {
  readonly entry: AuthoredEntry;
  readonly readMistakes: Set<string>;
  holds(finding: Diagnostic): boolean;
}

function run(
  rule: Rule,
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
    // Every rule has gone through all entries that fit; here it lacked what its types promise.
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
      const offset = offsetOf(entry.source, at);
      return range.from <= offset && offset <= range.to;
    },
  };
}

interface MistakeWatch {
  readonly readMistakes: Set<string>;
  readonly mistakes: ReadonlySet<string>;
}

/** The same value, in which members with mistakes are not there; asking for one is noted. */
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

/** Of two members of one map, one may be judged by the other; what is around a mistake contains it. */
function isBesideMistake({ entry, readMistakes }: WatchedEntry, { at }: Diagnostic): boolean {
  if (readMistakes.size === 0 || !at) return false;
  const places = pointersAt(entry, at);
  return (
    places.length === 0 ||
    places.some((place) =>
      [...readMistakes].some(
        (one) => parentOf(one) === parentOf(place) || one.startsWith(`${place}/`),
      ),
    )
  );
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function pointersAt(entry: AuthoredEntry, at: NonNullable<Diagnostic['at']>): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    const spots = [locate(entry.source, pointer), locate(entry.source, pointer, 'key')];
    if (spots.some(({ line, column }) => line === at.line && column === at.column))
      found.push(pointer);
    if (Array.isArray(value) || isMap(value))
      for (const [key, member] of Object.entries(value))
        visit(member, `${pointer}/${pointerSegment(key)}`);
  };
  visit(entry.value, entry.pointer);
  return found.filter((one) => !found.some((other) => other.startsWith(`${one}/`)));
}
