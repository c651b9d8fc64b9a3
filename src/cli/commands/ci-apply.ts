import { EXIT } from '../exit.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { addToSummary } from '../step-summary.ts';
import { applyCommand } from './apply.ts';

export interface CiApplyFlags {
  readonly fleet: string;
  readonly lockWait: string;
}

/**
 * `fleetform ci apply`: what the documents of this commit want, within the guardrails; the report
 * goes into the summary of the step, too. Work that is left for a later window is what a schedule is
 * for, and no failure of this job; every other exit code of apply is kept.
 */
export async function ciApplyCommand(flags: CiApplyFlags, shell: Shell): Promise<number> {
  const { jobNotice, JOB_WORDS, runSummary } = await import('../../render/job-words.ts');
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
