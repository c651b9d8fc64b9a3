import type { Documents, Selector, SelectorKeys } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { compileClauses, type DeviceFacets } from './clauses.ts';
import { deviceFacets } from './facets.ts';

/** The input of a selector's compilation. */
export interface SelectionFleet {
  readonly documents: Pick<Documents, 'sites' | 'groups'>;
  readonly snapshot: Pick<Snapshot, 'devices'>;
}

/**
 * Compiles a selector to a test of rows. Each key is evaluated once per distinct value, not per
 * device. For many selectors use `createMatcher`.
 */
export function compileSelector(
  selector: Selector,
  { documents, snapshot }: SelectionFleet,
): Selects {
  return compile(selector, deviceFacets(documents, snapshot.devices));
}

/** The first key of a selector that rejects the device of a row; undefined if all match. */
export function explainSelector(
  selector: Selector,
  { documents, snapshot }: SelectionFleet,
): (row: number) => keyof Selector | undefined {
  const facets = deviceFacets(documents, snapshot.devices);
  const tests = compileTests(selector, facets);
  const excludes = selector.not && everyTest(compileTests(selector.not, facets));
  return (row) => {
    const failing = tests.find(({ holds }) => !holds(row));
    return failing?.key ?? (excludes?.(row) === true ? 'not' : undefined);
  };
}

/** Compiles a selector on existing facets. */
export function compile(selector: Selector, facets: DeviceFacets): Selects {
  const includes = everyTest(compileTests(selector, facets));
  if (!selector.not) return includes;
  const excludes = everyTest(compileTests(selector.not, facets));
  return (row) => includes(row) && !excludes(row);
}

type Selects = (row: number) => boolean;

interface Test {
  readonly key: keyof SelectorKeys;
  readonly holds: Selects;
}

function compileTests(keys: SelectorKeys, facets: DeviceFacets): readonly Test[] {
  return compileClauses(keys, facets).map(({ key, codes, size, holds }) => {
    const passes = new Uint8Array(size);
    for (let code = 1; code < size; code++) passes[code] = holds(code) ? 1 : 0;
    return { key, holds: (row) => passes[codes[row] ?? 0] === 1 };
  });
}

function everyTest(tests: readonly Test[]): Selects {
  return (row) => tests.every(({ holds }) => holds(row));
}
