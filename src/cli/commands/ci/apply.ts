import { WorldError } from '../../../model/error.ts';
import { parseApproved } from '../../../operations/approval.ts';
import { EXIT } from '../../shell/exit.ts';
import { print } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { addToSummary } from '../../shell/step-summary.ts';
import { applyCommand } from '../apply.ts';

export interface CiApplyFlags {
  readonly fleet: string;
  readonly lockWait: string;
  /** A saved plan, instead of what the documents want. */
  readonly file?: string;
  readonly approved?: string;
}

const BOTH =
  'ci apply FILE wants --approved ID:DIGEST: the id for what may run, the digest for this very file';

/**
 * `fleetform ci apply`: what the documents of this commit want, within the guardrails; the report
 * goes into the summary of the step, too. Work that is left for a later window is what a schedule is
 * for, and no failure of this job; every other exit code of apply is kept. With FILE what was approved in a
 * saved plan: nobody looks at a job before it runs, so the file is bound by its digest, too. Throws `usage`
 * for a file without.
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
    const exit = await applyCommand({ ...flags, wait: '0s', yes: true, format: 'text' }, heard);
    if (exit !== EXIT.workLeft) return exit;
    print(shell.out, [jobNotice(JOB_WORDS.workLeft)]);
    return EXIT.done;
  } finally {
    if (said.length > 0)
      addToSummary(shell, (limit) => runSummary('fleetform apply', said.join(''), limit));
  }
}
