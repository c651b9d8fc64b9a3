import { WorldError } from '../../../model/error.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import { parseRunId, type PullHead, type PullSubject } from '../../../forge/github/pull.ts';
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
  const [{ findPull: pullOf, parseSubject: subjectOf }, { jobNotice, JOB_WORDS }] =
    await Promise.all([
      import('../../../forge/github/pull.ts'),
      import('../../../render/words/job-words.ts'),
    ]);
  const job = await openJob(shell);
  try {
    const subject = subjectOf(job.event, job.repository);
    if (!subject) return printNotice(shell, jobNotice(JOB_WORDS.notAPull));
    const number = await pullOf(job.github, subject);
    if (number === undefined) return printNotice(shell, jobNotice(JOB_WORDS.overtaken));
    try {
      const plan = await readArtifact(shell, flags.plan);
      if (plan) await post(job, number, { plan, head: subject.head, run: planningRun(job, shell) });
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
  { github, author }: Job,
  number: number,
  {
    plan,
    head,
    run,
  }: { readonly plan: Plan; readonly head: PullHead; readonly run?: string | undefined },
): Promise<void> {
  const [
    { keepComment, supersede },
    { COMMENT_LIMIT, commentMarker: markerOf, planMarkdown },
    { buildPlanView: viewOf },
    { forkWords, otherServiceWords, reportLinkWords },
  ] = await Promise.all([
    import('../../../forge/github/comment.ts'),
    import('../../../render/markdown/plan-markdown.ts'),
    import('../../../render/view/view.ts'),
    import('../../../render/words/job-words.ts'),
  ]);
  const view = viewOf(plan);
  const marker = markerOf(view);
  const fork = head.isFork ? `${forkWords(head.repository)}\n` : '';
  const note = `${commitLine(head.commit)}\n${fork}`;
  const link = run === undefined ? '' : `${reportLinkWords(run)}\n`;
  const text = planMarkdown(view, { limit: COMMENT_LIMIT - note.length - link.length });
  const body = text.replace(`${marker}\n`, () => `${marker}\n${note}`) + link;
  await keepComment(github, { number, author, marker, body });
  const at = { number, author, markers: PLAN_MARKERS, keeps: mentionsCommit(head.commit) };
  await supersede(github, at, otherServiceWords(head.commit));
}

/** The page of the run that planned and keeps the report; the event comes from GitHub. */
function planningRun({ event, repository }: Job, { env }: Shell): string | undefined {
  const id = parseRunId(event) ?? Number(env['GITHUB_RUN_ID']);
  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
  const isUsable = Number.isSafeInteger(id) && id > 0 && /^https:\/\/[\w.:-]+$/.test(server);
  return isUsable ? `${server}/${repository}/actions/runs/${id}` : undefined;
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
  { github, author }: Job,
  number: number,
  { head, conclusion }: PullSubject,
  error?: unknown,
): Promise<void> {
  const [{ supersede }, { failedPlanWords, noPlanWords, refusedPlanWords }] = await Promise.all([
    import('../../../forge/github/comment.ts'),
    import('../../../render/words/job-words.ts'),
  ]);
  const { commit } = head;
  const reason =
    error instanceof WorldError ? refusedPlanWords(commit, error) : failedPlanWords(commit);
  const below = error === undefined ? noPlanWords(commit, conclusion) : reason;
  await supersede(github, { number, author, markers: PLAN_MARKERS }, below);
}
