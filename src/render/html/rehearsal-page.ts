import type { Finish, PolicyForecast, RehearsalReport } from '../../model/report/rehearsal.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { assumedText, heldReasons, rehearsedDays } from '../view/forecast-texts.ts';
import { moment } from '../words/moment.ts';
import { fill, grouped } from '../words/phrase.ts';
import { REASON_LABELS } from '../words/review/reason-labels.ts';
import {
  ASSUMED_WORDS,
  durationWords,
  FORECAST_COLUMNS,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  remedyWords,
} from '../words/review/rehearsal-words.ts';
import { documentHead } from './document-head.ts';
import { outagesHtml, PLOT_STYLE } from './outage-plots.ts';
import { pageParagraph, pageSection, pageTable } from './page-head.ts';
import { STYLE } from './page.gen.ts';

/**
 * The report of a rehearsal as one self-contained page of the family of the plan's page; it needs no
 * script. Names of sites are data and go through the sink.
 */
export function rehearsalHtml(report: RehearsalReport): HtmlText {
  const title = words('title', {
    days: rehearsedDays(report),
    from: moment(report.from),
    courses: report.courses,
    seed: report.seed,
  });
  const jump = { to: 'outages', says: REHEARSAL_TITLES.outages };
  return markup`${documentHead({ title, style: `${STYLE}${PLOT_STYLE}`, script: '', jump })}
<header>
<h1>${htmlText(title)}</h1>
${startHtml(report)}
</header>
<main>
${policiesHtml(report)}
${windowsHtml(report)}
${outagesHtml(report)}
${effortHtml(report)}
</main>
</body>
</html>`;
}

type WordParams = Readonly<Record<string, string | number>>;

/** A sentence as plain text; the sink takes it as a whole. */
function words(key: keyof typeof REHEARSAL_WORDS, params: WordParams = {}): string {
  return fill(REHEARSAL_WORDS[key], params, String);
}

function startHtml({ fleet, ledger, durations, assumed, assumesApproval }: RehearsalReport) {
  const made = assumedText(assumed, ASSUMED_WORDS);
  const lines = [
    words('fleet', { ...fleet, takenAt: moment(fleet.takenAt) }),
    ...(ledger.records > 0 ? [words('ledger', { ...ledger })] : []),
    ...durations.map(durationWords),
    made === '' ? words('nothingAssumed') : words('assumed', { what: made }),
    ...(assumesApproval ? [words('approval')] : []),
  ];
  return markup`<ul class="about">${lines.map((line) => markup`<li>${htmlText(line)}</li>`)}</ul>`;
}

/** The policies; where there are faults, each has the same without them below it. */
function policiesHtml(report: RehearsalReport): HtmlText {
  const { policies, without } = report;
  if (policies.length === 0)
    return pageSection('policies', REHEARSAL_TITLES.policies, pageParagraph(words('nothing')));
  const { policy, faults, devices, done, failed, late, blocked, p50, p95 } = FORECAST_COLUMNS;
  const head = [
    policy,
    ...(without ? [faults] : []),
    devices,
    done,
    failed,
    late,
    blocked,
    p50,
    p95,
  ];
  const rows = policies.flatMap((each) => {
    const before = without?.policies.find((other) => other.policy === each.policy);
    const mark = without ? FORECAST_COLUMNS.with : undefined;
    return [
      policyRow(each, mark),
      ...(before ? [policyRow(before, FORECAST_COLUMNS.without)] : []),
      ...each.waves.map(waveRow(head.length - 4)),
    ];
  });
  const notes = policies.flatMap((each) => policyNotes(each, report));
  const list = notes.length > 0 ? markup`<ul class="needs">${notes}</ul>` : markup``;
  const title = REHEARSAL_TITLES.policies;
  return pageSection('policies', title, markup`${pageTable(title, head, rows)}${list}`);
}

function policyRow(each: PolicyForecast, mark: string | undefined): HtmlText {
  const counts = [each.devices, each.done, each.failed, each.late, each.blocked];
  const side = mark === undefined ? markup`` : markup`<td>${htmlText(mark)}</td>`;
  return markup`<tr class="head"><th scope="row">${htmlText(each.policy)}</th>${side}${counts.map(
    (count) => markup`<td>${htmlText(grouped(count))}</td>`,
  )}${finishCells(each.finish)}</tr>
`;
}

function waveRow(empty: number): (wave: PolicyForecast['waves'][number]) => HtmlText {
  return ({ name, devices, finish }) => {
    const head = htmlText(`${FORECAST_COLUMNS.wave} ${name}`);
    const count = markup`<td colspan="${empty + 1}">${htmlText(grouped(devices))}</td>`;
    return markup`<tr><th scope="row">${head}</th>${count}${finishCells(finish)}</tr>
`;
  };
}

function finishCells({ p50, p95 }: Finish): readonly HtmlText[] {
  return [p50, p95].map((at) => markup`<td>${htmlText(at === undefined ? '-' : moment(at))}</td>`);
}

/** What of a policy does not end well, why, and what would let it. */
function policyNotes(policy: PolicyForecast, { trials }: RehearsalReport): readonly HtmlText[] {
  const { late, blocked, failed, remedy, heldBy } = policy;
  if (late + blocked + failed === 0) return [];
  const why = heldReasons(heldBy, REASON_LABELS);
  const said = [
    ...(failed > 0 ? [words('failed', { failed })] : []),
    ...(blocked > 0 ? [words('blocked', { blocked })] : []),
    ...(late > 0 ? [words('late', { late })] : []),
    ...(why === '' ? [] : [words('why', { why })]),
    ...(remedy ? [remedyWords(remedy)] : late > 0 && trials > 0 ? [words('noRemedy')] : []),
  ].join('. ');
  const name = markup`<strong>${htmlText(policy.policy)}</strong>`;
  return [markup`<li>${name} <span class="gist">${htmlText(said)}.</span></li>`];
}

function windowsHtml({ windows }: RehearsalReport): HtmlText {
  if (windows.length === 0) return markup``;
  const items = windows.map(({ window, policy, closedWithWork, mostLeft }) => {
    const params = { window, policy, times: closedWithWork, left: mostLeft };
    return markup`<li>${htmlText(words('closed', params))}</li>`;
  });
  return pageSection('windows', REHEARSAL_TITLES.windows, markup`<ul>${items}</ul>`);
}

function effortHtml({ requests, runs, tasks, stops, ended, courses: all }: RehearsalReport) {
  const { p50, p95, busiestDay } = requests;
  const effort = [
    words('requests', { p50, p95: grouped(p95), day: grouped(busiestDay) }),
    words('runs', { runs, tasks }),
  ];
  const trouble = [
    ...stops.map(({ scope, courses }) => words('stop', { scope, courses, all })),
    ...ended.map((each) => words('ended', { ...each })),
  ];
  const items = (lines: readonly string[]): HtmlText =>
    markup`<ul>${lines.map((line) => markup`<li>${htmlText(line)}</li>`)}</ul>`;
  const first = pageSection('effort', REHEARSAL_TITLES.effort, items(effort));
  if (trouble.length === 0) return first;
  return markup`${first}
${pageSection('trouble', REHEARSAL_TITLES.trouble, items(trouble))}`;
}
