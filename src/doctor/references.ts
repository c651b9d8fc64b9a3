import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import {
  compared,
  confirmed,
  notObserved,
  placed,
  several,
  type Assessment,
  type Assessments,
} from './findings.ts';
import { listLeaves, type Leaf } from './inventory.ts';
import { valueAt, type AnswerRow } from './probing.ts';
import { isObject } from '../lib/objects.ts';

/** The sites or sources that the service lists, by which a reference to one is recognized. */
export interface ListedNames {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** The keys that describe one kind of reference. */
export interface ReferenceKeys {
  readonly field: Extract<DialectKey, `${string}Field`>;
  readonly form?: 'deviceSitesForm' | 'deviceSourcesForm' | 'discoveredSourceForm';
  readonly id?: 'siteIdField' | 'sourceIdField';
  readonly name?: 'siteNameField' | 'sourceNameField';
  /** The ID of an entry, where another reference of the same kind has a key for it. */
  readonly sharedId?: 'siteIdField' | 'sourceIdField';
  /** Matches the path where nothing listed confirms it. */
  readonly like: RegExp;
}

export function listed(rows: readonly AnswerRow[] | undefined): ListedNames {
  const texts = (name: string): ReadonlySet<string> =>
    new Set((rows ?? []).map((row) => row[name]).flatMap(asTexts));
  return { ids: texts('id'), names: texts('name') };
}

/**
 * Judges where rows refer to sites or sources: by the ids and names that the service lists, so that
 * no name has to be guessed.
 */
export function judgeReferences(
  { rows, dialect }: { readonly rows: readonly AnswerRow[]; readonly dialect: Dialect },
  keys: ReferenceKeys,
  known: ListedNames,
): Assessments {
  const all = [keys.field, keys.form, keys.id, keys.name].filter((key) => key !== undefined);
  if (rows.length === 0) return new Map(all.map((key) => [key, notObserved('noRows')]));
  const leaves = listLeaves(rows);
  const path = dialect[keys.field];
  const own = leaves.find((leaf) => leaf.path === path && path !== '');
  const candidates = own ? [own] : findReferences(leaves, keys, known);
  const [leaf, ...others] = candidates;
  if (!leaf) {
    const rest = all.map((key) => [key, notObserved('noRows')] as const);
    return new Map([...rest, [keys.field, unnamed(path, rows.length)]]);
  }
  const paths = candidates.map((each) => each.path);
  const field = others.length > 0 ? several(paths, leaf.path) : placed(path, leaf, rows.length);
  const inner = findInnerId(leaf, { dialect, keys, known });
  return new Map([[keys.field, inner ?? field], ...judgeEntries(leaf, { dialect, keys, known })]);
}

interface Reading {
  readonly dialect: Dialect;
  readonly keys: ReferenceKeys;
  readonly known: ListedNames;
}

/**
 * Where a reference has its ID at another place than the references of devices, whose key it shares: the
 * ID itself is a reference, too.
 */
function findInnerId(
  { path, values }: Leaf,
  { dialect, keys: { field, sharedId }, known }: Reading,
): Assessment | undefined {
  const objects = values.filter(isObject);
  if (sharedId === undefined || objects.length === 0) return undefined;
  const { suggested } = judgeMember(objects, dialect[sharedId], [known.ids, /id$/i]);
  if (suggested === undefined) return undefined;
  const inner = { path: `${path}.${String(suggested)}`, count: objects.length };
  return placed(dialect[field], inner, values.length);
}

/** How references look: a list or one, and where an entry has its id and its name. */
function judgeEntries(leaf: Leaf, { dialect, keys, known }: Reading): [DialectKey, Assessment][] {
  const { form: formKey, id: idKey, name: nameKey } = keys;
  const judged: [DialectKey, Assessment][] = [];
  const form = leaf.values.some(Array.isArray) ? 'list' : 'one';
  if (formKey) judged.push([formKey, compared(dialect[formKey], form, ['form', { form }])]);
  const entries = leaf.values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const objects = entries.filter(isObject);
  if (entries.length === 0) return judged;
  if (idKey && objects.length === 0)
    judged.push([idKey, compared(dialect[idKey], '', ['whole', {}])]);
  if (nameKey && objects.length === 0)
    judged.push([nameKey, unnamed(dialect[nameKey], entries.length)]);
  if (objects.length === 0) return judged;
  if (idKey) judged.push([idKey, judgeMember(objects, dialect[idKey], [known.ids, /id$/i])]);
  if (nameKey)
    judged.push([nameKey, judgeMember(objects, dialect[nameKey], [known.names, /name$/i])]);
  return judged;
}

/** The member whose values are listed most often; without a list, the one that its name suggests. */
function judgeMember(
  objects: readonly AnswerRow[],
  path: string,
  [known, like]: readonly [ReadonlySet<string>, RegExp],
): Assessment {
  const many = objects.length;
  const leaves = listLeaves(objects);
  const share = (leaf: Leaf | undefined): number =>
    leaf ? leaf.values.flatMap(asTexts).filter((text) => known.has(text)).length : 0;
  const own = leaves.find((leaf) => leaf.path === path);
  if (own && (known.size === 0 || share(own) > 0)) return placed(path, own, many);
  const ranked = leaves
    .map((leaf) => ({ leaf, rank: known.size > 0 ? share(leaf) : Number(like.test(leaf.path)) }))
    .filter(({ rank }) => rank > 0)
    .sort(
      (a, b) => b.rank - a.rank || Number(like.test(b.leaf.path)) - Number(like.test(a.leaf.path)),
    );
  const best = ranked[0]?.leaf;
  return best ? placed(path, best, many) : unnamed(path, many);
}

/** A member that no row has: right where the dialect says that there is none. */
function unnamed(path: string, of: number): Assessment {
  if (path === '') return confirmed('unneeded');
  return { ...notObserved('absent', { path, of }), possible: '' };
}

/** The members that refer to something listed; where nothing is, those that their name suggests. */
function findReferences(
  leaves: readonly Leaf[],
  { like }: ReferenceKeys,
  { ids, names }: ListedNames,
): readonly Leaf[] {
  const isKnown = (text: string): boolean => ids.has(text) || names.has(text);
  const entriesIn = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : [value];
  const refers = (value: unknown): boolean =>
    entriesIn(value).some((entry) =>
      (isObject(entry) ? Object.values(entry) : [entry]).flatMap(asTexts).some(isKnown),
    );
  const refersWithin = (value: unknown): boolean =>
    listLeaves(entriesIn(value).filter(isObject)).some((leaf) =>
      leaf.values.flatMap(asTexts).some(isKnown),
    );
  const named = leaves.filter(({ path }) => like.test(path));
  const outer = named.filter(
    ({ path }) => !named.some((other) => path.startsWith(`${other.path}.`)),
  );
  if (ids.size + names.size === 0) return outer;
  const referring = outer.filter(({ values }) => values.some(refers));
  if (referring.length > 0) return referring;
  // A wrapper, such as `outer`, refers to nothing itself; what is in it may.
  const inner = named.filter(({ values }) => values.some(refers)).slice(0, 1);
  return inner.length > 0 ? inner : outer.filter(({ values }) => values.some(refersWithin));
}

function asTexts(value: unknown): readonly string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Names of an ID, and names of what may serve as one. */
const ID_NAMES: readonly RegExp[] = [/(?:id|key|uuid|guid|ref)\w?$/i, /mac|serial/i];

/** Where discovered devices have their id: unique in every row. */
export function judgeUniqueId(rows: readonly AnswerRow[], path: string): Assessment {
  if (rows.length === 0) return notObserved('noRows');
  const isUnique = (at: string): boolean => {
    const ids = rows.map((row) => valueAt(row, at)).flatMap(asTexts);
    return ids.length === rows.length && new Set(ids).size === rows.length;
  };
  const count = rows.length;
  if (isUnique(path)) return placed(path, { path, count }, count);
  const unique = listLeaves(rows)
    .map((leaf) => leaf.path)
    .filter(isUnique);
  const [found = []] = ID_NAMES.map((like) => unique.filter((each) => like.test(each))).filter(
    (each) => each.length > 0,
  );
  const [best] = found;
  if (best === undefined) return { verdict: 'untellable', code: 'otherKind', params: { path } };
  return found.length === 1 ? placed(path, { path: best, count }, count) : several(found, best);
}
