import {
  classifyEnding,
  isNotSent,
  isRemaining,
  type ClosedBeside,
  type Ending,
  type LeftOpen,
  type Outcome,
  type RunReport,
} from '../../../model/ledger/run-report.ts';
import type { Instant } from '../../../lib/time.ts';
import type { RunClass } from '../../../model/ledger/run-sums.ts';
import { deviceText } from '../class-text.ts';
import { labelled } from '../../print/terminal.ts';
import { endingNext, endingWhy } from './ending-text.ts';
import { countRows, detailText } from '../../words/ending-words.ts';
import { byUrgency, groupClosed, groupEndings, type EndingGroup } from '../../view/endings.ts';
import { countColumns } from '../../view/run-table.ts';
import { notStartedLines } from './not-started-text.ts';
import { tint, type Colour } from '../../sinks/paint.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { findAllClear } from '../../../model/report/all-clear.ts';
import { runTable } from './run-table-text.ts';
import { runSituation } from '../../view/situations.ts';
import { sharedClock } from '../../words/local.ts';
import type { PageTime } from '../../words/moment.ts';
import { changesSentence } from '../../words/review/all-clear.ts';
import { hintWords } from '../../words/review/hint.ts';
import { sumRequests } from '../../../model/ledger/run-requests.ts';
import type { StopReport } from '../../../model/ledger/stopped.ts';
import { FLEET, policyOfScope } from '../../../model/ledger/scopes.ts';
import { stopLines } from '../stop-text.ts';
import { withdrawnUnwanted } from '../../words/approval-words.ts';
import { REPORT_LEFT, requestsWords, STOP_WORDS } from '../../words/report-words.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { guardrailBlocks } from '../../outputs/guardrails.ts';
import { printTerminal } from '../../print/terminal.ts';
import { wrap } from '../../sinks/wrap.ts';
import { ANOMALY_WORDS, endedWords, OUTCOME_WORDS, SHOWN_WORDS } from '../../words/outcomes.ts';
import { fill } from '../../words/phrase.ts';
import { EXIT_WORDS } from '../../words/commands.ts';
import { TASK_WORDS } from '../../words/terms.ts';
import { findWord } from '../../words/entry.ts';

/** How many devices settled besides the plan are named; the others are counted. */
const NAMED = 20;

/** How many changes left of a file are named; of more, only the number is given. */
const LEFT_NAMED = 5;

/** Outcomes where each device needs a check: every one is listed on a line of its own. */
const LISTED: readonly Outcome[] = [
  'inDoubt',
  'failed',
  'rolledBack',
  'aborted',
  'unverified',
  'timedOut',
  'atWork',
];

const COLOUR_OF: Readonly<Record<RunClass, Colour>> = {
  verified: 'green',
  converged: 'green',
  unverified: 'yellow',
  failed: 'red',
  rolledBack: 'red',
  aborted: 'red',
  timedOut: 'yellow',
  atWork: 'yellow',
  inDoubt: 'red',
  betweenSteps: 'dim',
  skipped: 'dim',
  unreadable: 'yellow',
  stale: 'dim',
  notStarted: 'dim',
};

export interface RunOptions extends TextStyle {
  readonly now: Instant;
  /** The exit code of the run; its meaning ends the text. */
  readonly exit: number;
  /** The command to run again, with its arguments: `apply plan.json --approved ...`. */
  readonly command?: string;
  /** Another next step follows: the report has none. */
  readonly isFollowed?: boolean;
  readonly file?: string;
}

/**
 * The report of a run as text: the totals, a line for each policy, each device that is not verified
 * with the reason and the next step, and the next command.
 */
export function* runText(report: RunReport, style: RunOptions): Generator<TerminalText> {
  yield* sentenceLines(report, style);
  yield* countLines(report, style);
  if (report.endings.length > 0) yield* [say``, ...runTable(report, style)];
  yield* printTerminal(guardrailBlocks(report.refused ?? []), style);
  const stopped = new Set((report.stops ?? []).map(({ scope }) => policyOfScope(scope)));
  const sent = report.endings.filter((ending) => !isNotSent(ending));
  const page = runTime(report, style.now);
  for (const group of groupEndings(sent)) yield* groupLines(group, { ...style, page, stopped });
  yield* closedBesideLines(report.closedBeside ?? [], style);
  yield* leftOpenLines(report.leftOpen ?? [], style);
  yield* stoppedLines(report.stops ?? [], style);
  yield* notStartedLines(report.endings, { ...style, page });
  yield* anomalyLines(report.anomalies, style);
  if (report.withdrawn !== undefined)
    yield* wrap(terminal(withdrawnUnwanted(report.withdrawn)), style.width);
  if (report.requests && sumRequests(report.requests.made) > 0)
    yield* wrap(terminal(requestsWords(report.requests)), style.width);
  yield* leftLines(report, style);
  yield* closingLines(report, style);
}

/** Where a run changed nothing, what its reading shows comes first. */
function* sentenceLines(report: RunReport, style: RunOptions): Generator<TerminalText> {
  const { surveyed, attempts, closedBeside = [] } = report;
  if (!surveyed || attempts + closedBeside.length > 0) return;
  const { standing } = findAllClear(runSituation(report, style.now));
  const said = changesSentence(standing, surveyed, {
    ...runTime(report, style.now),
    now: style.now,
  });
  for (const line of wrap(terminal(said), style.width)) yield tint(style.paint, 'bold', line);
}

function* countLines(report: RunReport, style: RunOptions): Generator<TerminalText> {
  const { endings, attempts } = report;
  const title = `Run: ${counted(endings.length, 'change')}, ${counted(attempts, 'task')} sent`;
  yield tint(style.paint, 'bold', terminal(title));
  const rows = countRows(report).map(({ class: name, words, count }) => [
    terminal(`  ${grouped(count)}`),
    tint(style.paint, COLOUR_OF[name], terminal(words.label)),
    terminal(`${words.says}${columnsText(endings, name)}`),
  ]);
  const { unchanged, later, person } = countColumns({ endings: [], notes: report.notes });
  if (unchanged > 0)
    rows.push([terminal(`  ${grouped(unchanged)}`), say`unchanged`, say`nothing due`]);
  if (later > 0)
    rows.push([terminal(`  ${grouped(later)}`), say`later`, say`not read or not discovered yet`]);
  if (person > 0)
    rows.push([terminal(`  ${grouped(person)}`), say`not managed`, say`named by ID in a policy`]);
  yield* table(rows, { width: style.width, align: ['right'] });
}

/** Classes of changes for which no task was sent: the table divides them by who has to act. */
const DIVIDED: ReadonlySet<RunClass> = new Set([
  'converged',
  'betweenSteps',
  'skipped',
  'unreadable',
  'stale',
  'notStarted',
]);

/** In which columns of the table a class is counted, where its own words do not say that. */
function columnsText(endings: readonly Ending[], name: RunClass): string {
  if (!DIVIDED.has(name)) return '';
  const mine = endings.filter((ending) => classifyEnding(ending) === name);
  const { open, later, person, unchanged, out } = countColumns({ endings: mine, notes: [] });
  if (name === 'notStarted' && later === mine.length) return '';
  const parts = [
    ...(open > 0 ? [`${grouped(open)} open`] : []),
    ...(later > 0 ? [`${grouped(later)} later`] : []),
    ...(person > 0 ? [`${grouped(person)} ${person === 1 ? 'needs' : 'need'} you`] : []),
    ...(out > 0 ? [`${grouped(out)} out`] : []),
    ...(unchanged > 0 ? [`${grouped(unchanged)} unchanged`] : []),
  ];
  return ` (${parts.join(', ')})`;
}

interface GroupStyle extends RunOptions {
  readonly page: PageTime;
  /** Policies whose stop is described below the groups. */
  readonly stopped: ReadonlySet<string>;
}

function* groupLines(group: EndingGroup, style: GroupStyle): Generator<TerminalText> {
  const { outcome, task, endings, resultOnly } = group;
  if (outcome === 'verified' && !resultOnly) return;
  const { label } = OUTCOME_WORDS[group.outcome];
  const title = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  yield say``;
  const coloured = tint(style.paint, COLOUR_OF[outcome], terminal(title));
  const what = terminal(`${TASK_WORDS[task]} · ${counted(endings.length, 'device')}`);
  yield* wrap(say`  ${coloured} · ${what} · ${terminal(group.policy)}`, style.width, 4);
  yield* labelled('why', endingWhy(group, style.page), style);
  if (LISTED.includes(outcome)) for (const ending of endings) yield* endingLines(ending, style);
  const next = groupNext(group, style);
  if (next !== undefined) yield* labelled('next', next, style);
}

function groupNext(group: EndingGroup, style: GroupStyle): TerminalText | undefined {
  const { outcome, policy } = group;
  if (outcome === 'verified') return undefined;
  const isStopped = style.stopped.has(policy) || style.stopped.has(FLEET);
  return outcome === 'failed' && isStopped
    ? terminal(STOP_WORDS.below)
    : endingNext(group, style.page);
}

function endingLines(
  { change: { device }, intentId, taskId, shown }: Ending,
  style: TextStyle,
): readonly TerminalText[] {
  const parts = [
    deviceText(device),
    ...(device.site === undefined ? [] : [say`at ${terminal(device.site)}`]),
    ...(taskId === undefined ? [] : [say`task ${terminal(taskId)}`]),
    ...(intentId === undefined ? [] : [say`intent ${terminal(intentId)}`]),
  ];
  const lines = labelled('device', join(parts, ' '), style);
  return shown
    ? [...lines, ...labelled('', terminal(fill(SHOWN_WORDS, { ...shown }, String)), style)]
    : lines;
}

/** One line for each task, policy and outcome, with a few device names. */
function* closedBesideLines(
  closed: readonly ClosedBeside[],
  style: TextStyle,
): Generator<TerminalText> {
  if (closed.length === 0) return;
  const count = counted(closed.length, 'device');
  yield say``;
  yield tint(
    style.paint,
    'bold',
    terminal(`  Finished from earlier runs, not in this plan: ${count}`),
  );
  for (const { outcome, task, policy, detail, devices } of groupClosed(closed)) {
    const named = devices.slice(0, NAMED).join(', ');
    const more = devices.length - NAMED;
    const names = more > 0 ? `${named}, … and ${grouped(more)} more` : named;
    const label = tint(style.paint, COLOUR_OF[outcome], terminal(OUTCOME_WORDS[outcome].label));
    const what = terminal(`${TASK_WORDS[task]} · ${counted(devices.length, 'device')}`);
    yield* wrap(
      say`    ${label} · ${what} · ${terminal(policy)}: ${terminal(names)}`,
      style.width,
      6,
    );
    const said = detail === undefined ? undefined : detailText(outcome, detail).says;
    if (said) yield* labelled('why', said, style);
    if (outcome !== 'verified')
      yield* labelled('next', terminal(OUTCOME_WORDS[outcome].next), style);
  }
}

function* leftOpenLines(left: readonly LeftOpen[], style: TextStyle): Generator<TerminalText> {
  if (left.length === 0) return;
  yield say``;
  yield tint(style.paint, 'yellow', say`  Still open from earlier runs, not in this plan`);
  for (const { task, device, outcome, intentId, policy, detail } of byUrgency(left)) {
    const words = OUTCOME_WORDS[outcome];
    const said = detail === undefined ? undefined : detailText(outcome, detail);
    yield* labelled(
      'device',
      join(
        [
          say`${terminal(device)} ${terminal(TASK_WORDS[task])}`,
          terminal(words.label),
          say`${terminal(policy)} intent ${terminal(intentId)}`,
        ],
        ' · ',
      ),
      style,
    );
    if (said) yield* labelled('why', said.says, style);
    yield* labelled('next', said?.next ?? terminal(words.next), style);
  }
}

function* anomalyLines(anomalies: readonly string[], style: TextStyle): Generator<TerminalText> {
  if (anomalies.length > 0) yield say``;
  for (const anomaly of anomalies) {
    const [what = '', ids] = anomaly.split(/: (.*)/su);
    const said = ids === undefined ? '' : `: ${ids}`;
    const text = terminal(`${findWord(ANOMALY_WORDS, what) ?? what}${said}`);
    yield* wrap(say`  unexpected: ${text}`, style.width, 14).map((line) =>
      tint(style.paint, 'yellow', line),
    );
  }
}

/** The stop rules that hold the rest, and the way out. */
function* stoppedLines(stops: readonly StopReport[], style: RunOptions): Generator<TerminalText> {
  if (stops.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Stopped: ${grouped(stops.length)}`));
  for (const stop of stops) yield* stopLines(stop, style.now, style);
}

/** The remaining work of an approved file: the same file may be applied again for it. */
export function remainingWork({ endings }: Pick<RunReport, 'endings'>): readonly Ending[] {
  return endings.filter(isRemaining);
}

function* leftLines(report: RunReport, style: RunOptions): Generator<TerminalText> {
  const left = remainingWork(report);
  if (style.file === undefined || left.length === 0) return;
  const ids = left.map(({ change }) => change.id).join(', ');
  const listed = left.length > LEFT_NAMED ? REPORT_LEFT : ids;
  yield say``;
  const title = terminal(`Remaining in ${style.file}: ${counted(left.length, 'change')}`);
  yield* wrap(say`  ${title}: ${terminal(listed)}`, style.width, 4);
}

/** How a report writes its instants: in the zone of its windows if they share one, as its plan did. */
function runTime({ endings }: Pick<RunReport, 'endings'>, now: Instant): PageTime {
  return { clock: sharedClock(endings.map(({ change }) => change.window?.zone)), now };
}

/** The next step after a run: the only hint that ends its report (semantics N85). */
export function stepAfter(
  report: RunReport,
  { command, now }: Pick<RunOptions, 'command' | 'now'>,
): string {
  const { next } = findAllClear(runSituation(report, now));
  return hintWords(next, { ...runTime(report, now), now, command });
}

/** The next step; its commands stay whole, so that they can be copied. */
export function nextLines(text: TerminalText, { width }: TextStyle): readonly TerminalText[] {
  return wrap(text, width, 6);
}

function* closingLines(report: RunReport, style: RunOptions): Generator<TerminalText> {
  const exit = EXIT_WORDS[style.exit];
  yield say``;
  if (report.ended !== undefined)
    yield* wrap(terminal(endedWords(report.ended, report)), style.width, 2);
  if (exit) yield* wrap(terminal(`Exit ${style.exit}: ${exit.says}.`), style.width, 2);
  if (style.isFollowed !== true)
    yield* nextLines(terminal(`next: ${stepAfter(report, style)}`), style);
}
