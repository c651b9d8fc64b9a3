import { findAllClear } from '../../model/report/all-clear.ts';
import { formatDuration, formatInstant } from '../../lib/time.ts';
import {
  REPORT_VERSION,
  type Cell,
  type FleetReport,
  type ReportName,
  type ReportNotice,
  type ReportRow,
} from '../../model/report/fleet-report.ts';
import { REPORT_FIELDS } from '../../model/report/report-fields.gen.ts';
import { measuresOf, type ReportField } from '../../model/report/report-fields.ts';
import { jsonText } from '../../lib/json-text.ts';
import { csvLine } from '../sinks/sinks.ts';

/** The rows of a report, unfiltered: of devices, or what the report counts instead. */
function reportRows(report: FleetReport, name: ReportName): readonly ReportRow[] {
  switch (name) {
    case 'overview':
      return report.totals.map(({ states: _states, ...total }) => total);
    case 'availability':
      return report.availability.rows;
    case 'alerts':
      return report.alerts;
    default:
      return report.devices;
  }
}

export function reportNotices({ notices }: FleetReport, name: ReportName): readonly ReportNotice[] {
  return notices.filter(({ code }) => NOTED_IN[code]?.includes(name) ?? true);
}

/** Notices that concern some reports alone. */
const NOTED_IN: Readonly<Partial<Record<ReportNotice['code'], readonly ReportName[]>>> = {
  oneSnapshot: ['availability'],
  gap: ['availability'],
  cvesNotRead: ['overview', 'vulnerabilities', 'alerts'],
  noDocuments: ['overview', 'compliance', 'vulnerabilities', 'credentials', 'alerts'],
};

/** A report as one JSON document, in pieces: everything but the rows first. */
export function* reportJson(report: FleetReport, name: ReportName): Generator<string> {
  const head = jsonText({ ...headJson(report, name), rows: [] });
  const rows = reportRows(report, name);
  if (rows.length === 0) return yield `${head}\n`;
  const fields = REPORT_FIELDS[name];
  yield head.slice(0, head.lastIndexOf('[')) + '[\n';
  let before = '';
  for (const row of rows) {
    yield `${before}    ${jsonText(pick(row, fields), 0)}`;
    before = ',\n';
  }
  yield '\n  ]\n}\n';
}

export function* reportNdjson(report: FleetReport, name: ReportName): Generator<string> {
  const fields = REPORT_FIELDS[name];
  for (const row of reportRows(report, name))
    yield `${jsonText({ version: REPORT_VERSION, report: name, ...pick(row, fields) }, 0)}\n`;
}

/** A line for each row, with the names of the fields first; the first column is the fleet, where it is one of several. */
export function* reportCsv(
  report: FleetReport,
  name: ReportName,
  fleet?: string,
): Generator<string> {
  const fields = REPORT_FIELDS[name];
  const [title, own] = fleet === undefined ? [[], []] : [['fleet'], [fleet]];
  yield csvLine([...title, ...fields.map((field) => field.name)]);
  for (const row of reportRows(report, name))
    yield csvLine([...own, ...fields.map((field) => rowCell(row[field.name] ?? null, field))]);
}

/** A cell as text, or a number; empty where there is nothing to say. */
export function rowCell(cell: Cell, { type }: ReportField): string | number {
  if (cell === null) return '';
  if (type === 'number' && typeof cell === 'number') return cell;
  if (typeof cell === 'object') return cell.join(' ');
  return type === 'instant' ? formatInstant(Number(cell)) : String(cell);
}

function pick(row: ReportRow, fields: readonly ReportField[]): Readonly<Record<string, Cell>> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const cell = row[name] ?? null;
      return [name, type === 'instant' && cell !== null ? formatInstant(Number(cell)) : cell];
    }),
  );
}

/** Instants of totals of availability. */
const SPAN_FIELDS: ReadonlySet<string> = new Set(['from', 'to']);

function headJson(report: FleetReport, name: ReportName): object {
  const measures = measuresOf(name);
  const { within, hardenedAge, offlineFor, severity, maxGap } = report.limits;
  return {
    version: REPORT_VERSION,
    report: name,
    evaluatedAt: formatInstant(report.evaluatedAt),
    organization: report.organization,
    sources: report.sources.map((source) => ({
      ...source,
      takenAt: formatInstant(source.takenAt),
    })),
    notices: reportNotices(report, name).map(withInstants),
    ...(report.situation && {
      outcome: findAllClear(report.situation).exit,
      coverage: report.situation.coverage,
    }),
    limits: {
      within: formatDuration(within),
      hardenedAge: formatDuration(hardenedAge),
      offlineFor: formatDuration(offlineFor),
      severity,
      maxGap: formatDuration(maxGap),
    },
    ...(measures.length > 0 && {
      totals: report.totals.filter(({ measure }) => measures.includes(measure)),
    }),
    ...(name === 'availability' && { totals: report.availability.totals.map(withInstants) }),
    ...(name === 'vulnerabilities' && { cves: report.cves }),
    ...(name === 'alerts' && { undecided: report.undecided }),
  };
}

function withInstants(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      SPAN_FIELDS.has(key) && typeof member === 'number' ? formatInstant(member) : member,
    ]),
  );
}
