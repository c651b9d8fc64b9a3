import {
  classifyEnding,
  isRemaining,
  type Ending,
  type RunReport,
} from '../../model/ledger/run-report.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import { sumRequests } from '../../model/ledger/run-requests.ts';
import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import type { Instant } from '../../lib/time.ts';
import type { Sink } from '../sinks/sinks.ts';
import {
  data,
  joined,
  own,
  say,
  sentence,
  strong,
  told,
  type Block,
  type Inlines,
} from '../tree.ts';
import { countColumns, tabulateRun } from '../view/run-table.ts';
import { runSituation } from '../view/situations.ts';
import { withdrawnUnwanted } from '../words/approval-words.ts';
import { EXIT_WORDS } from '../words/commands.ts';
import { countRows } from '../words/ending-words.ts';
import { sharedClock } from '../words/local.ts';
import type { PageTime } from '../words/moment.ts';
import { ANOMALY_WORDS, endedWords } from '../words/outcomes.ts';
import { counted, grouped } from '../words/phrase.ts';
import { REPORT_LEFT, requestsWords } from '../words/report-words.ts';
import { changesSentence } from '../words/review/all-clear.ts';
import { hintWords } from '../words/review/hint.ts';
import { needWords } from '../words/review/review-words.ts';
import {
  CLASS_TONES,
  closedBesideBlocks,
  endingBlocks,
  leftOpenBlocks,
  notStartedBlocks,
} from './endings.ts';
import { guardrailBlocks } from './guardrails.ts';
import { wordText } from './naming.ts';
import { runTable } from './policy-table.ts';
import { stopBlocks } from './stops.ts';

export interface RunOptions {
  readonly now: Instant;
  /** The exit code of the run; its meaning ends the report. */
  readonly exit: number;
  /** The command to run again, with its arguments: `apply plan.json --approved ...`. */
  readonly command?: string;
  /** Another next step follows: the report has none. */
  readonly isFollowed?: boolean;
  readonly file?: string;
}

/**
 * The report of a run: the totals, a line for each policy, each device that is not verified with
 * the reason and the next step, and the next command.
 */
export function reportBlocks(report: RunReport, options: RunOptions): readonly Block[] {
  const { endings, refused = [], stops = [], closedBeside = [], leftOpen = [] } = report;
  const stopped = new Set(stops.map(({ scope }) => policyOfScope(scope)));
  const page = runTime(report, options.now);
  return [
    ...standingBlocks(report, page),
    ...countBlocks(report),
    ...(endings.length > 0 ? [runTable(tabulateRun(report))] : []),
    ...guardrailBlocks(refused),
    ...endingBlocks(endings, page, (policy) => stopped.has(policy) || stopped.has(FLEET)),
    ...closedBesideBlocks(closedBeside),
    ...leftOpenBlocks(leftOpen),
    ...stopBlocks('Stopped', stops, options.now),
    ...notStartedBlocks(endings, page),
    ...closingBlocks(report, options),
  ];
}

/** Where a run changed nothing, what its reading shows comes first. */
function standingBlocks(report: RunReport, page: RunTime): readonly Block[] {
  const { surveyed, attempts, closedBeside = [] } = report;
  if (!surveyed || attempts + closedBeside.length > 0) return [];
  const { standing } = findAllClear(runSituation(report, page.now));
  return [
    { is: 'title', text: told((sink) => changesSentence(standing, surveyed, { ...page, sink })) },
  ];
}

/** How many changes there are of each class, and of what is only noted. */
function countBlocks(report: RunReport): readonly Block[] {
  const { endings, notes, attempts } = report;
  const title = `Run: ${counted(endings.length, 'change')}, ${counted(attempts, 'task')} sent`;
  const counts = countRows(report).map(({ class: name, words, count }) =>
    countRow(
      count,
      [strong(own(words.label), CLASS_TONES[name])],
      words.says + columnsText(endings, name),
    ),
  );
  const { unchanged, later, person } = countColumns({ endings: [], notes });
  const noted = [
    [unchanged, 'unchanged', 'nothing due'],
    [later, 'later', 'not read or not discovered yet'],
    [person, 'not managed', 'named by ID in a policy'],
  ] as const;
  const rows = [
    ...counts,
    ...noted.flatMap(([count, label, says]) =>
      count > 0 ? [countRow(count, own(label), says)] : [],
    ),
  ];
  const columns = [{ title: '', isNumber: true }, { title: '' }, { title: '' }];
  const table = {
    is: 'table',
    label: 'Changes by outcome',
    kind: 'classes',
    columns,
    rows,
  } as const;
  return [{ is: 'title', text: own(title) }, ...(rows.length > 0 ? [table] : [])];
}

function countRow(count: number, label: Inlines, says: string) {
  return { cells: [own(grouped(count)), label, own(says)] };
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
    ...(person > 0 ? [needWords(person)] : []),
    ...(out > 0 ? [`${grouped(out)} out`] : []),
    ...(unchanged > 0 ? [`${grouped(unchanged)} unchanged`] : []),
  ];
  return ` (${parts.join(', ')})`;
}

/** What was unexpected, what else the run did, what is left of its file, and what to do next. */
function closingBlocks(report: RunReport, options: RunOptions): readonly Block[] {
  const { withdrawn, requests, ended } = report;
  const { exit, isFollowed = false } = options;
  const words = EXIT_WORDS[exit];
  const sentences = [
    ...(withdrawn === undefined ? [] : [own(withdrawnUnwanted(withdrawn))]),
    ...(requests && sumRequests(requests.made) > 0 ? [own(requestsWords(requests))] : []),
    ...leftText(report, options),
    ...(ended === undefined ? [] : [told((sink) => endedWords(ended, report, sink))]),
    ...(words ? [own(`Exit ${exit}: ${words.says}.`)] : []),
  ];
  return [
    ...anomalyBlocks(report.anomalies),
    ...sentences.map((text) => sentence(text)),
    ...(isFollowed
      ? []
      : [{ is: 'next', text: told((sink) => stepAfter(report, options, sink)) } as const]),
  ];
}

/** Unexpected behavior of the service or of other clients. */
function anomalyBlocks(anomalies: readonly string[]): readonly Block[] {
  if (anomalies.length === 0) return [];
  const items = anomalies.map((anomaly) => {
    const [what = '', ids] = anomaly.split(/: (.*)/su);
    return {
      text: [...wordText(ANOMALY_WORDS, what), ...(ids === undefined ? [] : say`: ${ids}`)],
    };
  });
  const list = { is: 'list', items, tone: 'wait' } as const;
  return [{ is: 'section', id: 'unexpected', title: own('Unexpected'), blocks: [list] }];
}

/** How many changes left of a file are named; of more, only the number is given. */
const LEFT_NAMED = 5;

function leftText(report: RunReport, { file }: RunOptions): readonly Inlines[] {
  const left = remainingWork(report);
  if (file === undefined || left.length === 0) return [];
  const ids = left.map(({ change }) => [data(change.id)]);
  const listed = left.length > LEFT_NAMED ? own(REPORT_LEFT) : joined(ids, ', ');
  return [say`Remaining in ${file}: ${own(counted(left.length, 'change'))}: ${listed}`];
}

/** The remaining work of an approved file: the same file may be applied again for it. */
export function remainingWork({ endings }: Pick<RunReport, 'endings'>): readonly Ending[] {
  return endings.filter(isRemaining);
}

type RunTime = PageTime & { readonly now: Instant };

/** How a report writes its instants: in the zone of its windows if they share one, as its plan did. */
function runTime({ endings }: Pick<RunReport, 'endings'>, now: Instant): RunTime {
  return { clock: sharedClock(endings.map(({ change }) => change.window?.zone)), now };
}

type StepOptions = Pick<RunOptions, 'command' | 'now'>;

/** The next step after a run: the only hint that ends its report (semantics N85). */
export function stepAfter(report: RunReport, { command, now }: StepOptions, sink?: Sink): string {
  const { next } = findAllClear(runSituation(report, now));
  return hintWords(next, { ...runTime(report, now), now, command, ...(sink && { sink }) });
}
