import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import { loadDocuments } from '../../../operations/documents.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import { checkPlanFile, readPlanFile } from '../../../operations/plan-file.ts';
import type { Shell } from '../../../shell/shell.ts';
import type { PartFlags } from '../../../plan/part/resolve-part.ts';
import { addToSummary } from '../../process/step-summary.ts';
import {
  pickLimits,
  READING_SECONDS,
  type ReadingLimits,
} from '../../../operations/facts/reading-limits.ts';
import { planCommand } from '../plan.ts';

export interface CiPlanFlags extends ReadingLimits, PartFlags {
  readonly fleet: string;
  readonly out: string;
  /** Where to write the HTML report; absent: nowhere. */
  readonly report?: string;
  readonly snapshot?: string;
}

/** The newest snapshot of another run, which the workflow downloads; else a committed one. */
const SNAPSHOTS = ['incoming/fleet.snapshot', 'fleet.snapshot'];

/**
 * `fleetform ci plan`: compares a pull request with its target branch, saves the plan, annotates
 * the lines of the documents and adds the plan to the summary of the step. With credentials it
 * reads the service; without, as on a fork, it plans on the recorded snapshot, and without a
 * snapshot it only checks the documents. Findings of documents that cannot be planned are on their
 * lines, too. Exits with 3 if a guardrail refuses the plan, or
 * if the request does not keep to the scope that its commits name.
 */
export async function ciPlanCommand(flags: CiPlanFlags, shell: Shell): Promise<number> {
  try {
    return await planned(flags, shell);
  } catch (error) {
    if (error instanceof InvalidDocuments) {
      const { findingAnnotations } = await import('../../../render/data/annotations.ts');
      print(shell.out, findingAnnotations(error.diagnostics));
    }
    throw error;
  }
}

async function planned(flags: CiPlanFlags, shell: Shell): Promise<number> {
  if (flags.report !== undefined) checkPlanFile(shell, flags.report);
  const { jobNotice, JOB_WORDS, onSnapshotWords } =
    await import('../../../render/words/job-words.ts');
  const isRecorded = !hasCredentials(shell.env);
  const target = shell.env['GITHUB_BASE_REF'];
  const named = flags.snapshot === undefined ? SNAPSHOTS : [flags.snapshot];
  const snapshot = named.find((file) => existsSync(resolve(shell.cwd, file)));
  if (isRecorded && snapshot === undefined) {
    await loadDocuments(shell, flags.fleet);
    print(shell.out, [jobNotice(JOB_WORDS.validOnly)]);
    return checkScopes(flags.fleet, shell, target);
  }
  const exit = await planCommand(
    {
      fleet: flags.fleet,
      out: flags.out,
      expires: '7d',
      format: 'ci',
      ...pickLimits({ ...flags, seconds: READING_SECONDS.ci }),
      ...partIn(flags),
      ...(target && { base: `origin/${target}` }),
      ...(isRecorded && snapshot !== undefined && { snapshot }),
    },
    shell,
  );
  const plan = await readPlanFile(shell, flags.out);
  const { takenAt } = plan.inputs.snapshot;
  if (isRecorded) print(shell.out, [jobNotice(onSnapshotWords(takenAt, plan.evaluatedAt))]);
  if (flags.report !== undefined) await writeReport(shell, plan, flags.report);
  await summarise(shell, plan);
  return exit;
}

/** Without a plan, a scope that cannot be read is refused nevertheless. */
async function checkScopes(fleet: string, shell: Shell, target = ''): Promise<number> {
  if (target === '') return EXIT.done;
  const { malformedScope } = await import('../../../operations/compare/request-scopes.ts');
  const scope = await malformedScope(shell, fleet, `origin/${target}`);
  if (!scope) return EXIT.done;
  const { scopeAnnotations } = await import('../../../render/data/annotations.ts');
  print(shell.out, scopeAnnotations(scope));
  return EXIT.guardrail;
}

function partIn({ only, site, device }: PartFlags): PartFlags {
  return { ...(only && { only }), ...(site && { site }), ...(device && { device }) };
}

/**
 * Whether both credentials are set, directly or as files; an empty value, as on a fork, counts as
 * unset.
 */
export function hasCredentials(env: Shell['env']): boolean {
  return ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET'].every(
    (name) => Boolean(env[name]) || Boolean(env[`${name}_FILE`]),
  );
}

/** Writes the plan as one HTML page, as a stream. */
async function writeReport(shell: Shell, plan: Plan, file: string): Promise<void> {
  const [{ planHtml }, { buildPlanView: viewOf }, { writeStream }] = await Promise.all([
    import('../../../render/html/report.ts'),
    import('../../../render/view/view.ts'),
    import('../../../store/local-file.ts'),
  ]);
  await writeStream(resolve(shell.cwd, file), planHtml(viewOf(plan), plan.changes));
}

async function summarise(shell: Shell, plan: Plan): Promise<void> {
  const [{ planMarkdown }, { buildPlanView: viewOf }] = await Promise.all([
    import('../../../render/markdown/plan-markdown.ts'),
    import('../../../render/view/view.ts'),
  ]);
  const view = viewOf(plan);
  addToSummary(shell, (limit) => planMarkdown(view, { limit }));
}
