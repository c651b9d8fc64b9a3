import type { Instant } from '../lib/time.ts';
import { DIALECT_ROWS } from '../dialect.gen.ts';
import type { Check, DatedChange, ChangeName } from '../model/report/checkup.ts';
import { readsCheck } from './failure-check.ts';
import { examineDeviceReads, type DeviceReads } from './device-reads.ts';
import { DEVICE_FIELDS } from './field-assumptions.ts';
import { judgeFields } from './assess-fields.ts';
import { compared, correct, notObserved, type Assessment, type Assessments } from './findings.ts';
import { examineFilters, examinePlainFilters } from './honoured.ts';
import { dateKind, listLeaves, fits } from './inventory.ts';
import {
  DEVICE_SITES,
  DEVICE_SOURCES,
  examineCollections,
  examineFirmwarePaths,
  examineTask,
  judgeDiscovered,
  judgeReferences,
  type ListsRead,
} from './lists.ts';
import { examineDevices } from './paging.ts';
import { PROBED_PATHS, probe, type AnswerRow, type Probing, valueAt } from './probing.ts';
import { examineToken } from './token.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';

interface ExamineOptions {
  readonly dialect: Dialect;
  readonly organization: string;
  /** A finished task whose steps to read. */
  readonly task?: string | undefined;
}

export interface Examined {
  readonly checks: readonly Check[];
  readonly judged: Assessments;
  readonly changes: readonly DatedChange[];
  readonly seenAt: readonly Instant[];
}

/** Failures of the list of devices alone; any other would meet every further request, too. */
const OWN_FAILURES: readonly string[] = [
  'forbidden',
  'noEndpoint',
  'listUnnamed',
  'requestRefused',
];

/** No examination sends more requests than this, repeated ones included. */
export const MOST_REQUESTS = 100;

/**
 * Examines a service by reads alone. Each part builds on what the ones before it found out, so that
 * one wrong name does not hide what is behind it. Never throws for anything that a service answers.
 */
export function* examine({ dialect, organization, task }: ExamineOptions): Probing<Examined> {
  const login = yield* examineToken(dialect, organization);
  if (login.token === undefined) return withoutService(login.checks, login.judged, dialect);
  yield { kind: 'bear', token: login.token };
  const devices = yield* examineDevices();
  const failed = devices.checks.find(({ name, state }) => name === 'devices' && state === 'bad');
  if (failed && !OWN_FAILURES.includes(failed.code))
    return withoutService([...login.checks, ...devices.checks], login.judged, dialect);
  const lists = yield* examineCollections();
  const own = judgeRows(devices.rows, dialect, lists);
  const spoken = correct(dialect, own);
  const plain = yield* examinePlainFilters(devices);
  const filters = yield* examineFilters(devices, spoken, plain);
  const reads = yield* examineDeviceReads(devices.rows, spoken);
  const paths = yield* examineFirmwarePaths(spoken);
  const steps = yield* examineTask(task, spoken);
  const tasks = yield* probe(PROBED_PATHS.tasks);
  const found = judgeDiscovered(lists, spoken);
  const untellable = judgeUntellable(devices.rows, lists.discovered, correct(spoken, found));
  const parts = [login.judged, own, filters, reads.judged, paths.judged, steps, found, untellable];
  const judged = new Map(parts.flatMap((part) => [...part]));
  const changes = judgeChanges({
    devices: devices.rows,
    lists,
    reads,
    firmwarePathsStatus: paths.status,
    tasksStatus: tasks.status,
    judged,
  });
  const checks = [
    ...login.checks,
    paths.check,
    ...devices.checks,
    ...plain,
    ...lists.checks,
    ...readsCheck(reads.statuses),
  ];
  return { checks, judged, changes, seenAt: devices.seenAt };
}

function judgeRows(
  rows: readonly AnswerRow[],
  dialect: Dialect,
  { sites, sources }: Pick<Parameters<typeof judgeDiscovered>[0], 'sites' | 'sources'>,
): Assessments {
  const references = new Map([
    ...judgeReferences({ rows, dialect }, DEVICE_SITES, sites),
    ...judgeReferences({ rows, dialect }, DEVICE_SOURCES, sources),
  ]);
  const { deviceSitesField, deviceSourcesField } = correct(dialect, references);
  const own = { rows, dialect, references: [deviceSitesField, deviceSourcesField] };
  return new Map<DialectKey, Assessment>([
    ...references,
    ...judgeFields(own, DEVICE_FIELDS),
    ['dateForm', judgeDateForm(rows, dialect)],
  ]);
}

/** The one date that every device has had since the first version of the interface. */
function judgeDateForm(rows: readonly AnswerRow[], { dateForm }: Dialect): Assessment {
  const leaf = listLeaves(rows).find(({ path }) => path === 'lastSeen');
  const forms = new Set(leaf?.values.map(dateKind));
  const [form] = forms;
  if (forms.size === 0) return notObserved('noRows');
  if (form === undefined || forms.size > 1)
    return { verdict: 'untellable', code: 'otherKind', params: { path: 'lastSeen' } };
  // ISO 8601 is read in every form.
  return form === 'iso' && dateForm !== 'iso'
    ? compared('iso', 'iso', ['dateForm', { form }])
    : compared(dateForm, form, ['dateForm', { form }]);
}

/** Without a token nothing is known but what only a POST could show. */
function withoutService(checks: readonly Check[], judged: Assessments, dialect: Dialect): Examined {
  const untellable = judgeUntellable([], [], dialect);
  const rest = DIALECT_ROWS.map(({ key }) => [key, notObserved('noAnswer')] as const);
  return { checks, judged: new Map([...rest, ...untellable, ...judged]), changes: [], seenAt: [] };
}

/** What only a POST, a task or the owner of the service can show. */
const POST_KEYS: readonly DialectKey[] = [
  'maxDevicesPerTask',
  'taskDeviceField',
  'onboardDeviceField',
  'onboardSecondField',
  'onboardSecondSource',
  'payloadPlace',
  'upgradeVersionField',
  'upgradeMembers',
];
const TASK_KEYS: readonly DialectKey[] = ['onboardedId', 'onboardedIdField'];

/** Ids that come as numbers are probably sent as numbers, too; nothing but a POST proves it. */
export function judgeUntellable(
  devices: readonly AnswerRow[],
  discovered: readonly AnswerRow[],
  { discoveredIdField, taskDeviceType, onboardDeviceType }: Dialect,
): Assessments {
  const post: Assessment = { verdict: 'untellable', code: 'postOnly' };
  return new Map<DialectKey, Assessment>([
    ...POST_KEYS.map((key) => [key, post] as const),
    ...TASK_KEYS.map((key) => [key, { verdict: 'untellable', code: 'taskOnly' }] as const),
    ['autoSettleNegative', { verdict: 'untellable', code: 'ownerOnly' }],
    ['taskDeviceType', idType(devices, 'id', taskDeviceType)],
    ['onboardDeviceType', idType(discovered, discoveredIdField, onboardDeviceType)],
  ]);
}

function idType(rows: readonly AnswerRow[], path: string, assumed: string): Assessment {
  const leaf = listLeaves(rows).find((each) => each.path === path);
  const isNumeric = leaf !== undefined && fits(leaf, 'number');
  if (!isNumeric) return { verdict: 'untellable', code: 'postOnly' };
  const possible = assumed === 'number' ? {} : { possible: 'number' };
  return { verdict: 'untellable', code: 'numericIds', ...possible };
}

/** Everything that shows which changes a service has. */
export interface Evidence {
  readonly devices: readonly AnswerRow[];
  readonly lists: ListsRead;
  readonly reads: DeviceReads;
  readonly firmwarePathsStatus: number;
  /** The status of GET /v1/tasks, which has no GET: 405 shows that it exists. */
  readonly tasksStatus: number;
  readonly judged: Assessments;
}

type Shown = DatedChange['state'];

/** The changes of the service's list, oldest first, and what of a read shows each. */
const CHANGES: readonly (readonly [
  date: string,
  change: ChangeName,
  shownBy: (evidence: Evidence) => Shown,
])[] = [
  ['2025-06-24', 'probes', ({ devices }) => byMember(devices, 'probe')],
  ['2025-09-08', 'vulnerabilities', ({ reads }) => byStatus(reads.statuses.vulnerabilities)],
  ['2025-10-16', 'availableTask', ({ judged }) => byJudged(judged, TASK_FILTERS)],
  ['2026-04-30', 'siteStatus', ({ lists }) => byFlag(lists.hasSiteStatus)],
  ['2026-05-19', 'credentials', ({ reads }) => byStatus(reads.statuses.passwords)],
  ['2026-07-20', 'tasks', ({ tasksStatus: at }) => (at === 404 ? 'unknown' : byStatus(at))],
  ['2026-07-29', 'onboarding', ({ lists }) => byStatus(lists.discoveredStatus)],
  ['2026-08-11', 'deviceFields', ({ judged }) => byJudged(judged, DEVICE_FIELD_KEYS)],
  ['2026-09-27', 'firmware', firmware],
  ['2026-10-08', 'complianceFields', ({ judged }) => byJudged(judged, COMPLIANCE_KEYS)],
];

const TASK_FILTERS: readonly DialectKey[] = ['filterRotatePassword', 'filterRotateSslCertificate'];
const DEVICE_FIELD_KEYS: readonly DialectKey[] = [
  'onboardingDateField',
  'lastHardenedField',
  'recordingStatusField',
  'storageServerField',
  'patchedFirmwareVersionField',
  'orphanedField',
];
const COMPLIANCE_KEYS: readonly DialectKey[] = [
  'vulnerabilitySeverityField',
  'suggestedFirmwareVersionField',
  'suggestedReplacementModelField',
  'passwordExpiryField',
  'sslCertificateExpiryField',
  'sslCertificateStatusField',
  'dot1xCertificateExpiryField',
  'dot1xCertificateStatusField',
];

function judgeChanges(evidence: Evidence): readonly DatedChange[] {
  return CHANGES.map(([date, change, shownBy]) => ({ date, change, state: shownBy(evidence) }));
}

function byMember(rows: readonly AnswerRow[], path: string): Shown {
  if (rows.length === 0) return 'unknown';
  return rows.some((row) => valueAt(row, path) !== undefined) ? 'present' : 'lacking';
}

function byFlag(flag: boolean | undefined): Shown {
  return flag === undefined ? 'unknown' : flag ? 'present' : 'lacking';
}

/** A refusal shows that the endpoint exists; a 404 at a device that exists, that it does not. */
function byStatus(status: number): Shown {
  if (status === 404) return 'lacking';
  const isThere = (status >= 200 && status < 300) || [400, 403, 405].includes(status);
  return isThere ? 'present' : 'unknown';
}

function firmware({ reads, firmwarePathsStatus }: Evidence): Shown {
  const targets = byStatus(reads.statuses.targetFirmware);
  return targets === 'unknown' ? byStatus(firmwarePathsStatus) : targets;
}

/** Present if one of these is there under any name; lacking if several could be and none is. */
function byJudged(judged: Assessments, keys: readonly DialectKey[]): Shown {
  const found = keys.map((key) => judged.get(key)).filter((each) => each !== undefined);
  const isThere = ({ verdict, code, suggested }: Assessment): boolean =>
    (verdict === 'confirmed' && code !== 'unneeded') || Boolean(suggested);
  if (found.some(isThere)) return 'present';
  const isMissing = found.every(
    ({ code, suggested }) => ['absent', 'several', 'unneeded'].includes(code) || suggested === '',
  );
  return isMissing && found.length > 0 ? 'lacking' : 'unknown';
}
