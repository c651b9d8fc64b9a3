import { pick } from '../../lib/objects.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import type { Params } from '../../model/error.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { reasonWords } from '../words/reasons.ts';

interface SharedReason {
  /** With the earliest of its instants, and only the parameters that all of them share. */
  readonly reason?: Reason;
  readonly sinceDiffers: boolean;
  /** When the last one may continue, if that is later than the first. */
  readonly lastNext?: Instant;
}

/** Rows with one reason and one next step, of any policy. */
export interface ReasonGroup<Row> extends SharedReason {
  /** Those with most changes first. */
  readonly rows: readonly [Row, ...Row[]];
  readonly count: number;
  /** Largest first. */
  readonly policies: readonly { readonly policy: string; readonly count: number }[];
  /** How many sites they are at; devices without a site do not count. */
  readonly sites: number;
}

/** What a fold looks at in a row. */
interface RowParts {
  readonly policy: string;
  readonly count: number;
  readonly reasons: readonly Reason[];
  readonly sites?: readonly string[];
}

/** Rows by their reason, the largest group first: what waits, needs somebody, or was not started. */
export function foldReasons<Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  partsOf: (row: Row) => RowParts,
): readonly ReasonGroup<Row>[] {
  return [...groupBy(rows, keyOf).values()]
    .map((alike): ReasonGroup<Row> => {
      const sorted = alike
        .map((row) => ({ row, ...partsOf(row) }))
        .sort((a, b) => b.count - a.count);
      const policies = [...groupBy(sorted, ({ policy }) => policy)]
        .map(([policy, each]) => ({ policy, count: sumCounts(each) }))
        .sort((a, b) => b.count - a.count);
      const sites = new Set(sorted.flatMap((each) => each.sites ?? []));
      sites.delete('');
      return {
        rows: sorted.map(({ row }) => row) as [Row, ...Row[]],
        count: sumCounts(sorted),
        policies,
        sites: sites.size,
        ...shareReason(sorted.flatMap(({ reasons }) => reasons)),
      };
    })
    .sort((a, b) => b.count - a.count);
}

/** What reasons have in common that one line may show: a code, a subcode and one next step. */
export function stepKey(reason: Reason): string {
  const { code, why, next } = reason;
  const step = typeof next === 'number' ? '' : reasonWords(reason).next;
  return [code, why ?? '', step].join('\n');
}

/** Values that a line may list where they differ, up to `LISTED` of them. */
const LISTABLE = new Set([
  'budget',
  'exception',
  'field',
  'other',
  'policy',
  'rule',
  'site',
  'status',
  'version',
]);
const LISTED = 3;

/**
 * One reason for reasons with the same code and subcode: a sentence about many devices must not
 * name the site or the version of one of them. Instants and parameters that differ are left out,
 * except for the earliest. No reason gives none.
 */
function shareReason(all: readonly Reason[]): SharedReason {
  const [first, ...others] = all;
  if (!first) return { sinceDiffers: false };
  if (others.length === 0) return { reason: first, sinceDiffers: false };
  const nexts = all.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const sinces = all.flatMap(({ since }) => (since === undefined ? [] : [since]));
  const [soonest, latest] = [least(nexts), nexts.reduce((a, b) => Math.max(a, b), -Infinity)];
  const next = soonest ?? first.next;
  const since = least(sinces);
  const params = Object.keys(first.params ?? {}).flatMap((name) => {
    const value = shareValue(name, all);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    reason: {
      ...pick(first, 'code', 'why'),
      ...(since !== undefined && { since }),
      ...(next !== undefined && { next }),
      ...(params.length > 0 && { params: Object.fromEntries(params) }),
    },
    sinceDiffers: new Set(sinces).size > 1,
    ...(soonest !== undefined && latest > soonest && { lastNext: latest }),
  };
}

/** The value that all share, or a short list of them; undefined if that says nothing. */
function shareValue(name: string, all: readonly Reason[]): Params[string] | undefined {
  const values = new Set(all.map(({ params }) => params?.[name]));
  if (values.has(undefined)) return undefined;
  const [first] = values;
  if (values.size === 1) return first;
  if (!LISTABLE.has(name) || values.size > LISTED) return undefined;
  return [...values].join(', ');
}

function least(instants: readonly Instant[]): Instant | undefined {
  return instants.length === 0 ? undefined : instants.reduce((a, b) => Math.min(a, b));
}
