import { SCRIPT, STYLE } from '../page.gen.ts';
import type { FleetReport, ReportNotice } from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { limitWords, noticeWords, sourceWords } from '../../words/fleet/fleet-words.ts';
import { reportSentence } from '../../words/review/all-clear.ts';
import { moment } from '../../words/moment.ts';
import { counted } from '../../words/phrase.ts';
import { documentEnd, documentHead } from '../document-head.ts';
import { pageFacts, pageHead } from '../page-head.ts';
import { tableData } from '../table-data.ts';
import { named, nextStep, prose } from '../said.ts';
import { availabilityHtml } from './availability-plot.ts';
import { devicesHtml, fleetTable } from './fleet-table.ts';
import { measuresHtml, sitesMatrix } from './measures.ts';
import { alertsHtml, cvesHtml, endsHtml } from './findings.ts';

/**
 * All reports of a fleet as one self-contained page: totals and plots that need no script, then
 * every device in a table that the script makes interactive. It yields pieces, so that a page of
 * any size is written as a stream.
 */
export function* fleetHtml(report: FleetReport): Generator<HtmlText> {
  const table = fleetTable(report);
  yield documentHead({
    title: `Fleet report${ownerText(report)}: ${sentence(report)}`,
    style: STYLE,
    script: SCRIPT,
    jump: { to: 'all', says: 'To the table of all devices' },
  });
  yield headerHtml(report);
  yield markup`<main>
${alertsHtml(report)}
${availabilityHtml(report)}
${sitesMatrix(report)}
${cvesHtml(report)}
${endsHtml(report)}
${devicesHtml(table.head)}
${factsHtml(report)}
</main>`;
  yield* tableData(table, report.devices);
  yield documentEnd(SCRIPT);
}

function ownerText({ organization }: FleetReport): string {
  return organization === null ? '' : ` for ${organization}`;
}

/** `400 devices, 78 alerts`. */
function sentence({ devices, alerts }: FleetReport): string {
  return `${counted(devices.length, 'device')}, ${counted(alerts.length, 'alert')}`;
}

function headerHtml(report: FleetReport): HtmlText {
  const { organization, evaluatedAt } = report;
  const owner = organization === null ? markup`` : markup` for ${named(organization)}`;
  const list = report.notices.map(noticeHtml);
  const notices = list.length === 0 ? markup`` : markup`<ul class="warnings">${list}</ul>`;
  const { situation } = report;
  const clear = situation
    ? markup`<p class="rest">${prose(reportSentence(situation, evaluatedAt))}</p>`
    : markup``;
  return pageHead({
    kicker: markup`Fleet report${owner}, ${htmlText(moment(evaluatedAt))}`,
    title: `${sentence(report)}.`,
    body: markup`${clear}
${measuresHtml(report)}
${notices}`,
  });
}

/** A notice; its next step, if it has one, on a line of its own. */
function noticeHtml(notice: ReportNotice): HtmlText {
  const [said = '', next] = noticeWords(notice, String).split(' next: ');
  const step = next === undefined ? markup`` : markup`<br>${nextStep(next)}`;
  return markup`<li>${prose(said)}${step}</li>`;
}

/** What the numbers come from, and the limits in use. */
function factsHtml({ sources, limits }: FleetReport): HtmlText {
  return pageFacts('About this report', [
    ...sources.map((source) => ['Source', htmlText(sourceWords(source, String))] as const),
    ['Limits', prose(`\`${limitWords(limits).replaceAll(', ', '`, `')}\``)],
  ]);
}
