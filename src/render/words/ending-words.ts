import {
  type Outcome,
  type RunReport,
  classifyEnding,
  sumRun,
} from '../../model/ledger/run-report.ts';
import type { Params } from '../../model/error.ts';
import { grouped, type Phrase } from './phrase.ts';
import { DETAIL_WORDS, STEP_WORDS } from './outcomes.ts';
import { findWord } from './entry.ts';
import { CLASS_WORDS } from './commands.ts';
import { classEntries, type ClassCounts, type RunClass } from '../../model/ledger/run-sums.ts';

interface CountRow {
  readonly class: RunClass;
  readonly words: (typeof CLASS_WORDS)[RunClass];
  readonly count: number;
}

/** The totals of a report by label, without zeros. */
export function countRows(report: RunReport): readonly CountRow[] {
  return classEntries(sumRun(report).classes).map(([name, count]) => ({
    class: name,
    words: name === 'notStarted' ? notStartedWords(report) : CLASS_WORDS[name],
    count,
  }));
}

/** What an ended incident left cannot start at all: its line says so (semantics N61). */
function notStartedWords({ endings }: Pick<RunReport, 'endings'>): CountRow['words'] {
  const reasons = endings
    .filter((ending) => classifyEnding(ending) === 'notStarted')
    .map(({ reason }) => reason?.code === 'incidentEnded');
  if (!reasons.includes(true)) return CLASS_WORDS.notStarted;
  const says = reasons.includes(false) ? MIXED_END : 'their incident ended before they started';
  return { ...CLASS_WORDS.notStarted, says };
}

const MIXED_END = 'cannot start yet, or their incident ended before';

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
