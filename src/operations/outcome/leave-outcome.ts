import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Memory } from '../../model/ledger/memory.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { MAX_COMMITS, outcomeJson } from '../../render/outputs/outcome.ts';
import { outcomeLostWords } from '../../render/words/last-words.ts';
import { printMessages } from '../../shell/messages.ts';
import type { SurveyParts } from '../survey.ts';
import { commitsSince } from '../gate/default-branch.ts';
import type { LedgerHere, Here } from '../here.ts';

type Parts = LedgerHere & Pick<SurveyParts, 'commit'>;

interface Outcome {
  readonly outcome?: string;
  readonly command: string;
  /** The ledger after the run. */
  readonly memory: Pick<Memory, 'planned'>;
}

/**
 * Writes what became of a run into a file, for `ci publish`. A file that cannot be written changes neither the
 * outcome nor the exit code; it is printed.
 */
export async function leaveOutcome(
  parts: Parts & Outcome,
  report: RunReport,
  exit: number,
): Promise<void> {
  const { shell, outcome: file, command, commit, memory, target } = parts;
  const service = target.fingerprint;
  if (file === undefined || commit === undefined) return;
  const commits = await listMerged(parts, memory, commit.commit).catch(() => [commit.commit]);
  const now = shell.clock.now();
  const left = outcomeJson(report, {
    now,
    exit,
    command,
    service,
    commit: commit.commit,
    commits,
  });
  try {
    writeFileSync(resolve(shell.cwd, file), `${JSON.stringify(left)}\n`);
  } catch (error) {
    printMessages(shell, [outcomeLostWords(file, error)]);
  }
}

/**
 * The commits that a run applies first, oldest first: what was merged after the last other commit that a run had a
 * plan of, at most the newest 50. Of several merges between two runs each has a request that needs the outcome.
 */
export async function listMerged(
  here: Here,
  { planned }: Pick<Memory, 'planned'>,
  commit: string,
): Promise<readonly string[]> {
  const before = planned?.commit === commit ? planned.before : planned?.commit;
  if (before === undefined) return [commit];
  const since = await commitsSince(here, { from: before, to: commit });
  const merged = since.map((each) => each.commit).filter((each) => each !== commit);
  return [...merged, commit].slice(-MAX_COMMITS);
}
