import { WorldError } from '../../../model/error.ts';
import type { ChangeOutcome } from '../../../model/ledger/approval.ts';
import { readCommit } from '../../../operations/repository.ts';
import type { ProposalFound } from '../../../render/words/approval-words.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addStepOutputs } from '../../process/step-outputs.ts';

/** The name of the artifact in fleet-plan.yml. */
const NAME = 'fleetform-plan';

/**
 * `fleetform ci look --find-reviewed`: outputs which run planned the request that was merged last, for
 * the step that fetches its plan. Nothing depends on it, so no failure of the forge fails it.
 */
export async function findReviewed(fleet: string, shell: Shell): Promise<number> {
  const [{ REVIEWED_WORDS }, { openJob, runsIn }] = await Promise.all([
    import('../../../render/words/approval-words.ts'),
    import('../../../operations/job.ts'),
  ]);
  const head = await readCommit(shell, fleet);
  try {
    const job = await openJob(shell);
    try {
      const wanted = head && { commit: head.commit, artifact: NAME };
      const found = wanted && (await runsIn(job.forge).reviewedPlan(wanted));
      const words = !found ? 'noRequest' : found.run === undefined ? 'noPlan' : 'found';
      print(shell.out, [REVIEWED_WORDS[words](found?.pull ?? 0)]);
      if (found?.run !== undefined) addStepOutputs(shell, { 'run-id': String(found.run) });
    } finally {
      await job.close();
    }
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    print(shell.out, [REVIEWED_WORDS.noForge()]);
  }
  return EXIT.done;
}

/**
 * What the plan of a request had and had not, of what is wanted now. A file that is missing or refused
 * is said to be: it is advice for people, and never a source of approval (semantics N74).
 */
export async function compareReviewed(
  shell: Shell,
  file: string,
  changes: readonly ChangeOutcome[],
): Promise<NonNullable<ProposalFound['reviewed']>> {
  const [{ readArtifact }, { wantedOutcomes }] = await Promise.all([
    import('../../../operations/artifact.ts'),
    import('../../../plan/compare/wanted-outcomes.ts'),
  ]);
  try {
    const plan = await readArtifact(shell, file);
    if (!plan) return { is: 'missing' };
    const before = new Set(wantedOutcomes(plan.changes).map((one) => one.join(' ')));
    const same = changes.filter((one) => before.has(one.join(' '))).length;
    return { is: 'compared', same, added: changes.length - same, removed: before.size - same };
  } catch (error) {
    if (error instanceof WorldError) return { is: 'refused' };
    throw error;
  }
}
