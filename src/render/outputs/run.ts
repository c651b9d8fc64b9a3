import { isRemaining, type Ending, type RunReport } from '../../model/ledger/run-report.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { addColumns, sumColumns } from '../../model/plan/actor.ts';
import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import type { Instant } from '../../lib/time.ts';
import type { Sink } from '../sinks/sinks.ts';
import { data, joined, own, say, sentence, told, type Block, type Inlines } from '../tree.ts';
import { tabulateRun, type RunRow } from '../../model/ledger/run-table.ts';
import { runSituation } from '../view/situations.ts';
import { withdrawnUnwanted } from '../words/approval-words.ts';
import { EXIT_WORDS } from '../words/commands.ts';
import { moreSelectedWords, ranWords } from '../words/ending-words.ts';
import { clockedTime, type ClockedTime } from '../words/moment.ts';
import { ANOMALY_WORDS, endedWords } from '../words/outcomes.ts';
import { counted } from '../words/phrase.ts';
import { REPORT_LEFT } from '../words/report-words.ts';
import { changesSentence } from '../words/review/all-clear.ts';
import { hintWords } from '../words/review/hint.ts';
import { closedBesideBlocks, leftBlocks, leftOpenBlocks, resultOnlyBlocks } from './endings.ts';
import { guardrailBlocks } from './guardrails.ts';
import { wordText } from './naming.ts';
import { policyTable } from './policy-table.ts';
import { stopBlocks } from './warnings.ts';

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
 * The report of a run: what was sent, the table of policies, each device that is not verified with
 * the reason and the next step, and the next command.
 */
export function reportBlocks(report: RunReport, options: RunOptions): readonly Block[] {
  const { refused = [], stops = [], closedBeside = [], leftOpen = [] } = report;
  const stopped = new Set(stops.map(({ scope }) => policyOfScope(scope)));
  const page = clockedTime(report.surveyed?.timeZone, options.now);
  const rows = tabulateRun(report);
  return [
    { is: 'title', text: titleText(report, page) },
    ...(rows.length > 0 ? [policyTable({ rows })] : []),
    ...onboardedBlocks(report, rows),
    ...guardrailBlocks(refused),
    ...resultOnlyBlocks(report, page),
    ...leftBlocks(report, page, (policy) => stopped.has(policy) || stopped.has(FLEET)),
    ...closedBesideBlocks(closedBeside),
    ...leftOpenBlocks(leftOpen),
    ...stopBlocks('Stopped', stops, page),
    ...closingBlocks(report, options),
  ];
}

/** What was sent and what became of it; where a run changed nothing, what its reading shows. */
function titleText(report: RunReport, page: ClockedTime): Inlines {
  const { surveyed, attempts, closedBeside = [] } = report;
  if (!surveyed || attempts + closedBeside.length > 0) return own(ranWords(report));
  const { standing } = findAllClear(runSituation(report, page.now));
  return told((sink) => changesSentence(standing, surveyed, { ...page, sink }));
}

/** Why the table has more than the plan: devices that were onboarded have changes of their own. */
function onboardedBlocks({ endings, notes }: RunReport, rows: readonly RunRow[]): readonly Block[] {
  const selected = sumColumns(addColumns(rows));
  const more = selected - endings.length - sumCounts(notes);
  const hasNew = endings.some(
    ({ change, outcome }) => change.task === TASK_OF.onboarding && outcome === 'verified',
  );
  return more > 0 && hasNew ? [sentence(own(moreSelectedWords(selected, more)))] : [];
}

/** What was unexpected, what else the run did, what is left of its file, and what to do next. */
function closingBlocks(report: RunReport, options: RunOptions): readonly Block[] {
  const { withdrawn, ended } = report;
  const { exit, isFollowed = false } = options;
  const words = exit === 0 ? undefined : EXIT_WORDS[exit];
  const sentences = [
    ...(withdrawn === undefined ? [] : [own(withdrawnUnwanted(withdrawn))]),
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
  const ids = left.map(({ change }) => data(change.id));
  const listed = left.length > LEFT_NAMED ? own(REPORT_LEFT) : joined(ids, ', ');
  return [say`Remaining in ${file}: ${own(counted(left.length, 'change'))}: ${listed}`];
}

/** The remaining work of an approved file: the same file may be applied again for it. */
export function remainingWork({ endings }: Pick<RunReport, 'endings'>): readonly Ending[] {
  return endings.filter(isRemaining);
}

type StepOptions = Pick<RunOptions, 'command' | 'now'>;

/** The next step after a run: the only hint that ends its report (semantics N85). */
export function stepAfter(report: RunReport, { command, now }: StepOptions, sink?: Sink): string {
  const { next } = findAllClear(runSituation(report, now));
  return hintWords(next, {
    ...clockedTime(report.surveyed?.timeZone, now),
    command,
    ...(sink && { sink }),
  });
}
