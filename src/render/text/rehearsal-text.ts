import type { PolicyForecast, RehearsalReport, SiteOutages } from '../../model/report/rehearsal.ts';
import { tint } from '../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { cutAddresses } from '../sinks/addresses.ts';
import { cut, pad } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';
import { moment } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { REASON_LABELS } from '../words/review/reason-labels.ts';
import {
  ASSUMED_WORDS,
  causeWords,
  durationWords,
  FORECAST_COLUMNS,
  FORECAST_LEGEND,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  stepWords,
  stopSteps,
} from '../words/review/rehearsal-words.ts';
import { cellText } from '../words/review/review-words.ts';
import { finishText, forecastTable } from '../outputs/forecast.ts';
import { inlineText, printTerminal } from '../print/terminal.ts';
import { assumedText, heldReasons, rehearsedDays } from '../view/forecast-texts.ts';

/**
 * The report of a rehearsal as text: what it began with, a line for each policy, its waves and what
 * does not fit, then windows, outages as bars, requests, and the effect of faults.
 */
export function* rehearsalText(report: RehearsalReport, style: TextStyle): Generator<TerminalText> {
  yield tint(
    style.paint,
    'bold',
    words('title', { ...report, days: rehearsedDays(report), from: moment(report.from) }),
  );
  yield* startLines(report, style);
  yield say``;
  if (report.policies.length === 0) yield words('nothing');
  else {
    yield* printTerminal([forecastTable(report.policies, { now: report.from })], style);
    yield* wrap(terminal(FORECAST_LEGEND), style.width);
  }
  for (const policy of report.policies) yield* policyLines(policy, report, style);
  yield* windowLines(report, style);
  yield* outageLines(report, style);
  yield* effortLines(report, style);
  if (report.without) yield* faultLines(report, report.without.policies, style);
}

function words(
  key: keyof typeof REHEARSAL_WORDS,
  params: Readonly<Record<string, unknown>> = {},
): TerminalText {
  const plain = Object.entries(params).filter(([, value]) => typeof value !== 'object');
  return fill(
    REHEARSAL_WORDS[key],
    Object.fromEntries(plain) as Record<string, string | number>,
    terminal,
  ) as TerminalText;
}

function* labelled(label: string, text: TerminalText, style: TextStyle): Generator<TerminalText> {
  const [first = say``, ...rest] = wrap(text, style.width - 13);
  yield say`  ${tint(style.paint, 'dim', terminal(label.padEnd(9)))}  ${first}`;
  for (const line of rest) yield say`             ${line}`;
}

function* startLines(report: RehearsalReport, style: TextStyle): Generator<TerminalText> {
  const { fleet, ledger, durations } = report;
  yield* labelled('fleet', words('fleet', { ...fleet, takenAt: moment(fleet.takenAt) }), style);
  if (ledger.records > 0) yield* labelled('ledger', words('ledger', ledger), style);
  for (const [index, each] of durations.entries())
    yield* labelled(index === 0 ? 'durations' : '', terminal(durationWords(each)), style);
  const assumed = assumedText(report.assumed, ASSUMED_WORDS);
  const said = assumed === '' ? words('nothingAssumed') : words('assumed', { what: assumed });
  yield* labelled('assumed', said, style);
  if (report.assumesApproval) yield* labelled('', words('approval'), style);
}

function* policyLines(
  policy: PolicyForecast,
  { from: now }: RehearsalReport,
  style: TextStyle,
): Generator<TerminalText> {
  const { waves, late, blocked, failed } = policy;
  if (waves.length < 2 && late + blocked + failed === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(policy.policy));
  for (const { name, devices, finish } of waves) {
    const [p50, p95] = [finish.p50, finish.p95].map((at) =>
      inlineText(finishText(at, { now }), style),
    );
    const size = counted(devices, 'device');
    const when = say`finish p50 ${p50 ?? say`-`}, p95 ${p95 ?? say`-`}`;
    yield* labelled('wave', say`${terminal(name)}: ${terminal(size)}; ${when}`, style);
  }
  const why = heldReasons(policy.heldBy, REASON_LABELS);
  if (failed > 0) yield* labelled('failed', words('failed', { failed }), style);
  if (blocked > 0) yield* labelled('held', words('blocked', { blocked }), style);
  if (late > 0) yield* labelled('late', words('late', { late }), style);
  if (late + blocked > 0) yield* labelled('', words('why', { why }), style);
  if (late > 0) yield* labelled('', terminal(causeWords(policy.heldBy)), style);
}

function* heading(text: string, style: TextStyle): Generator<TerminalText> {
  yield say``;
  yield tint(style.paint, 'bold', terminal(text));
}

function* windowLines({ windows }: RehearsalReport, style: TextStyle): Generator<TerminalText> {
  if (windows.length === 0) return;
  yield* heading(REHEARSAL_TITLES.windows, style);
  for (const { window, policy, closedWithWork, mostLeft } of windows) {
    const params = { window, policy, times: closedWithWork, left: mostLeft };
    yield* wrap(say`  ${words('closed', params)}`, style.width, 4);
  }
}

/** How many sites are drawn; the page and the JSON have all. */
const DRAWN = 12;

const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

function* outageLines(report: RehearsalReport, style: TextStyle): Generator<TerminalText> {
  const { outages, step } = report;
  if (outages.length === 0) return;
  const names = Math.min(20, Math.max(...outages.slice(0, DRAWN).map(({ site }) => site.length)));
  const columns = Math.max(10, style.width - names - 10);
  const perMark = Math.max(1, Math.ceil((outages[0]?.counts.length ?? 1) / columns));
  yield* heading(`${REHEARSAL_TITLES.outages} (${stepWords(step * perMark)})`, style);
  const top = outages[0]?.most ?? 1;
  for (const each of outages.slice(0, DRAWN)) {
    const name = pad(cut(terminal(each.site), names), names);
    const most = grouped(each.most).padStart(5);
    yield say`  ${name}  ${terminal(most)} ${terminal(drawBar(each, perMark, top))}`;
  }
  if (outages.length > DRAWN)
    yield say`  … ${terminal(grouped(outages.length - DRAWN))} more sites`;
}

/** One mark for each group of steps, as high as the most in it beside the most of all sites. */
function drawBar({ counts }: SiteOutages, perMark: number, top: number): string {
  let bar = '';
  for (let from = 0; from < counts.length; from += perMark) {
    const most = counts.slice(from, from + perMark).reduce((max, each) => Math.max(max, each), 0);
    bar += MARKS[Math.ceil((most / Math.max(1, top)) * (MARKS.length - 1))] ?? '';
  }
  return bar.trimEnd();
}

function* effortLines(report: RehearsalReport, style: TextStyle): Generator<TerminalText> {
  const { requests, stops, ended, courses: all } = report;
  yield* heading(REHEARSAL_TITLES.effort, style);
  const { p50, p95, busiestDay } = requests;
  const counts = { p50, p95: grouped(p95), day: grouped(busiestDay) };
  yield say`  ${join([words('requests', counts), words('runs', { ...report })], '; ')}`;
  if (stops.length + ended.length === 0) return;
  yield* heading(REHEARSAL_TITLES.trouble, style);
  for (const { scope, courses } of stops)
    yield* wrap(say`  ${words('stop', { scope, courses, all })}`, style.width, 4);
  for (const step of stopSteps(stops)) yield* wrap(say`  next: ${terminal(step)}`, style.width, 8);
  for (const each of ended) yield* wrap(say`  ${words('ended', { ...each })}`, style.width, 4);
}

/** Each policy with its finish and its bad ends, without the faults and with them. */
function* faultLines(
  { policies, from: now }: RehearsalReport,
  before: readonly PolicyForecast[],
  style: TextStyle,
): Generator<TerminalText> {
  yield* heading(REHEARSAL_TITLES.faults, style);
  const all = new Set([...policies, ...before].map(({ policy }) => policy));
  const cells = (forecast: PolicyForecast | undefined): readonly TerminalText[] => {
    const p50 = forecast && inlineText(finishText(forecast.finish.p50, { now }), style);
    const counts = [forecast?.done ?? 0, forecast?.failed ?? 0, forecast?.late ?? 0];
    return [...counts.map((count) => terminal(cellText(count))), p50 ?? terminal('-')];
  };
  const sides = [before, policies] as const;
  const names = cutAddresses([...all].map(terminal), 30);
  const rows = [...all].flatMap((address, row) =>
    sides.map((side, index) => [
      index === 0 ? (names[row] ?? terminal(address)) : say``,
      terminal(index === 0 ? FORECAST_COLUMNS.without : FORECAST_COLUMNS.with),
      ...cells(side.find(({ policy }) => policy === address)),
    ]),
  );
  const { policy, faults, done, failed, late, p50 } = FORECAST_COLUMNS;
  yield* table(rows, {
    width: style.width,
    header: [policy, faults, done, failed, late, p50].map((text) => terminal(text.toUpperCase())),
    align: ['left', 'left', 'right', 'right', 'right', 'left'],
    head: (line) => tint(style.paint, 'dim', line),
  });
}
