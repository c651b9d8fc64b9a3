import type { Outcome, RunReport } from '../../model/ledger/run-report.ts';
import { countOutcomes } from '../../model/ledger/run-table.ts';
import type { Params } from '../../model/error.ts';
import { counted, grouped, type Phrase, findWord } from './phrase.ts';
import { DETAIL_WORDS, STEP_WORDS } from './outcomes.ts';
import { CLASS_WORDS } from './commands.ts';
import {
  classEntries,
  sumFailed,
  type ClassCounts,
  type RunClass,
  type RunSums,
} from '../../model/ledger/run-sums.ts';
import { selectedText } from './review/all-clear.ts';

/** Why a run leaves more selected changes than its plan had. */
export function moreSelectedWords(selected: number, more: number): string {
  return `${grouped(selected)} selected now, ${grouped(more)} more than before: changes of the new devices.`;
}

/** The first line of a report: `11 tasks sent: 55 devices verified, 0 failed.`; what is in doubt follows. */
export function ranWords(report: RunReport): string {
  return `${counted(report.attempts, 'task')} sent: ${endedText(countOutcomes(report))}.`;
}

/** How what was sent ended, and what was not sent since its approval no longer fits: `55 devices verified, 0 failed`. */
export function endedText({ classes, beside }: Pick<RunSums, 'classes' | 'beside'>): string {
  const of = (name: RunClass): number => (classes[name] ?? 0) + (beside[name] ?? 0);
  return [
    `${counted(of('verified'), 'device')} verified`,
    `${grouped(sumFailed({ classes, beside }))} failed`,
    ...(of('betweenSteps') > 0 ? [`${grouped(of('betweenSteps'))} between steps`] : []),
    ...(of('inDoubt') > 0 ? [`${grouped(of('inDoubt'))} in doubt`] : []),
    ...(of('stale') > 0 ? [`${grouped(of('stale'))} stale`] : []),
  ].join(', ');
}

/** The same of a run on record, and where it left the fleet, in the columns of its table. */
export function recordedText(sums: RunSums): string {
  const { columns } = sums;
  const hasTable = columns && Object.values(columns).some((count) => count > 0);
  return [endedText(sums), ...(hasTable ? [selectedText(columns)] : [])].join('; ');
}

/** Totals as one phrase: `3 verified, 1 right already`. */
export function classesText(counts: ClassCounts): string {
  return classEntries(counts)
    .map(([name, count]) => `${grouped(count)} ${CLASS_WORDS[name].label}`)
    .join(', ');
}

/** The explanation of an ending, and a more specific next step of ours if there is one. */
interface DetailPhrases {
  readonly says: Phrase;
  readonly next?: string;
  readonly params: Params;
}

/**
 * A detail in English: one of our codes, optionally with the status of the service (`P06 403`),
 * else the step at which the task failed.
 */
export function detailPhrases(outcome: Outcome, detail: string): DetailPhrases {
  const [code = '', status] = detail.split(' ');
  const known =
    findWord(DETAIL_WORDS, detail) ??
    (status === undefined || /^\d{3}$/.test(status) ? findWord(DETAIL_WORDS, code) : undefined);
  const params = { detail, ...(status !== undefined && { status }) };
  return {
    ...(known ?? { says: STEP_WORDS[outcome] ?? 'the service reports "{detail}"' }),
    params,
  };
}
