import { ALERTS, type FleetReport, type ReportRow } from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import {
  ALERT_WORDS,
  FLEET_WORDS,
  STATE_WORDS,
  undecidedWords,
} from '../../words/fleet/fleet-words.ts';
import { findWord } from '../../words/entry.ts';
import { moment, momentText } from '../../words/moment.ts';
import { countCell, dataTable, NO_CELL, NO_VALUE } from '../data-table.ts';
import { pageSection } from '../page-head.ts';
import { named, numberHtml, fixed } from '../said.ts';

/** How many rows of one kind the page lists without its script. */
const LISTED = 20;

/** The alerts, one fold for each kind. */
export function alertsHtml({ alerts, undecided }: FleetReport): HtmlText {
  const open = undecidedWords(undecided);
  const note =
    open === ''
      ? markup``
      : markup`<p
class="about basis">Not decided, because a value is unknown: ${htmlText(open)}</p>`;
  const folds = ALERTS.map((name) =>
    alertFold(
      name,
      alerts.filter(({ alert }) => alert === name),
    ),
  );
  const none = alerts.length === 0 ? markup`<p>${htmlText(FLEET_WORDS.none)}</p>` : markup``;
  const body = markup`${none}${folds}${note}`;
  return pageSection('alerts-title', 'Alerts', body, numberHtml(alerts.length));
}

function alertFold(name: (typeof ALERTS)[number], rows: readonly ReportRow[]): HtmlText {
  if (rows.length === 0) return markup``;
  const title = `${ALERT_WORDS[name].charAt(0).toUpperCase()}${ALERT_WORDS[name].slice(1)}`;
  const table = dataTable({
    label: title,
    kind: 'alerts',
    columns: ['Device', 'Site', 'Found', 'Since', 'Limit'].map((column) => ({ title: column })),
    rows: rows.slice(0, LISTED).map((row) => ({ cells: alertCells(row) })),
  });
  const left = rows.length - LISTED;
  const more =
    left > 0
      ? markup`<p
class="about basis">${numberHtml(left)} more:
<code>fleetform report alerts --format csv</code> lists them.</p>`
      : markup``;
  return markup`<details class="class"><summary>${htmlText(title)} <span
class="number">${numberHtml(rows.length)}</span></summary>
<div class="body">${table}${more}</div></details>`;
}

function alertCells(row: ReportRow): readonly HtmlText[] {
  const { since } = row;
  return [
    named(`${String(row['name'] ?? '')} ${String(row['device'])}`.trim()),
    named(String(row['site'])),
    named(foundText(String(row['value']))),
    typeof since === 'number' ? htmlText(moment(since)) : NO_CELL,
    row['limit'] ? named(String(row['limit'])) : NO_CELL,
  ];
}

/** What an alert found: a state in words, an end as an instant, else as it is. */
function foundText(value: string): string {
  return findWord<string>(STATE_WORDS, value) ?? momentText(value);
}

/** The CVEs that were read, the worst first; the page says where none was. */
export function cvesHtml({ cves }: FleetReport): HtmlText {
  if (cves.length === 0) return markup``;
  const rows = cves
    .slice(0, 5 * LISTED)
    .map(({ cve, severity, devices, fixedByPolicy, policies }) => ({
      cells: [
        named(cve || '(no CVE)'),
        severity ? named(severity) : NO_VALUE,
        policies.length > 0 ? named(policies.join(', ')) : NO_VALUE,
        countCell(devices),
        countCell(fixedByPolicy),
      ],
    }));
  const table = dataTable({
    label: 'CVEs',
    kind: 'cves',
    columns: [
      { title: 'CVE' },
      { title: 'Severity' },
      { title: 'Policies' },
      { title: 'Devices', isNumber: true },
      { title: 'Fixed by policy', isNumber: true },
    ],
    rows,
  });
  return pageSection('cves-title', 'CVEs', table, numberHtml(cves.length));
}

const DAY = 24 * 3_600_000;
const STEPS = [
  ['expired', 0],
  ['within 30 days', 30],
  ['within 90 days', 90],
  ['within 180 days', 180],
  ['within a year', 365],
  ['later', Infinity],
] as const;

const ENDS = [
  ['Password', 'passwordExpiresAt'],
  ['SSL certificate', 'sslExpiresAt'],
  ['802.1X certificate', 'dot1xExpiresAt'],
  ['Support', 'supportEndsAt'],
] as const;

/** When passwords, certificates and support end: a bar for each span, and what is not known. */
export function endsHtml({ devices, evaluatedAt }: FleetReport): HtmlText {
  if (devices.length === 0) return markup``;
  const counted = ENDS.map(([, field]) => countEnds(devices, field, evaluatedAt));
  const most = Math.max(1, ...counted.flat());
  const tables = ENDS.map(([title], index) => {
    const rows = [...STEPS.map(([words]) => words), 'unknown'].map((words, step) => {
      const count = counted[index]?.[step] ?? 0;
      const kind =
        step === 0 ? 'bad' : step === STEPS.length ? 'unknown' : step === 1 ? 'open' : 'good';
      return markup`<tr><th scope="row">${htmlText(words)}</th><td class="bar"><svg
viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true"><rect class="fill ${htmlText(kind)}"
x="0" y="0" width="${fixed((count / most) * 300)}" height="14"/></svg></td>
<td class="n">${numberHtml(count)}</td></tr>
`;
    });
    return markup`<h3 id="ends-${index}">${htmlText(title)}</h3>
<table class="ends" aria-labelledby="ends-${index}"><tbody>${rows}</tbody></table>`;
  });
  return markup`<section aria-labelledby="ends-title"><h2 id="ends-title">Expiry dates</h2>${tables}</section>`;
}

function countEnds(rows: readonly ReportRow[], field: string, now: number): readonly number[] {
  const counts = [...STEPS.map(() => 0), 0];
  for (const row of rows) {
    const endsAt = row[field];
    const step =
      typeof endsAt === 'number'
        ? STEPS.findIndex(([, days]) => endsAt - now <= days * DAY)
        : STEPS.length;
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}
