import { matchesGlob } from '../lib/glob.ts';
import type { SelectorKeys } from '../model/documents/policy.ts';
import type { Facets } from './clauses.ts';

/** A pattern that matches nothing as it is written, and a value that it would match in other case. */
export interface NearMiss {
  readonly key: keyof SelectorKeys;
  readonly written: string;
  readonly suggestion: string;
}

const TEXTS = ['name', 'vendor', 'model', 'deviceType'] as const;

/**
 * The first pattern of a selector that misses in case only (semantics D6): patterns are
 * case-sensitive, and that is easily forgotten.
 */
export function nearMiss(keys: SelectorKeys, { rows }: Facets): NearMiss | undefined {
  const { site, source } = keys;
  const wanted: readonly (readonly [
    keyof SelectorKeys,
    readonly string[],
    () => Iterable<string>,
  ])[] = [
    ...TEXTS.map((key) => [key, keys[key] ?? [], () => rows.text[key].values] as const),
    ['site', site?.name ?? [], () => namesIn(rows.sites.values)],
    ['source', source ?? [], () => namesIn(rows.sources.values)],
  ];
  for (const [key, globs, values] of wanted)
    for (const written of globs) {
      const suggestion = caseApart(written, values());
      if (suggestion !== undefined) return { key, written, suggestion };
    }
  return undefined;
}

function caseApart(glob: string, values: Iterable<string>): string | undefined {
  const lower = glob.toLowerCase();
  let found: string | undefined;
  for (const value of values) {
    if (value === '') continue;
    if (matchesGlob(glob, value)) return undefined;
    if (found === undefined && matchesGlob(lower, value.toLowerCase())) found = value;
  }
  return found;
}

function* namesIn(values: readonly (readonly { readonly name?: string }[])[]): Generator<string> {
  for (const refs of values) for (const { name } of refs) if (name !== undefined) yield name;
}
