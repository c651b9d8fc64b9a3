import { WorldError } from '../../../model/error.ts';
import type { ChangeOutcome } from '../../../model/ledger/approval.ts';
import { readCommit } from '../../../operations/repository.ts';
import type { ProposalFound } from '../../../render/words/approval-words.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { handOver, PLAN } from './fetched.ts';

/**
 * `fleetform ci look --find-reviewed`: hands the plan of the request that was merged last to the next
 * step. Nothing depends on it, so no failure of the forge fails it.
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
      const wanted = head && { ...PLAN, commit: head.commit };
      const found = wanted && (await runsIn(job.forge).reviewedPlan(wanted));
      const words = !found ? 'noRequest' : found.plan === undefined ? 'noPlan' : 'found';
      print(shell.out, [REVIEWED_WORDS[words](found?.name ?? '')]);
      if (found?.plan) await handOver(shell, PLAN, found.plan);
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
