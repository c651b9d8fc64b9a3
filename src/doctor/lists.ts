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
} from './findings.ts';
import { listLeaves } from './inventory.ts';
import { isOk, PROBED_PATHS, probe, readPage, valueAt } from './probing.ts';
import type { AnswerRow, ProbeAnswer, Probing, Query } from './probing.ts';
import {
  judgeReferences,
  judgeUniqueId,
  listed,
  type ListedNames,
  type ReferenceKeys,
} from './references.ts';
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
