// The types of what commands print, made from the schemas of their JSON (`src/model/report/output.gen.ts`): what people
// read as JSON and what code computes is said there once. JSON has instants as RFC 3339, code as milliseconds.
import { readFile } from 'node:fs/promises';
import { definitionIn, schemaTypes } from './schema-types.mjs';

/** By schema: the types of its definitions, and of its whole as `''`. */
const NAMES = {
  apply: {
    beside: 'ClosedBeside',
    unrecorded: 'Unrecorded',
    requestCounts: 'RequestCounts',
    requests: 'RunRequests',
    endedEarly: 'EndedEarly',
  },
  audit: {
    allowed: 'AuditAllowed',
    settlement: 'AuditSettlement',
    intent: 'AuditIntent',
    attempt: 'AuditAttempt',
    basis: 'AuditBasis',
    plan: 'AuditPlan',
    event: 'AuditEvent',
    run: 'AuditRun',
    '': 'AuditView',
  },
  doctor: {
    check: 'Check',
    observed: 'Observed',
    assumption: 'AssumptionFinding',
    unreadField: 'UnreadField',
    datedChange: 'DatedChange',
    '': 'CheckupReport',
  },
  event: {
    runStarted: 'RunStarted',
    runEnded: 'RunEnded',
    phase: 'PhaseBegun',
    planMade: 'PlanMade',
    attemptSent: 'AttemptSent',
    attemptAnswered: 'AttemptAnswered',
    taskProgress: 'TaskProgress',
    changeEnded: 'ChangeEnded',
    waiting: 'Waiting',
    stopTripped: 'StopTripped',
    ledgerLost: 'LedgerLost',
    ledgerBack: 'LedgerBack',
    warning: 'RunWarning',
    dropped: 'EventsDropped',
    '': 'RunEvent',
  },
  explain: { field: 'DocumentField' },
  init: { '': 'InitSummary' },
  'plan-horizon': { entry: 'CalendarEntry', calendar: 'CalendarView' },
  rehearse: {
    finish: 'Finish',
    held: 'HeldBy',
    wave: 'WaveForecast',
    policy: 'PolicyForecast',
    window: 'WindowForecast',
    requests: 'RequestForecast',
    outages: 'SiteOutages',
    duration: 'TaskDuration',
    assumed: 'Assumed',
    ended: 'EndedRuns',
    courses: 'CoursesReport',
    '': 'RehearsalReport',
  },
  report: { total: 'MeasureTotal', cve: 'CveTotal', source: 'ReportSource' },
  status: {
    stopped: 'StoppedBy',
    effects: 'StopEffects',
    stop: 'StopReport',
    wave: 'WaveStatus',
    reasons: 'ReasonCount',
    debt: 'DebtStatus',
    policy: 'PolicyStatus',
    open: 'OpenStatus',
    run: 'RunStatus',
    '': 'StatusReport',
  },
  who: { governed: 'Governed', '': 'Who' },
  why: {
    claim: 'PolicyReference',
    exemption: 'Exempting',
    standing: 'StandingBefore',
    step: 'Step',
    task: 'TaskWhy',
    '': 'Why',
  },
};

/** Types that stand for definitions of other schemas, and for those that are written by hand. */
const OWN = {
  at: 'At',
  '../dialect': 'WrittenDialect',
  columnCounts: 'ColumnCounts',
  coverage: 'Coverage',
  device: 'DeviceLabel',
  diagnostic: 'Diagnostic',
  instant: 'Instant',
  params: 'Params',
  part: 'PlanPart',
  passed: 'Passed',
  past: 'PastIntent',
  pause: 'PauseNote',
  place: 'SourceLocation',
  reason: 'Reason',
  task: 'TaskType',
  values: 'Values',
  verdict: 'GuardrailVerdict',
};

/** Members whose schema takes any text or any values. */
const MEMBERS = {
  'assumption.key': 'DialectKey',
  'assumption.assumed': 'DialectValue',
  'assumption.suggested': 'DialectValue',
  'assumption.possible': 'DialectValue',
  'unreadField.keys': 'readonly DialectKey[]',
  'warning.parameters': 'Readonly<Record<string, unknown>>',
  'stopped.verdict': 'ResultVerdict',
  'settlement.verdict': 'ResultVerdict',
  'event.verdict': 'ResultVerdict',
  'attempt.outcome': 'PostOutcome',
  'held.code': 'ReasonCode',
  'step.code': 'ReasonCode',
  'step.why': 'ReasonWhy',
  'exemption.type': "Exception['type']",
  'task.needs': 'readonly Need[]',
  'result.cause': 'Cause',
  'result.starts': 'string',
  'result.ends': 'string',
  'task.others': 'readonly (PolicyReference & { readonly clause: string })[]',
};

const HEAD =
  '// Generated from schemas/output/*.schema.json by test/tools/generate.mjs. Do not edit.\n';

/** What JSON says besides what code computes: its version, and texts for people. */
const TOLD = ['version', 'age', 'origin', 'origins', 'authors', 'says', 'service', 'horizon'];

/** Files whose `next` is such a text. */
const NEXT_TOLD = ['doctor'];

/** The text of `src/model/report/output.gen.ts`. */
export async function outputTypes(root) {
  const files = Object.keys(NAMES).filter((file) => file !== 'audit');
  // An event is the same for a reader of JSON and for a program.
  const texts = files.map((file) =>
    typesOf(root, file, file === 'event' ? { ...OWN, instant: 'string' } : OWN),
  );
  return `${HEAD}import type { Instant } from '../../lib/time.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import type { Exception } from '../documents/policy.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { Params } from '../error.ts';
import type { DialectKey, WrittenDialect } from '../fleet/dialect.ts';
import type { Need } from '../fleet/snapshot.ts';
import type { TaskType } from '../fleet/task.ts';
import type { PastIntent } from '../ledger/memory.ts';
import type { ResultVerdict } from '../ledger/record.ts';
import type { Cause, DeviceLabel, Passed, Values } from '../plan/change.ts';
import type { Coverage } from '../plan/coverage.ts';
import type { ColumnCounts } from '../plan/actor.ts';
import type { PlanPart } from '../plan/part.ts';
import type { GuardrailVerdict, PauseNote } from '../plan/plan.ts';
import type { Reason, ReasonCode, ReasonWhy } from '../plan/reason.ts';
import type { DialectValue } from '../../dialect.gen.ts';

${(await Promise.all(texts)).join('\n')}`;
}

/** The commands whose JSON the library returns as it is printed. */
const PRINTED =
  'apply audit audit-verify drift explain get-item get-list init pause resolve unlock who why withdraw'.split(
    ' ',
  );

/** The text of `src/library/outputs.gen.ts`: what commands print, with all that their schemas refer to in place. */
export async function libraryTypes(root) {
  const types = PRINTED.map(async (file) => {
    const name = file.replaceAll(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase());
    return printedType(root, `output/${file}`, `${name}Output`);
  });
  return `${HEAD}${(await Promise.all(types)).join('\n')}`;
}

async function printedType(root, file, type) {
  const known = new Map();
  const read = async (at) => {
    if (known.has(at)) return;
    const schema = JSON.parse(await readFile(new URL(`schemas/${at}.schema.json`, root), 'utf8'));
    known.set(at, schema);
    for (const [, to] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)[#"]/g))
      await read(placeOf(to, at));
  };
  await read(file);
  const typeIn = (at, open) =>
    schemaTypes((reference) => {
      const [to, name] = reference.split('#/$defs/');
      const there = to === '' ? at : placeOf(to, at);
      const id = `${there} ${name}`;
      if (open.includes(id)) return 'unknown';
      const schema = name === undefined ? known.get(there) : known.get(there).$defs[name];
      return typeIn(there, [...open, id])('', { ...schema, description: undefined }, '')
        .replace(/^export type {2}= /, '')
        .replace(/;\n$/, '');
    });
  return typeIn(file, [])(type, known.get(file), '');
}

/** The path of a schema, as one at this path names it. */
function placeOf(reference, from) {
  return new URL(reference.replace('.schema.json', ''), `file:///${from}`).pathname.slice(1);
}

/** The text of `src/model/ledger/audit.gen.ts`: an audit has instants as its records have them. */
export async function auditTypes(root) {
  const own = {
    ...OWN,
    instant: 'string',
    sums: 'RunSums',
    head: 'LedgerHead',
    partIds: 'FleetPart',
  };
  return `${HEAD}import type { TaskType } from '../fleet/task.ts';
import type { FleetPart } from '../plan/part.ts';
import type { LedgerHead, PostOutcome, ResultVerdict } from './record.ts';
import type { RunSums } from './run-sums.ts';

${await typesOf(root, 'audit', own)}`;
}

/** The types of one schema, where `own` stands for definitions that it does not name. */
async function typesOf(root, file, own) {
  const text = await readFile(new URL(`schemas/output/${file}.schema.json`, root), 'utf8');
  const { $defs = {}, ...whole } = JSON.parse(text);
  const names = NAMES[file];
  const refer = (reference) => {
    const name = definitionIn(reference);
    return (reference.startsWith('#') && names[name]) || own[name];
  };
  const declared = schemaTypes(refer, MEMBERS);
  return Object.entries(names)
    .map(([name, type]) => declared(type, withoutTold(file, $defs[name] ?? whole), name))
    .join('\n');
}

/** The text of `src/model/report/report-fields.gen.ts`: the fields of the rows of each report, in their order. */
export async function reportFields(root) {
  const text = await readFile(new URL('schemas/output/report.schema.json', root), 'utf8');
  const { $defs, properties } = JSON.parse(text);
  const fields = properties.report.enum.map((name) => [
    name,
    Object.entries($defs[name].properties).map(([field, each]) => ({
      name: field,
      type: cellType(each),
    })),
  ]);
  return `// Generated from schemas/output/report.schema.json by test/tools/generate.mjs. Do not edit.
import type { ReportName } from './fleet-report.ts';
import type { ReportField } from './report-fields.ts';

export const REPORT_FIELDS: Readonly<Record<ReportName, readonly ReportField[]>> = ${JSON.stringify(Object.fromEntries(fields))};
`;
}

/** The type of a cell; null is one of each. */
function cellType({ type, anyOf }) {
  if (anyOf) return 'instant';
  const [only] = [type].flat();
  return { string: 'text', array: 'list' }[only] ?? only;
}

function withoutTold(file, { properties, ...schema }) {
  if (!properties) return schema;
  const told = NEXT_TOLD.includes(file) ? [...TOLD, 'next'] : TOLD;
  const members = Object.entries(properties).filter(
    ([name, { $ref = '' }]) => !told.includes(name) && !$ref.endsWith('/outcome'),
  );
  return { ...schema, properties: Object.fromEntries(members) };
}
