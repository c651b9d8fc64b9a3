import type { Forge } from '../../../forge/forge-port.ts';
import type { RunOutcome } from '../../../operations/outcome/run-outcome.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { PLAN_MARKERS } from './comment.ts';

/**
 * Edits the comment with the plan on each merged pull request that the run applied first, so that it
 * says what became of the plan. A run that did nothing leaves an earlier outcome there.
 */
export async function postOutcome(outcome: RunOutcome, shell: Shell): Promise<void> {
  const { findForge, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const edited = await withJob(shell, (forge) => editComments(forge, outcome));
  if (edited === 0) print(shell.out, [jobNotice(JOB_WORDS.noPull, findForge(shell.env))]);
}

/** @returns how many comments say what became of the plan */
async function editComments(forge: Forge, outcome: RunOutcome): Promise<number> {
  const { amend } = await import('../../../forge/sticky-comment.ts');
  const { hasOutcome, outcomeMarkdown, withOutcome } =
    await import('../../../render/outputs/outcome.ts');
  const text = outcomeMarkdown(outcome);
  const markers = `${PLAN_MARKERS}${outcome.service}`;
  const didNothing = outcome.policies.every(
    ({ verified, failed, running }) => verified + failed + running === 0,
  );
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
