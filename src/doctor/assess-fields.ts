import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { FieldAssumption } from './field-assumptions.ts';
import {
  confirmed,
  dialectRow,
  notObserved,
  placed,
  several,
  type Assessment,
  type Assessments,
} from './findings.ts';
import { dateKind, fits, listLeaves, type Leaf } from './inventory.ts';
import type { AnswerRow } from './probing.ts';

export interface FieldRows {
  readonly rows: readonly AnswerRow[];
  readonly dialect: Dialect;
  /** Members that refer to something else, such as a site: what is in them is not about the row. */
  readonly references?: readonly string[];
}

/**
 * Judges the paths of the members of rows. A member at the assumed path is confirmed; one that only
 * its name and values tell is suggested if it is the only one; several leave it open.
 */
export function judgeFields(
  { rows, dialect, references = [] }: FieldRows,
  assumptions: readonly FieldAssumption[],
): Assessments {
  if (rows.length === 0)
    return new Map(assumptions.map(({ key }) => [key, notObserved('noRows')] as const));
  const isOwn = ({ path }: Leaf): boolean =>
    !references.some((each) => each !== '' && `${path}.`.startsWith(`${each}.`));
  const leaves = listLeaves(rows).filter(isOwn);
  const used = new Set(
    assumptions.map(({ key }) => dialect[key]).filter((path) => leafAt(leaves, path)),
  );
  return new Map(
    assumptions.map((each) => {
      const free = leaves.filter(({ path }) => path === dialect[each.key] || !used.has(path));
      return [
        each.key,
        judgeField(each, dialect[each.key], { leaves: free, rowCount: rows.length }),
      ];
    }),
  );
}

interface Among {
  readonly leaves: readonly Leaf[];
  readonly rowCount: number;
}

function judgeField(
  assumption: FieldAssumption,
  path: string,
  { leaves, rowCount: many }: Among,
): Assessment {
  const found = leafAt(leaves, path);
  if (found && isUsable(found, assumption)) return placed(path, found, many);
  const [best, ...others] = findCandidates(assumption, leaves);
  if (best && others.length === 0) return placed(path, best, many);
  if (best)
    return several(
      [best, ...others].map((each) => each.path),
      best.path,
    );
  if (found) return { verdict: 'untellable', code: 'otherKind', params: { path } };
  if (path === '') return confirmed('unneeded', { of: many });
  const mayBeEmpty = dialectRow(assumption.key).empty !== undefined;
  return { ...notObserved('absent', { path, of: many }), ...(mayBeEmpty && { possible: '' }) };
}

/** Lists of models are as good as one model. */
function isUsable(leaf: Leaf, { key, wants }: FieldAssumption): boolean {
  return fits(leaf, wants) || (key === 'firmwarePathModelField' && fits(leaf, 'list'));
}

/** The members that fit best: the same name elsewhere, else a name that contains it, else one alike. */
function findCandidates(assumption: FieldAssumption, leaves: readonly Leaf[]): readonly Leaf[] {
  const ranked = leaves
    .filter((leaf) => isUsable(leaf, assumption))
    .map((leaf) => ({ leaf, rank: rankLeaf(leaf, assumption) }))
    .filter(({ rank }) => rank > 0);
  const best = Math.max(0, ...ranked.map(({ rank }) => rank));
  const found = ranked.filter(({ rank }) => rank === best).map(({ leaf }) => leaf);
  // Of one date in several forms, the one that is read in every dialect.
  const iso =
    assumption.wants === 'date'
      ? found.filter(({ values }) => values.every((value) => dateKind(value) === 'iso'))
      : [];
  return iso.length > 0 && areSiblings(found) ? iso : found;
}

function areSiblings(leaves: readonly Leaf[]): boolean {
  return new Set(leaves.map(({ path }) => path.slice(0, path.lastIndexOf('.')))).size === 1;
}

/** Names that many members have; alone they say nothing. */
const COMMON = /^(?:id|name|type|kind|model|status|state|version|path|from|to|vendor|message)$/;

function rankLeaf({ path, values }: Leaf, { key, like, unlike, words }: FieldAssumption): number {
  const name = plain(path.split('.').at(-1) ?? '');
  const own = plain(String(dialectRow(key).default).split('.').at(-1) ?? '');
  if (unlike?.test(plain(path))) return 0;
  const isLike = like.every((each) => each.test(plain(path)));
  if (isLike && name === own) return 4;
  if (words && speaks(values, words)) return 3;
  if (name === own && !COMMON.test(own)) return 3;
  if (isLike && own !== '' && name.includes(own)) return 2;
  return isLike ? 1 : 0;
}

/** Whether values are these words alone, and tell more than that nothing is known: so much many members say. */
function speaks(values: readonly unknown[], words: readonly string[]): boolean {
  const isOwn = (value: unknown): boolean => typeof value === 'string' && words.includes(value);
  return values.every(isOwn) && values.some((value) => value !== 'unknown');
}

function plain(path: string): string {
  return path.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function leafAt(leaves: readonly Leaf[], path: string): Leaf | undefined {
  return path === '' ? undefined : leaves.find((leaf) => leaf.path === path);
}

/** Judges every key alike, where what they are about was not read. */
export function judgeAll(keys: readonly DialectKey[], assessment: Assessment): Assessments {
  return new Map(keys.map((key) => [key, assessment]));
}
