import type { Instant } from '../lib/time.ts';
import { DIALECT_ROWS } from '../dialect.gen.ts';
import type { Check, DatedChange } from '../model/report/checkup.ts';
import { readsCheck } from './failure-check.ts';
import { judgeChanges } from './dated-changes.ts';
import { examineDeviceReads } from './device-reads.ts';
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
} from './lists.ts';
import { examineDevices } from './paging.ts';
import { PROBED_PATHS, probe, type AnswerRow, type Probing } from './probing.ts';
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
