import { EXIT } from '../../../shell/exit.ts';
import { findForge, openJob, type Job } from '../../../operations/job.ts';
import { readRunOutcome, type RunOutcome } from '../../../operations/outcome/run-outcome.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { PLAN_MARKERS } from './comment.ts';

interface CiOutcomeFlags {
  /** What `ci apply --outcome` wrote. */
  readonly outcome: string;
}

/**
 * `fleetform ci outcome --run FILE`: edits the comment with the plan on each merged pull request
 * that the run applied first, so that it says what became of the plan. A run that did nothing leaves an
 * earlier outcome there. Throws `artifactRefused` for a file of another shape.
 */
export async function ciOutcomeCommand(flags: CiOutcomeFlags, shell: Shell): Promise<number> {
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const outcome = readRunOutcome(shell, flags.outcome);
  if (!outcome) {
    print(shell.out, [jobNotice(JOB_WORDS.noOutcome, findForge(shell.env))]);
    return EXIT.done;
  }
  const job = await openJob(shell);
  try {
    const edited = await editComments(job, outcome);
    if (edited === 0) print(shell.out, [jobNotice(JOB_WORDS.noPull, findForge(shell.env))]);
    return EXIT.done;
  } finally {
    await job.close();
  }
}

/** @returns how many comments say what became of the plan */
async function editComments({ forge }: Job, outcome: RunOutcome): Promise<number> {
  const [{ amend }, { hasOutcome, outcomeMarkdown, withOutcome }] = await Promise.all([
    import('../../../forge/sticky-comment.ts'),
    import('../../../render/outputs/outcome.ts'),
  ]);
  const text = outcomeMarkdown(outcome);
  const markers = `${PLAN_MARKERS}${outcome.service}`;
  const didNothing = outcome.policies.every(({ done, failed, open }) => done + failed + open === 0);
  const commits = didNothing ? [outcome.commit] : outcome.commits;
  const numbers = new Set<number>();
  for (const commit of commits)
    for (const { number } of await forge.mergedRequests(commit)) numbers.add(number);
  let edited = 0;
  for (const number of numbers)
    edited += await amend(forge, { number, markers }, (body) =>
      didNothing && hasOutcome(body) ? body : withOutcome(body, text, forge.maxLength),
    );
  return edited;
}
