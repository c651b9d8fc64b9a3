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

/** The texts that the patterns of a key are compared with. */
export type ComparedNames = (
  key: (typeof TEXTS)[number] | 'device' | 'firmwareVersion' | 'site' | 'source',
) => readonly string[];

/** The names of managed devices, and those of all sites and sources. */
export function managedNames({ rows }: DeviceFacets, { sites, sources }: Snapshot): ComparedNames {
  return (key) => {
    if (key === 'site') return namesIn([...rows.sites.values, sites]);
    if (key === 'source') return namesIn([...rows.sources.values, sources]);
    if (key === 'device') return rows.text.id.values;
    return rows.text[key].values;
  };
}

/** The names of discovered devices, which are in no device table, and those of all sites and sources. */
export function discoveredNames({ discovered, sites, sources }: Snapshot): ComparedNames {
  return (key) => {
    if (key === 'site') return namesIn([discovered.flatMap(({ site }) => site ?? []), sites]);
    if (key === 'source') return namesIn([...discovered.map((one) => one.sources ?? []), sources]);
    if (key === 'firmwareVersion') return [];
    return discovered.map((device) => (key === 'device' ? device.id : (device[key] ?? '')));
  };
}

type Wanted = readonly [keyof SelectorKeys, readonly string[], () => readonly string[]];

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
    firstMiss(wanted, (written, values) => {
      if (!comparisons.spend(values().length)) return undefined;
      const suggestion = caseApart(written, values());
      return suggestion === undefined ? undefined : { written, suggestion };
    }) ??
    firstMiss(wanted, (written, values) => {
      if (!comparisons.spend(values().length * EDIT_COST)) return undefined;
      const isThere = values().some(compileGlob(written));
      const suggestion = isThere ? undefined : nearest(written, values());
      return suggestion === undefined ? undefined : { suggestion };
    })
  );
}

/** The comparisons that suggestions of one plan may still make. */
interface Comparisons {
  /** Whether so many are left; they are then used up. */
  spend(count: number): boolean;
}

/**
 * Suggestions are a courtesy: a fleet with as many names as devices and hundreds of selectors that
 * match none gets them for the first selectors only, as cost would grow with both.
 */
export const MOST_COMPARED = 2_000_000;

/** What one edit distance costs, in comparisons of two names. */
const EDIT_COST = 10;

export function limitComparisons(limit: number): Comparisons {
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
  meantBy: (written: string, values: Wanted[2]) => NearMiss['meant'] | undefined,
): NearMiss | undefined {
  for (const [key, globs, values] of wanted)
    for (const written of globs) {
      const meant = meantBy(written, values);
      if (meant !== undefined) return { key, meant };
    }
  return undefined;
}

function caseApart(glob: string, values: readonly string[]): string | undefined {
  const isMeant = compileGlob(glob.toLowerCase());
  const found = values.find((value) => value !== '' && isMeant(value.toLowerCase()));
  return found !== undefined && values.some(compileGlob(glob)) ? undefined : found;
}

/** Tells for a pattern the value that it misses only because of upper and lower case, where it matches no other. */
export function tellCase(values: readonly string[]): (glob: string) => string | undefined {
  const exact = new Set(values);
  const byCase = new Map(values.map((value) => [value.toLowerCase(), value]));
  return (glob) => {
    if (isPattern(glob)) return caseApart(glob, values);
    return exact.has(glob) ? undefined : byCase.get(glob.toLowerCase());
  };
}

function namesIn(values: readonly (readonly { readonly name?: string }[])[]): readonly string[] {
  return values.flatMap((refs) => refs.flatMap(({ name }) => name ?? []));
}
