import { WorldError } from '../../../model/error.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import type { RequestSubject } from '../../../forge/forge-port.ts';
import { readArtifact } from '../../../operations/artifact.ts';
import { EXIT } from '../../../shell/exit.ts';
import { openJob, type Job } from '../../../operations/job.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

export interface CiCommentFlags {
  readonly plan: string;
}

/** The common prefix of all markers. */
export const PLAN_MARKERS = '<!-- fleetform plan ';

/**
 * `fleetform ci comment`: keeps one comment with the plan on the pull request of the event. The
 * file is data from a job that ran the code of the pull request. If the file is missing or refused,
 * or anything else fails, the command replaces an older plan in the comment by that message, also
 * in a comment about another service. If the pull request has newer commits, it posts nothing.
 */
export async function ciCommentCommand(flags: CiCommentFlags, shell: Shell): Promise<number> {
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const job = await openJob(shell);
  try {
    const { forge } = job;
    const { subject } = forge;
    if (!subject) return printNotice(shell, jobNotice(JOB_WORDS.notAPull, forge.kind));
    const number = await forge.openRequest(subject);
    if (number === undefined) return printNotice(shell, jobNotice(JOB_WORDS.overtaken, forge.kind));
    try {
      const plan = await readArtifact(shell, flags.plan);
      if (plan) await post(job, number, { plan, subject });
      else await withdraw(job, number, subject);
    } catch (error) {
      // The error thrown below reports the cause, even if the comment cannot be reached any more.
      await withdraw(job, number, subject, error).catch(() => undefined);
      throw error;
    }
    return EXIT.done;
  } finally {
    await job.close();
  }
}

function printNotice(shell: Shell, text: string): number {
  print(shell.out, [text]);
  return EXIT.done;
}

async function post(
  { forge }: Job,
  number: number,
  { plan, subject: { head } }: { readonly plan: Plan; readonly subject: RequestSubject },
): Promise<void> {
  const [
    { keepComment, supersede },
    { commentMarker: markerOf, planMarkdown },
    { buildPlanView: viewOf },
    { forkWords, otherServiceWords, reportLinkWords },
  ] = await Promise.all([
    import('../../../forge/sticky-comment.ts'),
    import('../../../render/markdown/plan-markdown.ts'),
    import('../../../render/view/view.ts'),
    import('../../../render/words/job-words.ts'),
  ]);
  const view = viewOf(plan);
  const marker = markerOf(view);
  const fork = head.isFork ? `${forkWords(head.repository)}\n` : '';
  const note = `${commitLine(head.commit)}\n${fork}`;
  const link = forge.report ? `${reportLinkWords(forge.report)}\n` : '';
  const text = planMarkdown(view, { limit: forge.maxLength - note.length - link.length });
  const body = text.replace(`${marker}\n`, () => `${marker}\n${note}`) + link;
  await keepComment(forge, { number, marker, body });
  const at = { number, markers: PLAN_MARKERS, keeps: mentionsCommit(head.commit) };
  await supersede(forge, at, otherServiceWords(head.commit));
}

/** The line below the marker: it separates a comment of this commit from one of an older commit. */
function commitLine(commit: string): string {
  return `<!-- commit ${commit.replaceAll(/[^0-9a-f]/g, '')} -->`;
}

function mentionsCommit(commit: string): (body: string) => boolean {
  return (body) => body.split(/\r?\n/)[1]?.trim() === commitLine(commit);
}

/** Replaces an older plan, so that a reviewer cannot approve an outdated one. */
async function withdraw(
  { forge }: Job,
  number: number,
  { head, conclusion }: RequestSubject,
  error?: unknown,
): Promise<void> {
  const [{ supersede }, { failedPlanWords, noPlanWords, refusedPlanWords }] = await Promise.all([
    import('../../../forge/sticky-comment.ts'),
    import('../../../render/words/job-words.ts'),
  ]);
  const { commit } = head;
  const reason =
    error instanceof WorldError
      ? refusedPlanWords(commit, error)
      : failedPlanWords(commit, forge.kind);
  const below = error === undefined ? noPlanWords(commit, conclusion, forge.kind) : reason;
  await supersede(forge, { number, markers: PLAN_MARKERS }, below);
}
