import {
  type Outcome,
  type RunReport,
  countFailed,
  sumRun,
} from '../../model/ledger/run-report.ts';
import type { Params } from '../../model/error.ts';
import { counted, grouped, type Phrase } from './phrase.ts';
import { DETAIL_WORDS, STEP_WORDS } from './outcomes.ts';
import { findWord } from './entry.ts';
import { CLASS_WORDS } from './commands.ts';
import { classEntries, type ClassCounts, type RunClass } from '../../model/ledger/run-sums.ts';

/** The first line of a report: `11 tasks sent: 55 devices verified, 0 failed.`; what is in doubt follows. */
export function ranWords(report: RunReport): string {
  const { classes, beside } = sumRun(report);
  const of = (name: RunClass): number => (classes[name] ?? 0) + (beside[name] ?? 0);
  const parts = [
    `${counted(of('verified'), 'device')} verified`,
    `${grouped(countFailed(report))} failed`,
    ...(of('inDoubt') > 0 ? [`${grouped(of('inDoubt'))} in doubt`] : []),
  ];
  return `${counted(report.attempts, 'task')} sent: ${parts.join(', ')}.`;
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
