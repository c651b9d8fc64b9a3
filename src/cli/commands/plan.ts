import { type Instant, type Milliseconds, parseDuration } from '../../lib/time.ts';
import { quotable } from '../../model/documents/quoted.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { PlannedSurvey } from '../../operations/plan.ts';
import { hasError, loadDocuments } from '../../operations/documents.ts';
import { InvalidDocuments, quotedFiles } from '../../model/documents/quoted.ts';
import { applyAfter, applySaved } from '../process/apply-line.ts';
import { WorldError } from '../../model/error.ts';
import { LONGEST_LIFE } from '../../operations/approval.ts';
import { countPlanColumns } from '../../model/plan/actor.ts';
import { exitOfReading } from '../../model/report/all-clear.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import { EXIT } from '../../shell/exit.ts';
import { surveyOrRecall, type RecalledPlan, type RecallFlags } from '../../operations/recall.ts';
import { OUTPUT_VERSION, textStyle, print } from '../../shell/output.ts';
import { type PlanFormat, checkFormat, printPlan } from './show-plan.ts';
import type { Shell } from '../../shell/shell.ts';
import { partResolver } from '../../operations/survey.ts';
import type { PartFlags } from '../../plan/part/resolve-part.ts';
import { withOrigins } from '../../operations/origins.ts';
import { readCommit, committedDocuments, isDocument } from '../../operations/repository.ts';
import { type PlanSides, withSides } from '../../operations/compare/sides.ts';
import { checkPlanFile, savePlan, printSaved } from '../../operations/plan-file.ts';
import type { CalendarView } from '../../model/plan/calendar.ts';

interface PlanFlags extends RecallFlags, PartFlags {
  readonly out?: string;
  readonly expires: string;
  readonly at?: Instant;
  readonly base?: string;
  readonly saveSnapshot?: string;
  readonly snapshot?: string;
  readonly horizon?: Milliseconds;
  readonly detailedExitcode?: boolean;
  readonly all?: boolean;
  readonly limit?: number;
  readonly format: PlanFormat;
  /** How long a rehearsal for the forecast may take; absent: no forecast. */
  readonly forecastWithin?: Milliseconds;
}

/**
 * `fleetform plan`: reads the fleet and shows what apply would do. The transport of this command
 * allows reads only.
 */
export async function planCommand(given: PlanFlags, shell: Shell): Promise<number> {
  const flags = given.out === '-' ? asFile(given) : given;
  checkFormat(flags);
  if ((parseDuration(flags.expires) ?? 0) > LONGEST_LIFE)
    throw new WorldError('usage', { message: '--expires is at most 90d' });
  for (const file of [flags.out, flags.saveSnapshot])
    if (file !== undefined) checkPlanFile(shell, file);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const { fleet, base } = flags;
  return withSides(shell, { fleet, documents, base }, (sides) =>
    planAndPrint(flags, shell, documents, sides),
  );
}

/** `-o -` prints what would be in the file. */
function asFile({ out: _, ...flags }: PlanFlags): PlanFlags {
  return { ...flags, format: 'json' };
}

/** The instant, the file of the snapshot and the part that the flags name. */
async function readingOptions(flags: PlanFlags) {
  const resolvePart = await partResolver(flags);
  return {
    ...(flags.at !== undefined && { at: flags.at }),
    ...(resolvePart && { resolvePart }),
    isShown: true,
  };
}

/** Plans the documents, compares them with the base if there is one, and prints the result. */
async function planAndPrint(
  flags: PlanFlags,
  shell: Shell,
  workTree: Documents,
  { documents, base, reading }: PlanSides,
): Promise<number> {
  const commit = await readCommit(shell, flags.fleet);
  const expiresAfter = parseDuration(flags.expires) ?? 0;
  const parts = { documents, commit, expiresAfter, ...(base && { base }) };
  const options = await readingOptions(flags);
  const { surveyed, memory, records, unfit } = await surveyOrRecall(shell, flags, parts, options);
  const { diagnostics } = surveyed;
  if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, documents.files);
  const written = { documents, reading, ...(base && { base }) };
  const attributed = await withOrigins(shell, flags.fleet, surveyed.plan, written);
  const plan = await withForecast(attributed, flags, shell, {
    documents,
    surveyed,
    memory,
    records,
  });
  const { out } = flags;
  const saved =
    out === undefined || unfit
      ? undefined
      : { file: out, digest: await savePlan(shell, out, plan) };
  if (flags.format === 'text' && plan.inputs.dirty === true)
    print(shell.out, await changedTexts(shell, flags.fleet, workTree));
  if (saved) await printSaved(shell, saved.file);
  const command = saved ? applySaved({ ...saved, plan }, flags) : applyAfter(flags);
  await printResult(flags, shell, { plan, surveyed, command });
  if (out !== undefined && unfit) throw unfit;
  return exitOfPlan(plan, flags.detailedExitcode === true);
}

/** The plan with its forecast, where one is wanted. */
async function withForecast(
  plan: Plan,
  { forecastWithin: within }: PlanFlags,
  shell: Shell,
  parts: { readonly documents: Documents } & Pick<RecalledPlan, 'surveyed' | 'memory' | 'records'>,
): Promise<Plan> {
  if (within === undefined || within === 0) return plan;
  const { forecastPlan } = await import('../../operations/rehearse/forecast-plan.ts');
  const { documents, memory, records, surveyed } = parts;
  const { snapshot, input } = surveyed;
  const made = { documents, plan, snapshot, memory, records, from: input.now };
  return { ...plan, forecast: await forecastPlan(shell, made, within) };
}

/** Prints the plan, and the calendar until the horizon if requested. */
async function printResult(
  flags: PlanFlags,
  shell: Shell,
  {
    plan,
    surveyed,
    command,
  }: { readonly plan: Plan; readonly surveyed: PlannedSurvey; readonly command: string },
): Promise<void> {
  const { horizon, format } = flags;
  if (horizon !== undefined && format === 'json')
    return printPlanAndCalendar(shell, plan, { survey: surveyed, horizon });
  const how = { ...flags, all: flags.all === true, command };
  await printPlan(shell, plan, how);
  if (horizon !== undefined) await printCalendar(shell, surveyed, horizon);
}

/**
 * The changes of the documents since the last commit, as text diffs, since the plan includes them.
 */
async function changedTexts(
  shell: Shell,
  fleet: string,
  documents: Documents,
): Promise<Iterable<string>> {
  const before = await committedDocuments(shell, fleet);
  if (!before) return [];
  const { changedDocuments } = await import('../../render/text/before-after.ts');
  const after = quotedFiles(documents.files);
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(isDocument).sort();
  const changes = paths.map((path) => {
    const [old, current] = [before.get(path), after.get(path)];
    return {
      path,
      ...(old !== undefined && { before: quotable(old) }),
      ...(current !== undefined && { after: current }),
    };
  });
  return [...changedDocuments(changes, textStyle(shell.out, shell.env)), ''];
}

/** Returns the code of a plan: that of its outcome where nothing can be relied on, 2 on request if anything is left, else 0. */
export function exitOfPlan(plan: Plan, detailed: boolean): number {
  const outcome = outcomeOfPlan(plan);
  const exit = exitOfReading({ exit: outcome });
  const { now, running, later, person } = countPlanColumns(plan);
  const isLeft = now + running + later + person > 0 || outcome !== EXIT.done;
  return exit === EXIT.done && detailed && isLeft ? EXIT.changes : exit;
}

/** The due dates, ends and openings from the instant of a plan until the horizon. */
async function calendarUntil(
  { input }: PlannedSurvey,
  horizon: Milliseconds,
): Promise<CalendarView> {
  const [{ outlooks }, { buildCalendar: calendarOf }] = await Promise.all([
    import('../../plan/explain/outlook.ts'),
    import('../../report/calendar.ts'),
  ]);
  return calendarOf({ ...input, outlooks: outlooks(input), horizon });
}

/** Prints the calendar as text, below its plan. */
async function printCalendar(
  shell: Shell,
  survey: PlannedSurvey,
  horizon: Milliseconds,
): Promise<void> {
  const calendar = await calendarUntil(survey, horizon);
  const { calendarText } = await import('../../render/text/calendar-text.ts');
  print(shell.out, ['', ...calendarText(calendar, textStyle(shell.out, shell.env))]);
}

/** Prints one JSON document with the plan, as it is saved, and the calendar. */
async function printPlanAndCalendar(
  shell: Shell,
  plan: Plan,
  { survey, horizon }: { readonly survey: PlannedSurvey; readonly horizon: Milliseconds },
): Promise<void> {
  const calendar = await calendarUntil(survey, horizon);
  const [{ planLines }, { calendarJson }, { jsonText }] = await Promise.all([
    import('../../plan/saved/save.ts'),
    import('../../render/data/report-json.ts'),
    import('../../lib/json-text.ts'),
  ]);
  print(shell.out, [`{"version": ${OUTPUT_VERSION}, "plan":`]);
  print(shell.out, planLines(plan));
  print(shell.out, [`, "calendar": ${jsonText(calendarJson(calendar))}}`]);
}
