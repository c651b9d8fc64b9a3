import type { Instant } from '../../lib/time.ts';
import type {
  Finish,
  PolicyForecast,
  RehearsalReport,
  WaveForecast,
} from '../../model/report/rehearsal.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { assumedText, heldReasons, rehearsedDays } from '../view/forecast-texts.ts';
import { moment, wallMoment } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { REASON_LABELS } from '../words/review/reason-labels.ts';
import {
  ABOUT_TITLES,
  ASSUMED_WORDS,
  durationsWords,
  finishTitles,
  FORECAST_COLUMNS,
  outcomeWords,
  PAGE_COLUMNS,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  causeWords,
  stopSteps,
} from '../words/review/rehearsal-words.ts';
import { countCell, dataTable, NO_CELL, NO_VALUE, type TableRow } from './data-table.ts';
import { documentHead } from './document-head.ts';
import { outagesHtml, PLOT_STYLE } from './outage-plots.ts';
import { pageFacts, pageHead, pageParagraph, pageSection } from './page-head.ts';
import { named, policyName, prose } from './said.ts';
import { STYLE } from './page.gen.ts';

/**
 * The report of a rehearsal as one self-contained page of the family of the plan's page; it needs no
 * script. Names of sites are data and go through the sink.
 */
export function rehearsalHtml(report: RehearsalReport): HtmlText {
  const span = words('title', {
    days: rehearsedDays(report),
    from: moment(report.from),
    courses: report.courses,
    seed: report.seed,
  });
  const title = outcomeWords(report.policies);
  const jump = { to: 'outages', says: REHEARSAL_TITLES.outages };
  const style = `${STYLE}${PLOT_STYLE}`;
  const head = pageHead({
    kicker: htmlText(span),
    title,
    body: pageParagraph(words('fleet', { ...report.fleet, takenAt: moment(report.fleet.takenAt) })),
  });
  return markup`${documentHead({ title: `${span}: ${title}`, style, script: '', jump })}
${head}
<main>
${policiesHtml(report)}
${windowsHtml(report)}
${troubleHtml(report)}
${outagesHtml(report)}
${effortHtml(report)}
${aboutHtml(report)}
</main>
</body>
</html>`;
}

type WordParams = Readonly<Record<string, string | number>>;

/** A sentence as plain text; the sink takes it as a whole. */
function words(key: keyof typeof REHEARSAL_WORDS, params: WordParams = {}): string {
  return fill(REHEARSAL_WORDS[key], params, String);
}

/** The policies; where there are faults, each has the same without them below it. */
function policiesHtml(report: RehearsalReport): HtmlText {
  const { policies, without } = report;
  if (policies.length === 0) return markup``;
  const { policy, faults, devices, done, failed, late, blocked } = PAGE_COLUMNS;
  const columns = [
    { title: policy },
    { title: faults },
    ...[devices, done, failed, late, blocked].map((title) => ({ title, isNumber: true })),
    ...finishTitles().map((title) => ({ title })),
  ];
  const rows = policies.flatMap((each) => {
    const before = without?.policies.find((other) => other.policy === each.policy);
    const mark = without ? htmlText(FORECAST_COLUMNS.with) : NO_CELL;
    return [
      policyRow(each, mark, report),
      ...(before ? [policyRow(before, htmlText(FORECAST_COLUMNS.without), report)] : []),
      ...(each.waves.length > 1 ? each.waves.map((wave) => waveRow(wave, report)) : []),
    ];
  });
  const notes = policies.flatMap(policyNotes);
  const list = notes.length > 0 ? markup`<ul class="needs">${notes}</ul>` : markup``;
  const title = REHEARSAL_TITLES.policies;
  const table = dataTable({ label: title, kind: 'forecast', columns, rows });
  return pageSection('policies', title, markup`${table}${list}`);
}

function policyRow(each: PolicyForecast, mark: HtmlText, { from }: RehearsalReport): TableRow {
  return {
    kind: 'strong',
    cells: [
      policyName(each.policy),
      mark,
      countCell(each.devices),
      countCell(each.done),
      { html: countCell(each.failed), kind: 'person' },
      { html: countCell(each.late), kind: 'later' },
      { html: countCell(each.blocked), kind: 'person' },
      ...finishCells(each.finish, from),
    ],
  };
}

function waveRow({ name, devices, finish }: WaveForecast, { from }: RehearsalReport): TableRow {
  const head = markup`${htmlText(FORECAST_COLUMNS.wave)} ${named(name)}`;
  const none = [NO_CELL, NO_CELL, NO_CELL, NO_CELL];
  return {
    kind: 'part',
    cells: [head, NO_CELL, countCell(devices), ...none, ...finishCells(finish, from)],
  };
}

function finishCells({ p50, p95 }: Finish, from: Instant): readonly HtmlText[] {
  return [p50, p95].map((at) =>
    at === undefined ? NO_VALUE : htmlText(wallMoment(at, { now: from })),
  );
}

/** What of a policy does not end well, and why. */
function policyNotes(policy: PolicyForecast): readonly HtmlText[] {
  const { late, blocked, failed, heldBy } = policy;
  if (late + blocked + failed === 0) return [];
  const why = heldReasons(heldBy, REASON_LABELS);
  const said = [
    ...(failed > 0 ? [words('failed', { failed })] : []),
    ...(blocked > 0 ? [words('blocked', { blocked })] : []),
    ...(late > 0 ? [words('late', { late })] : []),
    ...(why === '' ? [] : [words('why', { why })]),
    ...(late > 0 ? [causeWords(heldBy)] : []),
  ].join('. ');
  const name = markup`<strong>${policyName(policy.policy)}</strong>`;
  return [markup`<li><div>${name}<br><span class="gist">${prose(said)}.</span></div></li>`];
}

function windowsHtml({ windows }: RehearsalReport): HtmlText {
  if (windows.length === 0) return markup``;
  const items = windows.map(({ window, policy, closedWithWork, mostLeft }) => {
    const params = { window, policy, times: closedWithWork, left: mostLeft };
    return markup`<li>${htmlText(words('closed', params))}</li>`;
  });
  return pageSection('windows', REHEARSAL_TITLES.windows, markup`<ul>${items}</ul>`);
}

function effortHtml({ requests, runs, tasks }: RehearsalReport): HtmlText {
  const { p50, p95, busiestDay } = requests;
  const lines = [
    words('requests', { p50, p95: grouped(p95), day: grouped(busiestDay) }),
    words('runs', { runs, tasks }),
  ];
  return pageSection('effort', REHEARSAL_TITLES.effort, listHtml(lines));
}

function troubleHtml({ stops, ended, courses: all }: RehearsalReport): HtmlText {
  if (stops.length + ended.length === 0) return markup``;
  const lines = [
    ...stops.map(({ scope, courses }) => words('stop', { scope, courses, all })),
    ...stopSteps(stops),
    ...ended.map((each) => words('ended', { ...each })),
  ];
  return pageSection('trouble', REHEARSAL_TITLES.trouble, listHtml(lines));
}

function listHtml(lines: readonly string[]): HtmlText {
  return markup`<ul>${lines.map((line) => markup`<li>${prose(line)}</li>`)}</ul>`;
}

/** What the rehearsal began with and took for granted. */
function aboutHtml(report: RehearsalReport): HtmlText {
  const { fleet, ledger, durations, assumed, assumesApproval, courses, seed } = report;
  const made = assumedText(assumed, ASSUMED_WORDS);
  const { fleet: ofFleet, ledger: ofLedger, assumed: guesses, durations: times } = ABOUT_TITLES;
  return pageFacts(REHEARSAL_TITLES.about, [
    [ofFleet, htmlText(words('fleet', { ...fleet, takenAt: moment(fleet.takenAt) }))],
    ...(ledger.records > 0 ? [[ofLedger, htmlText(words('ledger', { ...ledger }))] as const] : []),
    [guesses, htmlText(made === '' ? words('nothingAssumed') : made)],
    ...(assumesApproval ? [[ABOUT_TITLES.approval, htmlText(words('approval'))] as const] : []),
    [times, htmlText(durationsWords(durations))],
    [ABOUT_TITLES.courses, htmlText(`${counted(courses, 'simulation')}, seed ${seed}`)],
  ]);
}
