import { WorldError } from '../../../model/error.ts';
import { findForge } from '../../../operations/job.ts';
import { parseApproved } from '../../../operations/approval.ts';
import type { RunReport } from '../../../model/ledger/run-report.ts';
import { EXIT } from '../../../shell/exit.ts';
import { exitOfJob } from '../../../shell/exit-of-run.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addToSummary } from '../../process/step-summary.ts';
import { applyCommand } from '../apply.ts';

interface CiApplyFlags {
  readonly fleet: string;
  readonly lockWait: string;
  /** A saved plan, instead of a new one. */
  readonly file?: string;
  readonly approved?: string;
  /** Where to leave the outcome for `ci outcome`, which edits the comment on the merged request. */
  readonly outcome?: string;
  /** Where to leave the metrics of the run. */
  readonly metrics?: string;
}

const BOTH =
  '`ci apply FILE` requires --approved ID:DIGEST: the ID of what may run, and the digest of this file';

/**
 * `fleetform ci apply`: applies the documents of this commit within the guardrails and adds the
 * report to the summary of the step. Work left for a later window is no failure, because a
 * scheduled run continues it, and neither is what needs a person as in the last record (semantics
 * M34); the job keeps every other exit code of apply. With FILE it applies an approved saved plan: no person confirms in a job, so the file must match its digest. Throws
 * `usage` for a file without a digest, and `documentsNotNewest` (protocol M8).
 */
export async function ciApplyCommand(flags: CiApplyFlags, shell: Shell): Promise<number> {
  const digest = flags.approved === undefined ? undefined : parseApproved(flags.approved).digest;
  if (flags.file !== undefined && digest === undefined)
    throw new WorldError('usage', { message: BOTH });
  const { jobNotice, JOB_WORDS, runSummary } = await import('../../../render/words/job-words.ts');
  const said: string[] = [];
  const write = (text: string): void => {
    said.push(text);
    shell.out.write(text);
  };
  const { isTerminal, columns } = shell.out;
  const heard: Shell = { ...shell, out: { write, isTerminal, columns } };
  try {
    let report: RunReport | undefined;
    const onReport = (ran: RunReport): void => void (report = ran);
    const asked = { ...flags, wait: '0s', yes: true, format: 'text' } as const;
    const exit = await applyCommand(asked, heard, { onReport });
    const judged = exitOfJob(exit, report);
    if (judged === exit) return exit;
    const notice = exit === EXIT.failed ? JOB_WORDS.needsKnown : JOB_WORDS.workLeft;
    print(shell.out, [jobNotice(notice, findForge(shell.env))]);
    return judged;
  } catch (error) {
    const { reportUnstarted } = await import('../../../operations/outcome/unstarted-run.ts');
    const { fleet, outcome } = flags;
    await reportUnstarted(shell, { fleet, error, ...(outcome !== undefined && { outcome }) });
    throw error;
  } finally {
    if (said.length > 0)
      addToSummary(shell, (limit) => runSummary('fleetform apply', said.join(''), limit));
  }
}
