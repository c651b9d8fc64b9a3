import {
  type Ending,
  type Outcome,
  type RunReport,
  classOf,
  sumsOf,
} from '../../model/ledger/outcome.ts';
import { fill, grouped } from './phrase.ts';
import { terminal, type TerminalText } from '../sinks/sinks.ts';
import { AT_WORK_WORDS, DETAIL_WORDS, OUTCOME_WORDS, STEP_WORDS } from './outcomes.ts';
import { wordOf } from './entry.ts';
import { CLASS_WORDS } from './commands.ts';
import { classEntries, type ClassCounts, type RunClass } from '../../model/ledger/run-sums.ts';

/** How an ending is called and explained; a task that outlived its run was in time all the same. */
export function endingWords(ending: Pick<Ending, 'outcome' | 'reason'>): typeof AT_WORK_WORDS {
  return isAtWork(ending) ? AT_WORK_WORDS : OUTCOME_WORDS[ending.outcome];
}

/** The task ran on when the run was interrupted. */
export function isAtWork({ outcome, reason }: Pick<Ending, 'outcome' | 'reason'>): boolean {
  return classOf({ outcome, ...(reason && { reason }) }) === 'atWork';
}

/** One line of the sums of a report. */
export interface CountRow {
  readonly class: RunClass;
  readonly words: typeof AT_WORK_WORDS;
  readonly count: number;
}

/** The sums of a report by what they are called, without those that are zero. */
export function countRows(report: RunReport): readonly CountRow[] {
  return classEntries(sumsOf(report).classes).map(([name, count]) => ({
    class: name,
    words: CLASS_WORDS[name],
    count,
  }));
}

/** Sums as one phrase: `3 verified, 1 right already`. */
export function classesText(counts: ClassCounts): string {
  return classEntries(counts)
    .map(([name, count]) => `${grouped(count)} ${CLASS_WORDS[name].label}`)
    .join(', ');
}

/** What more there is to know of an ending, and what to do where that says it better. */
export interface DetailText {
  readonly says: TerminalText;
  readonly next?: TerminalText;
}

/**
 * A detail in English: a code of ours, which a row of the outcome table may follow with the status
 * that the service answered (`P06 403`), else the step at which the task went wrong.
 */
export function detailText(outcome: Outcome, detail: string): DetailText {
  const [code = '', status] = detail.split(' ');
  const known =
    wordOf(DETAIL_WORDS, detail) ??
    (status === undefined || /^\d{3}$/.test(status) ? wordOf(DETAIL_WORDS, code) : undefined);
  const params = { detail, ...(status !== undefined && { status }) };
  const { says, next } = known ?? { says: STEP_WORDS[outcome] ?? 'the service says “{detail}”' };
  return {
    says: fill(says, params, terminal) as TerminalText,
    ...(next !== undefined && { next: terminal(next) }),
  };
}
