import { ALERTS, type FleetReport, type ReportRow } from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import { ALERT_WORDS, FLEET_WORDS, undecidedWords } from '../../words/fleet/fleet-words.ts';
import { moment, momentText } from '../../words/moment.ts';
import { named, numberHtml } from '../said.ts';
import { fixed } from '../summary.ts';

/** How many rows of one kind the page lists without its script. */
const LISTED = 20;

/** The alerts, one fold for each kind. */
export function alertsHtml({ alerts, undecided }: FleetReport): HtmlText {
  const open = undecidedWords(undecided);
  const note = open === '' ? markup`` : markup`<p
class="about basis">Not decided, a value is not known: ${htmlText(open)}</p>`;
  const folds = ALERTS.map((name) => alertFold(name, alerts.filter(({ alert }) => alert === name)));
  const none = alerts.length === 0 ? markup`<p>${htmlText(FLEET_WORDS.none)}</p>` : markup``;
  return markup`<section aria-labelledby="alerts-title">
<h2 id="alerts-title">Alerts <span class="number">${numberHtml(alerts.length)}</span></h2>
${none}${folds}${note}
</section>`;
}

function alertFold(name: (typeof ALERTS)[number], rows: readonly ReportRow[]): HtmlText {
  if (rows.length === 0) return markup``;
  const title = `${ALERT_WORDS[name].charAt(0).toUpperCase()}${ALERT_WORDS[name].slice(1)}`;
  const lines = rows.slice(0, LISTED).map((row) => {
    const since = row['since'];
    return markup`<tr><th scope="row">${named(`${String(row['name'] ?? '')} ${String(row['device'])}`.trim())}</th>
<td>${named(String(row['site']))}</td><td>${named(momentText(String(row['value'])))}</td>
<td>${htmlText(typeof since === 'number' ? moment(since) : '')}</td><td>${named(String(row['limit'] ?? ''))}</td></tr>
`;
  });
  const left = rows.length - LISTED;
  const more = left > 0 ? markup`<p
class="about basis">${numberHtml(left)} more: <code>report alerts --format csv</code> lists them.</p>` : markup``;
  return markup`<details class="class"><summary>${htmlText(title)} <span
class="number">${numberHtml(rows.length)}</span></summary>
<div class="body"><div class="wide" role="region" aria-label="${htmlText(title)}" tabindex="0"><table class="sites">
<thead><tr><th scope="col">Device</th><th scope="col">Site</th><th scope="col">Found</th>
<th scope="col">Since</th><th scope="col">Limit</th></tr></thead>
<tbody>${lines}</tbody></table></div>${more}</div></details>`;
}

/** The CVEs that were read, the worst first; the page says where none was. */
export function cvesHtml({ cves }: FleetReport): HtmlText {
  if (cves.length === 0) return markup``;
  const rows = cves.slice(0, 5 * LISTED).map(
    ({ cve, severity, devices, fixedByPolicy, policies }) => markup`<tr><th scope="row">${named(cve || '(no CVE)')}</th>
<td>${named(severity ?? '–')}</td><td>${named(policies.join(', ') || '–')}</td>
<td class="n">${numberHtml(devices)}</td><td class="n">${numberHtml(fixedByPolicy)}</td></tr>
`,
  );
  return markup`<section aria-labelledby="cves-title">
<h2 id="cves-title">CVEs <span class="number">${numberHtml(cves.length)}</span></h2>
<div class="wide" role="region" aria-label="CVEs" tabindex="0"><table class="sites">
<thead><tr><th scope="col">CVE</th><th scope="col">Severity</th><th scope="col">Policies</th>
<th scope="col" class="n">Devices</th><th scope="col" class="n">Fixed by policy</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
}

const DAY = 24 * 3_600_000;
const STEPS = [
  ['has ended', 0],
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
    const rows = [...STEPS.map(([words]) => words), 'not known'].map((words, step) => {
      const count = counted[index]?.[step] ?? 0;
      const kind = step === 0 ? 'bad' : step === STEPS.length ? 'unknown' : step === 1 ? 'open' : 'good';
      return markup`<tr><th scope="row">${htmlText(words)}</th><td class="bar"><svg
viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true"><rect class="fill ${htmlText(kind)}"
x="0" y="0" width="${fixed((count / most) * 300)}" height="14"/></svg></td>
<td class="n">${numberHtml(count)}</td></tr>
`;
    });
    return markup`<h3 id="ends-${index}">${htmlText(title)}</h3>
<table class="ends" aria-labelledby="ends-${index}"><tbody>${rows}</tbody></table>`;
  });
  return markup`<section aria-labelledby="ends-title"><h2 id="ends-title">What ends, and when</h2>${tables}</section>`;
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
