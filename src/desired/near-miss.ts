import { computeOnce, once } from '../lib/compute-once.ts';
import { nearest } from '../lib/nearest-name.ts';
import type { SelectorKeys } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { DeviceFacets } from './clauses.ts';
import { compileGlob, isPattern } from '../lib/glob.ts';

/** A pattern without a match, and the value that was probably meant by it. */
export interface NearMiss {
  readonly key: keyof SelectorKeys;
  /** `written` is present if only its case is wrong. */
  readonly meant: { readonly written?: string; readonly suggestion: string };
}

export const TEXTS = ['name', 'vendor', 'model', 'deviceType'] as const;

/** Names that the fleet shows, which names and patterns in documents are compared with. */
export interface Shown {
  readonly values: readonly string[];
  /** Whether any of them is the name or matches the pattern. */
  isAny(glob: string): boolean;
  /** The one that a name or pattern misses only because of upper and lower case, where it is or matches no other. */
  tellCase(glob: string): string | undefined;
}

export function indexNames(names: Iterable<string>): Shown {
  const exact = new Set(names);
  const values = [...exact];
  const lower = once(() => values.map((value) => value.toLowerCase()));
  const byCase = once(() => new Map(values.map((value) => [value.toLowerCase(), value])));
  const isAny = (glob: string): boolean =>
    isPattern(glob) ? values.some(compileGlob(glob)) : exact.has(glob);
  const tellCase = (glob: string): string | undefined => {
    const small = glob.toLowerCase();
    if (!isPattern(glob)) return exact.has(glob) ? undefined : byCase().get(small);
    const isMeant = compileGlob(small);
    const found = values[lower().findIndex((value) => value !== '' && isMeant(value))];
    return found === undefined || isAny(glob) ? undefined : found;
  };
  return { values, isAny, tellCase };
}

/** The names that the patterns of a key are compared with. */
export type ComparedNames = (
  key: (typeof TEXTS)[number] | 'device' | 'firmwareVersion' | 'site' | 'source',
) => Shown;

/** The names of managed devices, and those of all sites and sources. */
export function managedNames({ rows }: DeviceFacets, { sites, sources }: Snapshot): ComparedNames {
  return computeOnce((key) => {
    if (key === 'site') return indexNames(namesIn([...rows.sites.values, sites]));
    if (key === 'source') return indexNames(namesIn([...rows.sources.values, sources]));
    return indexNames(rows.text[key === 'device' ? 'id' : key].values);
  });
}

/** The names of discovered devices, which are in no device table, and those of all sites and sources. */
export function discoveredNames({ discovered, sites, sources }: Snapshot): ComparedNames {
  return computeOnce((key) => {
    if (key === 'site')
      return indexNames(namesIn([discovered.flatMap(({ site }) => site ?? []), sites]));
    if (key === 'source')
      return indexNames(namesIn([...discovered.map((one) => one.sources ?? []), sources]));
    if (key === 'firmwareVersion') return indexNames([]);
    return indexNames(discovered.map((one) => (key === 'device' ? one.id : (one[key] ?? ''))));
  });
}

type Wanted = readonly [keyof SelectorKeys, readonly string[], () => Shown];

/**
 * The first pattern of a selector that fails only because of case (semantics D6), since patterns
 * are case-sensitive. If there is none, the first that is almost a known name.
 */
export function nearMiss(
  keys: SelectorKeys,
  names: ComparedNames,
  comparisons: Comparisons,
): NearMiss | undefined {
  const wanted: readonly Wanted[] = [
    ...TEXTS.map((key): Wanted => [key, keys[key] ?? [], () => names(key)]),
    ['site', keys.site?.name ?? [], () => names('site')],
    ['source', keys.source ?? [], () => names('source')],
  ];
  return (
    firstMiss(wanted, (written, { values, tellCase }) => {
      if (!comparisons.spend(isPattern(written) ? values.length : 1)) return undefined;
      const suggestion = tellCase(written);
      return suggestion === undefined ? undefined : { written, suggestion };
    }) ??
    firstMiss(wanted, (written, { values, isAny }) => {
      if (!comparisons.spend(values.length * EDIT_COST)) return undefined;
      const suggestion = isAny(written) ? undefined : nearest(written, values);
      return suggestion === undefined ? undefined : { suggestion };
    })
  );
}

/** The comparisons that suggestions of one plan may still make. */
interface Comparisons {
  /** Whether so many are left; they are then used up. */
  spend(count: number): boolean;
}

/** What one edit distance costs, in comparisons of two names. */
const EDIT_COST = 10;

/**
 * A suggestion where nothing is refused is a courtesy: a fleet with as many names as devices and hundreds of selectors
 * that match none gets it for the first selectors only, as cost would grow with both.
 */
export function limitComparisons(limit = 1_000_000): Comparisons {
  let left = limit;
  return {
    spend(count) {
      if (count > left) return false;
      left -= count;
      return true;
    },
  };
}

function firstMiss(
  wanted: readonly Wanted[],
  meantBy: (written: string, shown: Shown) => NearMiss['meant'] | undefined,
): NearMiss | undefined {
  for (const [key, globs, shown] of wanted)
    for (const written of globs) {
      const meant = meantBy(written, shown());
      if (meant !== undefined) return { key, meant };
    }
  return undefined;
}

function namesIn(values: readonly (readonly { readonly name?: string }[])[]): readonly string[] {
  return values.flatMap((refs) => refs.flatMap(({ name }) => name ?? []));
}
