import {
  rateState,
  type FleetReport,
  type MeasureTotal,
  type ReportName,
  type ReportRow,
  type State,
} from '../../model/report/fleet-report.ts';
import { REPORT_FIELDS } from '../../model/report/report-fields.gen.ts';
import { measuresOf, stateField, type ReportField } from '../../model/report/report-fields.ts';
import { reportNotices, rowCell } from '../data/fleet-rows.ts';
import {
  data,
  numbers,
  own,
  say,
  sentence,
  texts,
  told,
  type Block,
  type Inlines,
  type TableBlock,
} from '../tree.ts';
import {
  ALERT_WORDS,
  availabilityBasis,
  availabilityColumns,
  availabilityWords,
  FLEET_WORDS,
  HEADING_WORDS,
  limitWords,
  MEASURE_WORDS,
  noticeWords,
  REPORT_WORDS,
  shareWords,
  sourceWords,
  STATE_WORDS,
  stateCountWords,
  TOTAL_WORDS,
  undecidedWords,
} from '../words/fleet/fleet-words.ts';
import { moment, momentText } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import { reportSentence } from '../words/review/all-clear.ts';

const MOST_SOURCES = 5;

/** How many rows a table of devices shows without `--all`. */
const FIRST = 20;

/** One report of a fleet: its sources, totals, and the devices that need attention. */
export function reportBlocks(report: FleetReport, name: ReportName): readonly Block[] {
  const { organization, evaluatedAt: now, situation, limits } = report;
  const owner = organization === null ? [] : say` of ${organization}`;
  const sources = report.sources.map((source) => ({
    text: told((sink) => sourceWords(source, sink)),
  }));
  const notices = reportNotices(report, name).map((notice) => ({
    text: say`note: ${told((sink) => noticeWords(notice, sink))}`,
  }));
  return [
    { is: 'title', text: say`${own(REPORT_WORDS[name])}${owner} at ${own(moment(now))}` },
    ...(situation ? [sentence(own(reportSentence(situation, now)))] : []),
    { is: 'list', items: sources, most: MOST_SOURCES, noun: 'snapshot' },
    ...(notices.length > 0 ? [{ is: 'list', items: notices } as const] : []),
    ...(name === 'alerts'
      ? alertBlocks(report)
      : name === 'availability'
        ? availabilityBlocks(report)
        : measureBlocks(report, name)),
    sentence(own(`Limits: ${limitWords(limits)}`)),
  ];
}

function measureBlocks(report: FleetReport, name: ReportName): readonly Block[] {
  const measures = measuresOf(name);
  const totals = report.totals.filter(({ measure }) => measures.includes(measure));
  const whole = totals.filter(isFleet);
  const states = whole.map(({ measure, states: counts }) => ({
    text: own(`${MEASURE_WORDS[measure]}: ${stateCountWords(counts)}`),
  }));
  const bad = report.devices.filter((row) =>
    measures.some((measure) => rateState(row[stateField(measure)] as State) === 'bad'),
  );
  return [
    totalTable(name === 'overview' ? whole : totals, measures.length > 1),
    sentence(own(FLEET_WORDS.shareOf)),
    { is: 'list', items: states },
    ...(name === 'vulnerabilities' ? cveBlocks(report) : []),
    ...(name === 'overview' ? [] : rowBlocks(FLEET_WORDS.attention, bad, name)),
  ];
}

function isFleet({ site, deviceType }: MeasureTotal): boolean {
  return site === null && deviceType === null;
}

function totalTable(totals: readonly MeasureTotal[], hasMeasure: boolean): TableBlock {
  const { measure, site, deviceType, devices, good, bad, open, unknown, share } = TOTAL_WORDS;
  // The totals of the whole fleet need no columns for its parts.
  const hasPlaces = totals.some((total) => !isFleet(total));
  const hasOpen = totals.some((total) => total.open > 0);
  return {
    is: 'table',
    label: 'Totals',
    kind: 'totals',
    columns: [
      ...texts(...(hasMeasure ? [measure] : []), ...(hasPlaces ? [site, deviceType] : [])),
      ...numbers(devices, good, bad, ...(hasOpen ? [open] : []), unknown, share),
    ],
    rows: totals.map((total) => ({
      cells: [
        ...(hasMeasure ? [own(MEASURE_WORDS[total.measure])] : []),
        ...(hasPlaces ? placeCells(total) : []),
        ...[total.devices, total.good, total.bad].map(number),
        ...(hasOpen ? [number(total.open)] : []),
        number(total.unknown),
        own(shareWords(total) ?? '-'),
      ],
    })),
  };
}

/** A count in a cell. */
export function number(count: number): Inlines {
  return own(grouped(count));
}

/** The name of a site and of a type; of all devices `all`. */
function placeCells({ site, deviceType }: Pick<MeasureTotal, 'site' | 'deviceType'>) {
  const where = site === null ? own(FLEET_WORDS.all) : [data(site)];
  return [
    site === '' ? own(FLEET_WORDS.noSite) : where,
    deviceType === null ? [] : [data(deviceType)],
  ];
}

function availabilityBlocks(report: FleetReport): readonly Block[] {
  const table = availabilityTable(report.availability.totals, report);
  return [table, sentence(own(availabilityBasis(report)))];
}

/** Totals of availability, each of a site and a type, or of all. */
export function availabilityTable(
  totals: readonly ReportRow[],
  report: Pick<FleetReport, 'sources'>,
): TableBlock {
  const columns = availabilityColumns(report);
  return {
    is: 'table',
    label: 'Availability by site and type',
    kind: 'places',
    columns: [
      ...texts('Site', 'Type'),
      ...numbers('Devices', ...columns.map(([, title]) => title), 'Available'),
    ],
    rows: totals.map((total) => ({
      cells: [
        ...placeCells(total as unknown as MeasureTotal),
        ...['devices', ...columns.map(([name]) => name)].map((name) => number(Number(total[name]))),
        own(availabilityWords(total, report) ?? '-'),
      ],
    })),
  };
}

/** The CVEs that were read, the worst first. */
export function cveBlocks({ cves }: FleetReport): readonly Block[] {
  const rows = cves.map(({ cve, severity, policies, devices, fixedByPolicy }) => ({
    cells: [
      cve === '' ? own('(no CVE)') : [data(cve)],
      severity === null ? own('-') : [data(severity)],
      policies.length === 0 ? own('-') : [data(policies.join(', '))],
      number(devices),
      number(fixedByPolicy),
    ],
  }));
  const columns = [
    ...texts('CVE', 'Severity', 'Policies'),
    ...numbers('Devices', 'Fixed by policy'),
  ];
  return rows.length > 0 ? [rowSection('cves', FLEET_WORDS.cves, { columns, rows })] : [];
}

function alertBlocks(report: FleetReport): readonly Block[] {
  const { alerts } = report;
  return [
    ...(alerts.length === 0
      ? [sentence(own(FLEET_WORDS.none))]
      : rowBlocks(FLEET_WORDS.alerts, alerts, 'alerts')),
    ...undecidedTexts(report).map((text) => sentence(text)),
  ];
}

/** Which alerts could not be decided. */
export function undecidedTexts({ undecided }: FleetReport): readonly Inlines[] {
  const open = undecidedWords(undecided);
  return open === '' ? [] : [own(`Not decided, because a value is unknown: ${open}`)];
}

/** Fields of every device that a table leaves out, for its width, and those of one report. */
const DEVICE_LEFT_OUT: readonly string[] = ['deviceType', 'vendor', 'model'];
const LEFT_OUT: Readonly<Partial<Record<ReportName, readonly string[]>>> = {
  compliance: ['firmwareReason', 'suggestedVersion'],
  vulnerabilities: ['firmwareVersion', 'vulnerabilityState', 'patchedVersion', 'fixVersion'],
  credentials: [
    'passwordChangedAt',
    'passwordExpiresAt',
    'passwordPolicy',
    'passwordReason',
    'sslExpiresAt',
    'sslPolicy',
    'sslReason',
  ],
  security: ['dot1xExpiresAt', 'dot1xRotatable', 'lastHardenedAt', 'hardenable', 'orphaned'],
  alerts: ['since'],
};

/** The rows of a report with its most useful fields. */
function rowBlocks(title: string, rows: readonly ReportRow[], name: ReportName): readonly Block[] {
  if (rows.length === 0) return [sentence(own(FLEET_WORDS.nothing))];
  const leftOut = [...DEVICE_LEFT_OUT, ...(LEFT_OUT[name] ?? [])];
  const fields = REPORT_FIELDS[name].filter((field) => !leftOut.includes(field.name));
  const columns = fields.map(({ name: field, type }) => ({
    title: HEADING_WORDS[field] ?? field,
    isNumber: type === 'number',
  }));
  const cells = rows.map((row) => ({ cells: fields.map((field) => shownCell(row, field)) }));
  return [rowSection('rows', title, { columns, rows: cells })];
}

function rowSection(
  id: string,
  title: string,
  content: Pick<TableBlock, 'columns' | 'rows'>,
): Block {
  const table = { is: 'table', label: title, kind: id, most: FIRST, ...content } as const;
  return { is: 'section', id, title: own(title), count: content.rows.length, blocks: [table] };
}

/** A cell for people: words for states and alerts, minutes for instants. */
function shownCell(row: ReportRow, field: ReportField): Inlines {
  const cell = row[field.name] ?? null;
  if (field.name.endsWith('State')) return own(STATE_WORDS[cell as State]);
  if (field.name === 'alert') return own(ALERT_WORDS[cell as keyof typeof ALERT_WORDS]);
  const text = String(rowCell(cell, field));
  return [data(field.type === 'instant' || field.name === 'value' ? momentText(text) : text)];
}
