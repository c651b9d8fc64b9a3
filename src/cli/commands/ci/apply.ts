import { stripVTControlCharacters } from 'node:util';
import type { RunReport } from '../../../model/ledger/run-report.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import { addToSummary } from '../../process/step.ts';
import { usage } from '../../../model/error.ts';
import { command } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import { runApply } from '../apply.ts';

const BOTH =
  '`ci apply FILE` requires --approved ID:DIGEST: the ID of what may run, and the digest of this file';

/**
 * Applies the documents of this commit within the guardrails and adds the report to the summary of the
 * step. Work left for a later window is no failure, because a scheduled run continues it, and neither
 * is what needs a person as in the last record (semantics M34); the job keeps every other exit code of
 * apply. With FILE it applies an approved saved plan: no person confirms in a job, so the file must
 * match its digest. Throws `usage` for a file without a digest, and `documentsNotNewest` (protocol M8).
 */
export const ciApply = command({
  name: 'ci apply',
  summary: 'Apply the documents of this commit',
  more: 'Work that remains for a later run is no failure.',
  examples: ['ci apply'],
  environment: flag.SERVICE_VARIABLES,
  flags: {
    file: flag.optionalArgument(
      'FILE',
      'Saved plan: only changes approved there that are still due',
    ),
    approved: flag.text('ID:DIGEST', 'Apply only the plan with this ID and file digest'),
    fleet: flag.fleet,
    // A run that was lost never gives its lease back: the next one takes over what it has watched for twice the lease.
    lockWait: flag.lockWait('25m'),
    outcome: flag.text('FILE', 'Where to save the outcome for `ci publish`'),
    metrics: flag.metrics,
    format: flag.formats('text', 'ndjson'),
  },
  async run(flags, shell) {
    const { parseApproved } = await import('../../../operations/approval.ts');
    const { forgeOfJob } = await import('../../../operations/job.ts');
    const { exitOfJob } = await import('../../../shell/exit-of-run.ts');
    const { jobNotice, JOB_WORDS, runSummary } = await import('../../../render/words/job-words.ts');
    const digest = flags.approved === undefined ? undefined : parseApproved(flags.approved).digest;
    if (flags.file !== undefined && digest === undefined) throw usage(BOTH);
    const said: string[] = [];
    // Events have stdout for themselves.
    const to = flags.format === 'ndjson' ? shell.err : shell.out;
    const write = (piece: string): void => {
      said.push(piece);
      to.write(piece);
    };
    const { isTerminal, columns } = to;
    const heard = { write, isTerminal, columns };
    try {
      let report: RunReport | undefined;
      const onReport = (ran: RunReport): void => void (report = ran);
      const asked = { ...flags, wait: 0, yes: true } as const;
      const exit = await runApply(asked, shell, { onReport, report: heard });
      const judged = exitOfJob(exit, report);
      if (judged === exit) return exit;
      const notice = exit === EXIT.failed ? JOB_WORDS.needsKnown : JOB_WORDS.workLeft;
      print(to, [jobNotice(notice, forgeOfJob(shell.env))]);
      return judged;
    } finally {
      const text = stripVTControlCharacters(said.join(''));
      if (text !== '') addToSummary(shell, (limit) => runSummary('fleetform apply', text, limit));
    }
  },
});
