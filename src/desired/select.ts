import type { Documents, Selector, SelectorKeys } from '../model/documents/policy.ts';
import type { Membership, UnclearBy } from '../model/documents/selector.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { matchesAny } from '../lib/glob.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { compileClauses, FIELD_OF, UNREAD, type Clause, type DeviceFacets } from './clauses.ts';
import { hasBit } from './bit-set.ts';
import { deviceFacets } from './facets.ts';
import { matchBits } from './matcher.ts';

/** The input of a selector's compilation. */
export interface SelectionFleet {
  readonly documents: Pick<Documents, 'sites' | 'groups'>;
  readonly snapshot: Pick<Snapshot, 'devices'>;
}

/** Whether a selector selects the device of a row. */
export type Selects = (row: number) => Membership;

/** Compiles a selector: whether it selects a device, yes, no or `maybe` (semantics D5, D6, M20). */
export function compileSelector(
  selector: Selector,
  { documents, snapshot }: SelectionFleet,
): Selects {
  return compile(selector, deviceFacets(documents, snapshot.devices));
}

/** Compiles a selector on existing facets. An unclear `not` is unclear. */
export function compile(selector: Selector, facets: DeviceFacets): Selects {
  const match = matchBits([selector], facets);
  return (row) => {
    const { sure, unclear } = match(row);
    return hasBit(sure, 0) || (hasBit(unclear, 0) && 'maybe');
  };
}

/** The first key of a selector that rejects the device of a row; undefined if none does. */
export function explainSelector(
  selector: Selector,
  { documents, snapshot }: SelectionFleet,
): (row: number) => keyof Selector | undefined {
  const facets = deviceFacets(documents, snapshot.devices);
  const tests = compileTests(selector, facets);
  const excludes = selector.not && compile(selector.not, facets);
  return (row) => {
    const failing = tests.find(({ holds }) => holds(row) === false);
    return failing?.clause.key ?? (excludes?.(row) === true ? 'not' : undefined);
  };
}

/** Why it is unclear whether a selector selects the device of a row; asked only where it is. */
export type ExplainUnclear = (selector: Selector, row: number) => UnclearBy | undefined;

/** Explains what is unclear in a fleet; each selector is compiled once. */
export function createExplainer(fleet: SelectionFleet): ExplainUnclear {
  const explain = computeOnce((selector: Selector) => explainUnclear(selector, fleet));
  return (selector, row) => explain(selector)(row);
}

function explainUnclear(
  selector: Selector,
  fleet: SelectionFleet,
): (row: number) => UnclearBy | undefined {
  const facets = deviceFacets(fleet.documents, fleet.snapshot.devices);
  const parts = [selector, ...(selector.not ? [selector.not] : [])].map(
    (keys) => [keys, compileTests(keys, facets)] as const,
  );
  return (row) => {
    for (const [keys, tests] of parts) {
      const unclear = tests.find(({ holds }) => holds(row) === 'maybe')?.clause;
      if (unclear) return unclearBy(unclear, { keys, row, facets, fleet });
    }
    return undefined;
  };
}

interface UnclearRow {
  readonly keys: SelectorKeys;
  readonly row: number;
  readonly facets: DeviceFacets;
  readonly fleet: SelectionFleet;
}

function unclearBy({ key, codes, isUnread }: Clause, unclear: UnclearRow): UnclearBy {
  const { keys, row, facets } = unclear;
  if (isUnread(row)) return { field: FIELD_OF[key] ?? key };
  const code = codes[row] ?? 0;
  if (key === 'group') return unclearGroup(code, unclear) ?? { field: key };
  const { vendor, version = '' } = facets.running().values[code] ?? {};
  const other = (keys.firmwareVersion ?? []).join(', ');
  return vendor === UNREAD ? { field: 'vendor' } : { version, other };
}

/** What is unclear about a device in the group that may have it. */
function unclearGroup(
  code: number,
  { keys, row, facets, fleet }: UnclearRow,
): UnclearBy | undefined {
  const groups = facets.groups().values[code];
  const name = groups?.perhaps.find((each) => matchesAny(keys.group ?? [], each));
  const entry = fleet.documents.groups.get(name ?? '')?.value;
  return entry?.is === 'select' ? explainUnclear(entry.select, fleet)(row) : undefined;
}

function compileTests(keys: SelectorKeys, facets: DeviceFacets) {
  return compileClauses(keys, facets).map((clause) => {
    const { codes, holds, isUnread } = clause;
    const answer: Selects = (row) => (isUnread(row) ? 'maybe' : holds(codes[row] ?? 0));
    return { clause, holds: answer };
  });
}
