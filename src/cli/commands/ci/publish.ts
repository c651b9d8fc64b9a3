import type { Forge } from '../../../forge/forge-port.ts';
import { WorldError, usage } from '../../../model/error.ts';
import type { RunOutcome } from '../../../operations/outcome/run-outcome.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { command, type Flag } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import { isAbout, PLAN_MARKERS, postPlans } from './comment.ts';
import { EXIT } from '../../../shell/exit.ts';

/** A file for each service that the request changes. */
const PLANS: Flag<readonly string[] | undefined> = {
  value: 'FILE...',
  about: 'Plan that `ci plan` saved: one comment on the request',
};

/**
 * Publishes on the forge what another job has found; the flag says what the file has to be, because code of a request may
 * have written it. Throws `usage` without exactly one of them, and `artifactRefused` for a file of another shape.
 */
export const ciPublish = command({
  name: 'ci publish',
  summary: 'Publish a plan, an outcome or drift on the forge',
  more: 'Files are checked before use. Up to 5 plans have a comment each, more one with a row each.',
  examples: [
    'ci publish --plan fleetform-plan.json',
    'ci publish --run fleetform-outcome.json',
    'ci publish --drift fleetform-drift.json',
  ],
  environment: flag.FORGE_VARIABLES,
  flags: {
    plan: PLANS,
    run: flag.text('FILE', 'Outcome of `ci apply`: its requests, and an issue'),
    drift: flag.text('FILE', 'Result of `ci drift`: one issue while there is drift'),
    to: flag.oneOf('PLACE', 'Only one place of an outcome', ['request', 'issue']),
    fleet: flag.fleet,
  },
  async run({ plan, run, drift, to, fleet }, shell) {
    if ([plan, run, drift].filter((file) => file !== undefined).length !== 1) throw usage(ONE);
    if (to !== undefined && run === undefined) throw usage('--to belongs to --run FILE');
    if (plan) await postPlans(plan, fleet, shell);
    if (drift !== undefined) await keepDriftIssue(drift, shell);
    if (run === undefined) return;
    const { forgeOfJob } = await import('../../../operations/job.ts');
    const { readRunOutcome } = await import('../../../operations/outcome/run-outcome.ts');
    const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
    const outcome = readRunOutcome(shell, run);
    if (!outcome) return print(shell.out, [jobNotice(JOB_WORDS.noOutcome, forgeOfJob(shell.env))]);
    if (to === 'issue') return keepRunIssue(outcome, shell);
    try {
      await postOutcome(outcome, shell);
    } finally {
      if (to !== 'request') await keepRunIssue(outcome, shell).catch(sayOnly(shell));
    }
  },
});

/**
 * Edits the comment with the plan on each merged pull request that the run applied first, so that it
 * says what became of the plan. A run that did nothing leaves an earlier outcome there.
 */
async function postOutcome(outcome: RunOutcome, shell: Shell): Promise<void> {
  const { forgeOfJob, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const edited = await withJob(shell, (forge) => editComments(forge, outcome));
  if (edited === 0) print(shell.out, [jobNotice(JOB_WORDS.noPull, forgeOfJob(shell.env))]);
}

/** @returns how many comments say what became of the plan */
async function editComments(forge: Forge, outcome: RunOutcome): Promise<number> {
  const { amend, keepComment } = await import('../../../forge/sticky-comment.ts');
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
  for (const number of numbers) {
    let isRow = false;
    const own = await amend(forge, { number, markers: PLAN_MARKERS }, (body) => {
      isRow ||= isAbout(body, outcome.service);
      if (!body.startsWith(markers)) return undefined;
      return didNothing && hasOutcome(body) ? body : withOutcome(body, text, forge.maxLength);
    });
    edited += own;
    if (!isRow || own > 0) continue;
    // Jobs of several fleets would overwrite each other in the comment of all, so each has one of its own.
    const marker = `${markers} -->`;
    if (!didNothing) await keepComment(forge, { number, marker, body: `${marker}\n${text}` });
    edited += 1;
  }
  return edited;
}

/** A notification that fails is told and never changes the result of a run. */
function sayOnly(shell: Shell): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!(error instanceof WorldError)) throw error;
    const { reportError } = await import('../../../shell/failure.ts');
    await reportError(error, false, shell);
  };
}

const ONE =
  '`ci publish` takes --plan FILE of `ci plan`, --run FILE of `ci apply` or --drift FILE of `ci drift`';

/** Keeps one issue open while there is drift, and closes it when there is none. */
async function keepDriftIssue(file: string, shell: Shell): Promise<void> {
  const { readArtifact } = await import('../../../operations/artifact.ts');
  const { withJob } = await import('../../../operations/job.ts');
  const { keepIssue } = await import('../../../forge/sticky-comment.ts');
  const { driftMarker, driftMarkdown } = await import('../../../render/outputs/drift.ts');
  const { driftView } = await import('../../../render/view/drift-view.ts');
  const { driftTitle } = await import('../../../render/words/review/all-clear.ts');
  const plan = await readArtifact(shell, file);
  if (!plan) throw new WorldError('fileUnreadable', { file });
  const view = driftView(plan);
  // What was not read, or is gone, may have drifted: the issue stays as it is.
  if (view.drifted === 0 && view.clear.exit !== EXIT.done) {
    const { printMessages } = await import('../../../shell/messages.ts');
    return printMessages(shell, [driftTitle(view)]);
  }
  await withJob(shell, (forge) =>
    keepIssue(forge, {
      marker: driftMarker(view.plan),
      title: driftTitle(view),
      body: driftMarkdown(view, { limit: forge.maxLength }),
      isOpen: view.drifted > 0,
    }),
  );
}

/** Neither says that anything failed. */
const WELL: readonly number[] = [EXIT.done, EXIT.workLeft];

/**
 * Opens or edits one issue after a run that failed, and closes it after one in which nothing failed and
 * nothing needs a person. A run between the two, and one that another run or newer documents ended,
 * leaves the issue.
 */
async function keepRunIssue(outcome: RunOutcome, shell: Shell): Promise<void> {
  const { forgeOfJob, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  const found = judge(outcome);
  if (found === 'open question')
    return print(shell.out, [jobNotice(JOB_WORDS.issueUnchanged, forgeOfJob(shell.env))]);
  await withJob(shell, (forge) => keep(forge, outcome, found === 'failed'));
}

function judge({ exit, isOvertaken, policies }: RunOutcome): 'failed' | 'well' | 'open question' {
  if (exit === EXIT.locked || (isOvertaken && WELL.includes(exit))) return 'open question';
  if (!WELL.includes(exit)) return 'failed';
  return policies.some(({ person }) => person > 0) ? 'open question' : 'well';
}

async function keep(forge: Forge, outcome: RunOutcome, isOpen: boolean): Promise<void> {
  const { keepIssue } = await import('../../../forge/sticky-comment.ts');
  const texts = await import('../../../render/outputs/outcome.ts');
  const { runIssueTitle } = await import('../../../render/words/review/outcome.ts');
  await keepIssue(forge, {
    marker: texts.runIssueMarker(outcome),
    title: runIssueTitle(outcome.exit),
    body: texts.runIssueMarkdown({ ...outcome, run: forge.page }),
    isOpen,
  });
}
