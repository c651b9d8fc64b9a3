import {
  rateState,
  type FleetReport,
  type MeasureTotal,
  type ReportName,
  type State,
} from '../../../model/report/fleet-report.ts';
import { REPORT_MEASURES, STATE_FIELD } from '../../../model/report/report-fields.ts';
import { reportNotices } from '../../data/fleet-rows.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import {
  availabilityColumns,
  availabilityBasis,
  availabilityWords,
  FLEET_WORDS,
  limitWords,
  MEASURE_WORDS,
  noticeWords,
  REPORT_WORDS,
  shareWords,
  sourceWords,
  stateCountWords,
  TOTAL_WORDS,
  undecidedWords,
} from '../../words/fleet/fleet-words.ts';
import { reportSentence } from '../../words/review/all-clear.ts';
import { moment } from '../../words/moment.ts';
import { grouped } from '../../words/phrase.ts';
import { FIRST, moreLine, numberTable, rowTable, type ReportTextStyle } from './report-tables.ts';

const MOST_SOURCES = 5;

/** A report for a terminal: its sources, totals, and the devices that need attention. */
export function* fleetReportText(
  report: FleetReport,
  name: ReportName,
  style: ReportTextStyle,
): Generator<TerminalText> {
  yield tint(style.paint, 'bold', titleText(report, name));
  const { situation, evaluatedAt: now } = report;
  if (situation) yield* wrap(terminal(reportSentence(situation, now)), style.width, 2);
  yield* sourceLines(report, name, style);
  yield say``;
  if (name === 'alerts') yield* alertLines(report, style);
  else if (name === 'availability') yield* availabilityLines(report, style);
  else yield* measureLines(report, name, style);
  yield say``;
  yield* wrap(terminal(`Limits: ${limitWords(report.limits)}`), style.width, 2);
}

function titleText({ organization, evaluatedAt }: FleetReport, name: ReportName): TerminalText {
  const owner = organization === null ? '' : ` of ${organization}`;
  return terminal(`${REPORT_WORDS[name]}${owner} at ${moment(evaluatedAt)}`);
}

function* sourceLines(
  report: FleetReport,
  name: ReportName,
  { width }: TextStyle,
): Generator<TerminalText> {
  const { sources } = report;
  for (const source of sources.slice(0, MOST_SOURCES))
    yield* wrap(say`  ${terminal(sourceWords(source, (text) => text))}`, width, 4);
  if (sources.length > MOST_SOURCES)
    yield say`  and ${sources.length - MOST_SOURCES} more snapshots`;
  for (const notice of reportNotices(report, name))
    yield* wrap(say`  note: ${terminal(noticeWords(notice, (text) => text))}`, width, 4);
}

function* measureLines(
  report: FleetReport,
  name: ReportName,
  style: ReportTextStyle,
): Generator<TerminalText> {
  const measures = REPORT_MEASURES[name];
  const totals = report.totals.filter(({ measure }) => measures.includes(measure));
  const shown = name === 'overview' ? totals.filter(isFleet) : totals;
  yield* totalTable(shown, measures.length > 1, style);
  yield* wrap(terminal(FLEET_WORDS.shareOf), style.width, 0);
  for (const total of totals.filter(isFleet))
    yield* wrap(
      terminal(`  ${MEASURE_WORDS[total.measure]}: ${stateCountWords(total.states)}`),
      style.width,
      4,
    );
  if (name === 'overview') return;
  if (name === 'vulnerabilities') yield* cveLines(report, style);
  const bad = report.devices.filter((row) =>
    measures.some((measure) => rateState(row[STATE_FIELD[measure]] as State) === 'bad'),
  );
  yield say``;
  yield* rowTable(FLEET_WORDS.attention, bad, { name, ...style });
}

function isFleet({ site, deviceType }: MeasureTotal): boolean {
  return site === null && deviceType === null;
}

function totalTable(
  totals: readonly MeasureTotal[],
  hasMeasure: boolean,
  style: ReportTextStyle,
): readonly TerminalText[] {
  const { measure, site, deviceType, devices, good, bad, open, unknown, share } = TOTAL_WORDS;
  // The totals of the whole fleet need no columns for its parts.
  const hasPlaces = totals.some((total) => !isFleet(total));
  const places = hasPlaces ? [site, deviceType] : [];
  const hasOpen = totals.some((total) => total.open > 0);
  const numbers = [devices, good, bad, ...(hasOpen ? [open] : []), unknown, share];
  const heads = [...(hasMeasure ? [measure] : []), ...places, ...numbers];
  const rows = totals.map((total) => [
    ...(hasMeasure ? [MEASURE_WORDS[total.measure]] : []),
    ...(hasPlaces ? placeCells(total) : []),
    ...[total.devices, total.good, total.bad].map(grouped),
    ...(hasOpen ? [grouped(total.open)] : []),
    grouped(total.unknown),
    shareWords(total) ?? '-',
  ]);
  return numberTable(heads, rows, { texts: (hasMeasure ? 1 : 0) + places.length, style });
}

/** The name of a site and of a type; of all devices `all`. */
function placeCells({
  site,
  deviceType,
}: Pick<MeasureTotal, 'site' | 'deviceType'>): readonly [string, string] {
  if (site === null) return [FLEET_WORDS.all, deviceType ?? ''];
  return [site === '' ? FLEET_WORDS.noSite : site, deviceType ?? ''];
}

function* availabilityLines(report: FleetReport, style: ReportTextStyle): Generator<TerminalText> {
  const { availability } = report;
  const columns = availabilityColumns(report);
  const heads = ['Site', 'Type', 'Devices', ...columns.map(([, title]) => title), 'Available'];
  const rows = availability.totals.map((total) => [
    ...placeCells(total as unknown as MeasureTotal),
    ...['devices', ...columns.map(([name]) => name)].map((name) => grouped(Number(total[name]))),
    availabilityWords(total, report) ?? '-',
  ]);
  yield* numberTable(heads, rows, { texts: 2, style });
  yield* wrap(terminal(availabilityBasis(report)), style.width, 0);
}

function* cveLines({ cves }: FleetReport, style: ReportTextStyle): Generator<TerminalText> {
  if (cves.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`${FLEET_WORDS.cves}: ${grouped(cves.length)}`));
  const shown = style.all ? cves : cves.slice(0, FIRST);
  const heads = ['CVE', 'Severity', 'Policies', 'Devices', 'Fixed by policy'];
  const rows = shown.map(({ cve, severity, policies, devices, fixedByPolicy }) => [
    cve === '' ? '(no CVE)' : cve,
    severity ?? '-',
    policies.join(', ') || '-',
    grouped(devices),
    grouped(fixedByPolicy),
  ]);
  yield* numberTable(heads, rows, { texts: 3, style });
  yield* moreLine(cves.length - shown.length);
}

function* alertLines(report: FleetReport, style: ReportTextStyle): Generator<TerminalText> {
  const { alerts, undecided } = report;
  if (alerts.length === 0) yield say`${terminal(FLEET_WORDS.none)}`;
  else yield* rowTable(FLEET_WORDS.alerts, alerts, { name: 'alerts', ...style });
  const open = undecidedWords(undecided);
  if (open !== '')
    yield* wrap(terminal(`Not decided, because a value is unknown: ${open}`), style.width, 2);
}
