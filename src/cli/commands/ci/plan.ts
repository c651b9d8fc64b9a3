import { isCi } from '../../../lib/ci.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pick } from '../../../lib/objects.ts';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import { isGroundRefusal } from '../../../model/error.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import type { ForgeKind } from '../../../model/ports.ts';
import type { LineNote } from '../../../render/data/annotations.ts';
import { missingCredentials } from '../../../shell/credentials.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { addStepOutputs, addToSummary, INCOMING, saveIncoming } from '../../process/step.ts';
import { command, type FlagsOf } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import { runPlan } from '../plan.ts';

const FLAGS = {
  ...flag.reading(30),
  ...flag.PART,
  fleet: flag.fleet,
  out: flag.outFile('Where to save the plan', 'fleetform-plan.json'),
  report: flag.text('FILE', 'Where to write the HTML report'),
  codeQuality: flag.text('FILE', 'Where to write the lines for GitLab (code quality)'),
  snapshot: flag.snapshot('Snapshot for forks (default: the fetched one)'),
  findSnapshot: flag.on('Only find the newest snapshot of the default branch'),
  artifact: flag.text('NAME', 'Name of its artifact', { default: 'fleetform-snapshot' }),
};

type CiPlanFlags = FlagsOf<typeof FLAGS>;

/** The snapshot of the drift job, as the jobs of `init` name it. */
const SNAPSHOT = 'fleet.snapshot';

/** The newest one of another run, which the workflow downloads; else a committed one. */
const SNAPSHOTS = [`${INCOMING}/${SNAPSHOT}`, SNAPSHOT];

/**
 * Compares a request with its target branch, saves the plan, annotates the lines of the documents and
 * adds the plan to the summary of the step. On GitLab, which has neither, the plan is in the log and the
 * lines are in a report of code quality. With credentials it reads the service; without, as on a fork, it
 * plans on the recorded snapshot, and without a snapshot it only checks the documents. Findings of documents that cannot be planned are on their lines,
 * too. Exits with 3 if a guardrail refuses the plan, or if the request does not keep to the scope that its commits name.
 * In a merge queue it compares with the entry ahead, and throws `changesNotReviewed` for a change that no reviewed plan has.
 */
export const ciPlan = command({
  name: 'ci plan',
  summary: 'Plan a request, save the plan, annotate its lines',
  more: 'Without credentials, plans on a snapshot, which --find-snapshot hands to the next step.',
  examples: ['ci plan --report plan.html'],
  environment: flag.SERVICE_VARIABLES,
  flags: FLAGS,
  async run(flags, shell) {
    if (flags.findSnapshot) return findSnapshot(flags.artifact, shell);
    const { forgeOfJob } = await import('../../../operations/job.ts');
    const forge = forgeOfJob(shell.env);
    const { CI_JOB_ID: job } = shell.env;
    if (job !== undefined) addStepOutputs(shell, { job });
    try {
      return await planned(flags, shell, forge);
    } catch (error) {
      if (error instanceof InvalidDocuments) {
        const { findingAnnotations, findingNotes } =
          await import('../../../render/data/annotations.ts');
        if (forge === 'github') print(shell.out, findingAnnotations(error.diagnostics));
        await writeCodeQuality(shell, flags, findingNotes(error.diagnostics));
      }
      throw error;
    }
  },
});

/**
 * Hands the newest snapshot of the default branch to the next step: saves it in `incoming`, or outputs
 * the run from which that step fetches it into there. With credentials that step reads the service, so it
 * looks for none.
 */
export async function findSnapshot(artifact: string, shell: Shell): Promise<void> {
  if (missingCredentials(shell.env).length === 0) return;
  const { runsIn, withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  await withJob(shell, async (forge) => {
    const found = await runsIn(forge).newestWith({ artifact, file: SNAPSHOT });
    if (!found) print(shell.out, [jobNotice(JOB_WORDS.noSnapshot, forge.kind)]);
    else if (found.is === 'run') addStepOutputs(shell, { 'run-id': String(found.run) });
    else await saveIncoming(shell, SNAPSHOT, found.content);
  });
}

/** What a request is compared with, and where it is. */
interface Compared {
  readonly base: string | undefined;
  readonly forge: ForgeKind | undefined;
}

async function planned(
  flags: CiPlanFlags,
  shell: Shell,
  forge: ForgeKind | undefined,
): Promise<number> {
  const { loadDocuments } = await import('../../../operations/documents.ts');
  const { pickLimits, READING_SECONDS } =
    await import('../../../operations/facts/reading-limits.ts');
  const { checkPlanFiles, readPlanFile } = await import('../../../operations/plan-file.ts');
  checkPlanFiles(shell, flags.report, flags.codeQuality);
  const { jobNotice, JOB_WORDS, onSnapshotWords } =
    await import('../../../render/words/job-words.ts');
  const isRecorded = missingCredentials(shell.env).length > 0;
  const { baseOfJob, isQueued } = await import('../../../operations/job.ts');
  const base = baseOfJob(shell.env, forge ?? 'github');
  const named = flags.snapshot === undefined ? SNAPSHOTS : [flags.snapshot];
  const recorded = named.find((file) => existsSync(resolve(shell.cwd, file)));
  if (isRecorded && recorded === undefined && isCi(shell.env)) {
    await loadDocuments(shell, flags.fleet);
    await writeCodeQuality(shell, flags, []);
    print(shell.out, [jobNotice(JOB_WORDS.validOnly, forge)]);
    return checkScopes(flags.fleet, shell, { base, forge });
  }
  const exit = await orUnplanned(flags, shell, { base, forge }, () =>
    runPlan(
      {
        fleet: flags.fleet,
        out: flags.out,
        expires: 7 * 86_400_000,
        format: forge === 'github' ? 'ci' : 'text',
        ...pickLimits({ ...flags, seconds: READING_SECONDS.ci }),
        ...pick(flags, 'only', 'site', 'device'),
        ...(base !== undefined && { base }),
        ...(isRecorded && recorded !== undefined && { snapshot: recorded }),
      },
      shell,
    ),
  );
  if (exit === 'unplanned') return EXIT.unfit;
  const plan = await readPlanFile(shell, flags.out);
  const { takenAt } = plan.inputs.snapshot;
  if (isRecorded && recorded !== undefined)
    print(shell.out, [jobNotice(onSnapshotWords(takenAt, plan.evaluatedAt), forge)]);
  if (flags.report !== undefined) await writeReport(shell, plan, flags.report);
  if (flags.codeQuality !== undefined) {
    const { planNotes } = await import('../../../render/data/annotations.ts');
    const { buildPlanView: viewOf } = await import('../../../render/view/view.ts');
    await writeCodeQuality(shell, flags, planNotes(viewOf(plan)));
  }
  await addPlanToSummary(shell, plan);
  if (isQueued(shell.env)) {
    const { requireReviewed } = await import('../../../operations/gate/reviewed-plans.ts');
    await requireReviewed(shell, INCOMING, plan);
  }
  return exit;
}

/**
 * A request that changes the ground is checked, not planned: no request of this job goes to a service that it
 * chooses (protocol M3). The refusal is printed; scopes and documents are judged all the same.
 */
async function orUnplanned(
  flags: CiPlanFlags,
  shell: Shell,
  { base, forge }: Compared,
  plan: () => Promise<number>,
): Promise<number | 'unplanned'> {
  try {
    return await plan();
  } catch (error) {
    if (!isGroundRefusal(error)) throw error;
    const { reportError } = await import('../../../shell/failure.ts');
    const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
    await reportError(error, false, shell);
    await writeCodeQuality(shell, flags, []);
    print(shell.out, [jobNotice(JOB_WORDS.groundChanged, forge)]);
    await checkScopes(flags.fleet, shell, { base, forge });
    return 'unplanned';
  }
}

/** Without a plan, a scope that cannot be read is refused nevertheless. */
async function checkScopes(
  fleet: string,
  shell: Shell,
  { base, forge }: Compared,
): Promise<number> {
  if (base === undefined) return EXIT.done;
  const { folderHere } = await import('../../../operations/here.ts');
  const { malformedScope } = await import('../../../operations/sides.ts');
  const scope = await malformedScope(folderHere(shell, fleet), base);
  if (!scope) return EXIT.done;
  const { scopeLines } = await import('../../../render/data/annotations.ts');
  print(shell.out, scopeLines(scope, forge === 'github'));
  return EXIT.guardrail;
}

/** Writes the notes on lines as GitLab reads them; nothing without the flag. */
async function writeCodeQuality(
  shell: Shell,
  { codeQuality: file }: Pick<CiPlanFlags, 'codeQuality'>,
  notes: readonly LineNote[],
): Promise<void> {
  if (file === undefined) return;
  const { codeQualityJson } = await import('../../../render/data/annotations.ts');
  const { replaceFile } = await import('../../../store/local-file.ts');
  await replaceFile(resolve(shell.cwd, file), codeQualityJson(notes));
}

async function writeReport(shell: Shell, plan: Plan, file: string): Promise<void> {
  const { planHtml } = await import('../../../render/html/pages.ts');
  const { buildPlanView: viewOf } = await import('../../../render/view/view.ts');
  const { writeStream } = await import('../../../store/local-file.ts');
  await writeStream(resolve(shell.cwd, file), planHtml(viewOf(plan), plan.changes));
}

/** Adds a plan to the summary of the step, below a text. */
export async function addPlanToSummary(shell: Shell, plan: Plan, above = ''): Promise<void> {
  const { planMarkdown } = await import('../../../render/outputs/plan.ts');
  const { buildPlanView } = await import('../../../render/view/view.ts');
  const view = buildPlanView(plan);
  addToSummary(shell, (limit) => above + planMarkdown(view, { limit: limit - above.length }));
}
