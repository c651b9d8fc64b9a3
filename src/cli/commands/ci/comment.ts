import { WorldError } from '../../../model/error.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import type { RequestSubject } from '../../../forge/forge-port.ts';
import { readArtifact } from '../../../operations/artifact.ts';
import { EXIT } from '../../../shell/exit.ts';
import { openJob, type Job } from '../../../operations/job.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

export interface CiCommentFlags {
  /** A file for each service that the request changes. */
  readonly plan: readonly string[];
}

/** The common prefix of all markers. */
export const PLAN_MARKERS = '<!-- fleetform plan ';

/**
 * `fleetform ci comment`: keeps one comment with each plan on the pull request of the event. The
 * files are data from a job that ran the code of the pull request. If a file is missing or refused,
 * or anything else fails, the command replaces an older plan in the comments by that message, also
 * in a comment about another service; what it posted itself stays. If the pull request has newer
 * commits, it posts nothing.
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
    await postAll(job, number, { files: flags.plan, subject, shell });
    return EXIT.done;
  } finally {
    await job.close();
  }
}

function printNotice(shell: Shell, text: string): number {
  print(shell.out, [text]);
  return EXIT.done;
}

/** A plan that is refused withdraws the older ones, and holds up no other plan of this commit. */
async function postAll(
  job: Job,
  number: number,
  {
    files,
    subject,
    shell,
  }: { readonly files: readonly string[]; readonly subject: RequestSubject; readonly shell: Shell },
): Promise<void> {
  const posted = new Set<string>();
  let failure: unknown;
  for (const file of files)
    try {
      const plan = await readArtifact(shell, file);
      if (plan) posted.add(await post(job, number, { plan, subject }));
    } catch (error) {
      failure ??= error;
    }
  if (failure !== undefined) {
    // The error thrown below reports the cause, even if the comment cannot be reached any more.
    await withdraw(job, number, subject, { error: failure, posted }).catch(() => undefined);
    throw failure;
  }
  if (posted.size === 0) await withdraw(job, number, subject, { posted });
}

/** @returns the marker of its comment */
async function post(
  { forge }: Job,
  number: number,
  { plan, subject: { head } }: { readonly plan: Plan; readonly subject: RequestSubject },
): Promise<string> {
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
  return marker;
}

/** The line below the marker: it separates a comment of this commit from one of an older commit. */
function commitLine(commit: string): string {
  return `<!-- commit ${commit.replaceAll(/[^0-9a-f]/g, '')} -->`;
}

function mentionsCommit(commit: string): (body: string) => boolean {
  return (body) => body.split(/\r?\n/)[1]?.trim() === commitLine(commit);
}

/** Replaces each plan that was not posted now, so that a reviewer cannot approve an outdated one. */
async function withdraw(
  { forge }: Job,
  number: number,
  { head, conclusion }: RequestSubject,
  { error, posted }: { readonly error?: unknown; readonly posted: ReadonlySet<string> },
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
  const keeps = (body: string): boolean => posted.has(body.split(/\r?\n/)[0] ?? '');
  await supersede(forge, { number, markers: PLAN_MARKERS, keeps }, below);
}
