import type { Instant } from '../../../lib/time.ts';
import type { RunCounts } from '../../../model/ledger/run-table.ts';
import { EXIT_WORDS } from '../commands.ts';
import { moment } from '../moment.ts';
import type { WorldError } from '../../../model/error.ts';
import { errorWords } from '../errors.ts';
import { counted, grouped } from '../phrase.ts';
import { countsText } from './all-clear.ts';

/** The exit code of several causes: the counts beside it say which of them apply. */
const FAILED = 4;

/** The title of the issue about runs that failed; it stays where only the numbers of devices change. */
export function runIssueTitle(exit: number): string {
  if (exit === 0 || exit === 7) return 'fleetform: runs succeed again';
  if (exit === FAILED) return 'fleetform: a run needs a person';
  return `fleetform: ${EXIT_WORDS[exit]?.says ?? 'error'}`;
}

/** The first line of what became of a merged pull request. */
export function outcomeTitle({
  commit,
  at,
  exit,
  sums,
}: {
  readonly commit: string;
  readonly at: Instant;
  readonly exit: number;
  readonly sums: RunCounts;
}): string {
  const { verified, failed, now, running, later, person } = sums;
  const parts = [
    `${grouped(verified)} verified`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...countsText({ now, running, later, person }),
  ];
  const means = exit === FAILED ? undefined : EXIT_WORDS[exit]?.says;
  const why = means === undefined ? '' : `: ${means}`;
  const how = exit === 0 || exit === 7 ? '' : ` (exit ${exit}${why})`;
  const when = moment(at);
  return `Applied at \`${commit.slice(0, 12)}\`, last run ${when}: ${parts.join(', ')}${how}.`;
}

/** The next step after a run that could not start: of its failure, or for so many invalid places. */
export function unstartedStep(
  failure: WorldError | undefined,
  invalid: number | undefined,
): string {
  if (invalid !== undefined)
    return `Fix the documents of this commit (${counted(invalid, 'finding')}): \`fleetform validate\`.`;
  if (!failure) return 'See the log of the run.';
  const { summary, next } = errorWords(failure.code, failure.params, String);
  return `${summary} ${next}`;
}
