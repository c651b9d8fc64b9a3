import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { Check } from '../model/report/checkup.ts';
import { judgeList } from './device-reads.ts';
import { check, failureCheck, listCheck } from './failure-check.ts';
import { DISCOVERED_FIELDS, FIRMWARE_PATH_FIELDS, STEP_FIELDS } from './field-assumptions.ts';
import { judgeAll, judgeFields } from './assess-fields.ts';
import {
  compared,
  correct,
  notObserved,
  placed,
  type Assessment,
  type Assessments,
  confirmed,
  several,
} from './findings.ts';
import { listLeaves, type Leaf } from './inventory.ts';
import {
  isOk,
  PROBED_PATHS,
  probe,
  readPage,
  valueAt,
  type AnswerRow,
  type ProbeAnswer,
  type Probing,
  type Query,
} from './probing.ts';
import { isObject, objectsIn } from '../lib/objects.ts';

/** Sites, sources and discovered devices, as far as they could be read. */
export interface ListsRead {
  readonly checks: readonly Check[];
  readonly sites: ListedNames;
  readonly sources: ListedNames;
  readonly hasSiteStatus: boolean | undefined;
  readonly discovered: readonly AnswerRow[];
  readonly discoveredStatus: number;
}

const WHOLE: Query = { limit: '1000', offset: '0' };

export function* examineCollections(): Probing<ListsRead> {
  const sites = yield* readPage('sites', WHOLE);
  const sources = yield* readPage('deviceSources', WHOLE);
  const discovered = yield* readPage('discoveredDevices', WHOLE);
  const checks = [
    listCheck('sites', sites),
    listCheck('sources', sources),
    listCheck('discovered', discovered),
  ];
  const { rows = [] } = sites;
  return {
    // A fleet can be planned without these lists; policies that need them say what they miss.
    checks: checks.map((each) => (each.state === 'bad' ? { ...each, state: 'note' } : each)),
    sites: listed(sites.rows),
    sources: listed(sources.rows),
    hasSiteStatus: rows.length === 0 ? undefined : rows.some(({ status }) => status !== undefined),
    discovered: discovered.rows ?? [],
    discoveredStatus: discovered.rows ? discovered.answer.status : failedStatus(discovered.answer),
  };
}

/** An answer without the list is as good as none. */
function failedStatus({ status }: ProbeAnswer): number {
  return status >= 200 && status < 300 ? 0 : status;
}

export const DEVICE_SITES: ReferenceKeys = {
  field: 'deviceSitesField',
  form: 'deviceSitesForm',
  id: 'siteIdField',
  name: 'siteNameField',
  like: /site|location|place|geo/i,
};
export const DEVICE_SOURCES: ReferenceKeys = {
  field: 'deviceSourcesField',
  form: 'deviceSourcesForm',
  id: 'sourceIdField',
  name: 'sourceNameField',
  like: /source|integration|vms/i,
};

const DISCOVERED_SITE: ReferenceKeys = {
  field: 'discoveredSiteField',
  sharedId: 'siteIdField',
  like: DEVICE_SITES.like,
};
const DISCOVERED_SOURCE: ReferenceKeys = {
  field: 'discoveredSourceField',
  form: 'discoveredSourceForm',
  sharedId: 'sourceIdField',
  like: DEVICE_SOURCES.like,
};
const DISCOVERED_KEYS: readonly DialectKey[] = [
  'discoveredIdField',
  ...DISCOVERED_FIELDS.map(({ key }) => key),
  'discoveredSourceField',
  'discoveredSourceForm',
  'discoveredSiteField',
];

export function judgeDiscovered(lists: ListsRead, dialect: Dialect): Assessments {
  const { discovered: rows, discoveredStatus: status, sites, sources } = lists;
  if (status < 200 || status >= 300)
    return judgeAll(DISCOVERED_KEYS, notObserved('refused', { status }));
  if (rows.length === 0) return judgeAll(DISCOVERED_KEYS, notObserved('noRows'));
  const references = new Map([
    ...judgeReferences({ rows, dialect }, DISCOVERED_SOURCE, sources),
    ...judgeReferences({ rows, dialect }, DISCOVERED_SITE, sites),
  ]);
  const { discoveredSourceField, discoveredSiteField } = correct(dialect, references);
  const own = { rows, dialect, references: [discoveredSourceField, discoveredSiteField] };
  return new Map<DialectKey, Assessment>([
    ['discoveredIdField', judgeUniqueId(rows, dialect.discoveredIdField)],
    ...judgeFields(own, DISCOVERED_FIELDS),
    ...references,
  ]);
}

/** What the list of upgrade paths showed: its shape, and whether the user is Admin. */
interface PathsRead {
  readonly judged: Assessments;
  readonly check: Check;
  readonly status: number;
}

const FIRMWARE_PATH_KEYS: readonly DialectKey[] = [
  'firmwarePathsListField',
  'firmwarePathsPages',
  ...FIRMWARE_PATH_FIELDS.map(({ key }) => key),
];

export function* examineFirmwarePaths(dialect: Dialect): Probing<PathsRead> {
  const isPaged = dialect.firmwarePathsPages !== 'whole';
  let pages: Dialect['firmwarePathsPages'] = isPaged ? 'paged' : 'whole';
  let answer = yield* probe(PROBED_PATHS.firmwarePaths, isPaged ? WHOLE : {});
  if (isPaged && [400, 422].includes(answer.status)) {
    answer = yield* probe(PROBED_PATHS.firmwarePaths);
    if (isOk(answer)) pages = 'whole';
  }
  const { status } = answer;
  if (!isOk(answer)) {
    const none = notObserved('refused', { status });
    const judged = new Map(judgeAll(FIRMWARE_PATH_KEYS, none));
    const noPages = compared(dialect.firmwarePathsPages, 'none', ['refused', { status }]);
    if (status === 404) judged.set('firmwarePathsPages', noPages);
    return { judged, status, check: rightsCheck(answer) };
  }
  const list = judgeList(answer.value, dialect.firmwarePathsListField);
  const at = String(list.suggested ?? dialect.firmwarePathsListField);
  const rows = objectsIn(valueAt(answer.value, at));
  const judged = new Map(judgeFields({ rows, dialect }, FIRMWARE_PATH_FIELDS));
  judged.set('firmwarePathsListField', list);
  judged.set(
    'firmwarePathsPages',
    compared(dialect.firmwarePathsPages, pages, ['form', { form: pages }]),
  );
  return { judged, status, check: rightsCheck(answer) };
}

function rightsCheck(answer: ProbeAnswer): Check {
  const { status } = answer;
  if (isOk(answer)) return check('rights', 'good', 'rightsAdmin');
  if (status === 403) return check('rights', 'note', 'rightsNotAdmin');
  if (status === 404) return check('rights', 'unknown', 'rightsNoPaths');
  return { ...failureCheck('rights', answer, {}), state: 'unknown' };
}

const STEP_KEYS: readonly DialectKey[] = ['stepsField', ...STEP_FIELDS.map(({ key }) => key)];

/** The steps of a task that a person names: the service lists no tasks. */
export function* examineTask(id: string | undefined, dialect: Dialect): Probing<Assessments> {
  if (id === undefined) return judgeAll(STEP_KEYS, notObserved('taskOnly'));
  const path = `${PROBED_PATHS.tasks}/${encodeURIComponent(id)}`;
  const answer = yield* probe(path, { includeSteps: 'true', ...WHOLE });
  const rows = isOk(answer) ? objectsIn(valueAt(answer.value, 'deviceTasks')) : [];
  if (rows.length === 0)
    return judgeAll(STEP_KEYS, notObserved('refused', { status: answer.status }));
  const lists = listLeaves(rows).filter(({ values }) => values.some(Array.isArray));
  const own = lists.find((leaf) => leaf.path === dialect.stepsField);
  const [leaf = own] = own ? [own] : lists;
  if (!leaf) return judgeAll(STEP_KEYS, notObserved('noRows'));
  const steps = leaf.values.filter(Array.isArray).flat().filter(isObject);
  return new Map<DialectKey, Assessment>([
    ['stepsField', placed(dialect.stepsField, leaf, rows.length)],
    ...judgeFields({ rows: steps, dialect }, STEP_FIELDS),
  ]);
}

/** The sites or sources that the service lists, by which a reference to one is recognized. */
interface ListedNames {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** The keys that describe one kind of reference. */
interface ReferenceKeys {
  readonly field: Extract<DialectKey, `${string}Field`>;
  readonly form?: 'deviceSitesForm' | 'deviceSourcesForm' | 'discoveredSourceForm';
  readonly id?: 'siteIdField' | 'sourceIdField';
  readonly name?: 'siteNameField' | 'sourceNameField';
  /** The ID of an entry, where another reference of the same kind has a key for it. */
  readonly sharedId?: 'siteIdField' | 'sourceIdField';
  /** Matches the path where nothing listed confirms it. */
  readonly like: RegExp;
}

function listed(rows: readonly AnswerRow[] | undefined): ListedNames {
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
function judgeUniqueId(rows: readonly AnswerRow[], path: string): Assessment {
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
