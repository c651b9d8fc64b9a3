import { WorldError } from '../../model/error.ts';
import type { Plan } from '../../model/plan.ts';
import type { Head, Subject } from '../../github/pull.ts';
import { readArtifact } from '../artifact.ts';
import { EXIT } from '../exit.ts';
import { openJob, type Job } from '../job.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';

export interface CiCommentFlags {
  readonly plan: string;
}

/** Every marker of ours begins so. */
const MARKERS = '<!-- fleetform plan ';

/**
 * `fleetform ci comment`: keeps one comment with the plan on the pull request that the event is about.
 * The file is data from a job that ran the code of the pull request. Where there is none, or it is refused,
 * a comment with an older plan says so instead; where the pull request has moved on, nothing is posted.
 */
export async function ciCommentCommand(flags: CiCommentFlags, shell: Shell): Promise<number> {
  const [{ pullOf, subjectOf }, { jobNotice, JOB_WORDS }] = await Promise.all([
    import('../../github/pull.ts'),
    import('../../render/job-words.ts'),
  ]);
  const job = await openJob(shell);
  try {
    const subject = subjectOf(job.event, job.repository);
    if (!subject) return tell(shell, jobNotice(JOB_WORDS.notAPull));
    const number = await pullOf(job.github, subject);
    if (number === undefined) return tell(shell, jobNotice(JOB_WORDS.overtaken));
    const plan = await planOr(flags, shell, (error) => withdraw(job, number, subject, error));
    if (!plan) await withdraw(job, number, subject);
    else await post(job, number, { plan, head: subject.head });
    return EXIT.done;
  } finally {
    await job.close();
  }
}

function tell(shell: Shell, text: string): number {
  print(shell.out, [text]);
  return EXIT.done;
}

/** The plan of the file, or none; what is refused is told on the pull request before it is thrown. */
async function planOr(
  flags: CiCommentFlags,
  shell: Shell,
  onRefused: (error: WorldError) => Promise<void>,
): Promise<Plan | undefined> {
  try {
    return await readArtifact(shell, flags.plan);
  } catch (error) {
    if (error instanceof WorldError) await onRefused(error);
    throw error;
  }
}

async function post(
  { github, author }: Job,
  number: number,
  { plan, head }: { readonly plan: Plan; readonly head: Head },
): Promise<void> {
  const [{ keepComment }, { COMMENT_LIMIT, markerOf, planMarkdown }, { viewOf }, { forkWords }] =
    await Promise.all([
      import('../../github/comment.ts'),
      import('../../render/plan-markdown.ts'),
      import('../../render/view.ts'),
      import('../../render/job-words.ts'),
    ]);
  const view = viewOf(plan);
  const marker = markerOf(view);
  const note = head.isFork ? `${forkWords(head.repository)}\n` : '';
  const text = planMarkdown(view, { limit: COMMENT_LIMIT - note.length });
  const body = text.replace(`${marker}\n`, () => `${marker}\n${note}`);
  await keepComment(github, { number, author, marker, body });
}

/** Takes an older plan away, so that nobody approves what these documents no longer are. */
async function withdraw(
  { github, author }: Job,
  number: number,
  { head, conclusion }: Subject,
  error?: WorldError,
): Promise<void> {
  const [{ supersede }, { noPlanWords, refusedPlanWords }] = await Promise.all([
    import('../../github/comment.ts'),
    import('../../render/job-words.ts'),
  ]);
  const below = error ? refusedPlanWords(head.commit, error) : noPlanWords(head.commit, conclusion);
  await supersede(github, { number, author, markers: MARKERS }, below);
}
