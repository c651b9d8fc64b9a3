import type { Milliseconds } from '../../lib/time.ts';
import { quotable, quotedFiles } from '../../model/documents/quoted.ts';
import type { CalendarView } from '../../model/plan/calendar.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanSides } from '../../operations/sides.ts';
import type { PlannedSurvey } from '../../operations/plan.ts';
import { situationOfPlan } from '../../model/report/plan-situation.ts';
import { OUTPUT_VERSION, print, printBlocks } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { applyAfter, applyFile } from '../process/apply-line.ts';
import { usage } from '../../model/error.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { checkFormat, exitOfPlan, planFormat, printPlan, type ShowOptions } from './show.ts';
import type { Here } from '../../operations/here.ts';
import { toHorizon, toInstant, toValidity } from '../program/flags.ts';

const FLAGS = {
  out: flag.out,
  saveSnapshot: flag.saveSnapshot,
  format: planFormat,
  all: flag.all,
  diff: flag.on('Print what the documents change since the last commit'),
  limit: flag.limit,
  detailedExitcode: flag.detailedExitcode,
  ...flag.under('What to plan:', {
    base: flag.text('REF', 'Mark changes caused by commits since REF'),
    at: flag.option('TIME', 'Plan as of TIME instead of now (RFC 3339)', toInstant),
    horizon: flag.option('DURATION', 'Add a calendar of due dates, expiries, windows', toHorizon),
    expires: flag.option('DURATION', 'How long the saved plan stays valid', toValidity, {
      default: 7 * 86_400_000,
      shown: '7d',
    }),
  }),
  ...flag.PART,
  ...flag.CONNECTION,
  ...flag.FLEETS,
  ...flag.reading(),
  snapshot: flag.snapshot(),
};

type PlanFlags = FlagsOf<typeof FLAGS>;

export const plan = command({
  name: 'plan',
  summary: 'Show what apply would change and why',
  more: 'Sends nothing but reads.',
  examples: [
    'plan --base main                   # what does this branch change?',
    'plan -o plan.json --save-snapshot fleet.snapshot',
    'plan --snapshot fleet.snapshot --horizon 90d',
    'plan --only rotations.* --site "HQ Berlin"',
  ],
  flags: FLAGS,
  run: runPlan,
});

/** Reads the fleet and shows what apply would do. The transport of this command allows reads only. */
export async function runPlan(given: PlanFlags, shell: Shell): Promise<number> {
  const { out: file, ...others } = given;
  // `-o -` prints what would be in the file.
  const flags: PlanFlags = file === '-' ? { ...others, format: 'json' } : given;
  checkFormat(flags);
  const { LONGEST_LIFE } = await import('../../operations/approval.ts');
  if (flags.expires > LONGEST_LIFE) throw usage('--expires is at most 90d');
  const { checkPlanFiles } = await import('../../operations/plan-file.ts');
  checkPlanFiles(shell, flags.out, flags.saveSnapshot);
  const { loadDocuments } = await import('../../operations/documents.ts');
  const here = await loadDocuments(shell, flags.fleet);
  const { withSides } = await import('../../operations/sides.ts');
  return withSides(here, flags.base, (sides) => planAndPrint(flags, here, sides));
}

async function planAndPrint(
  flags: PlanFlags,
  workTree: Here,
  { documents, base, reading }: PlanSides,
): Promise<number> {
  const { shell } = workTree;
  const { requireValid } = await import('../../operations/documents.ts');
  const { withOrigins } = await import('../../operations/origins.ts');
  const { printSaved, savePlan } = await import('../../operations/plan-file.ts');
  const { surveyOrRecall } = await import('../../operations/recall.ts');
  const { commitOf, stepsToNewest } = await import('../../operations/gate/overtaken.ts');
  const commit = await commitOf(workTree);
  const parts = { documents, commit, expiresAfter: flags.expires, ...(base && { base }) };
  const { surveyed, unfit } = await surveyOrRecall(shell, flags, parts, {
    ...(flags.at !== undefined && { at: flags.at }),
    isShown: true,
  });
  requireValid(surveyed, documents);
  const side = { reading, ...(base && { base }) };
  const made = await withOrigins({ shell, documents }, surveyed.plan, side);
  const { out: file } = flags;
  const isSaved = file !== undefined && !unfit;
  if (isSaved) await savePlan(shell, file, made);
  if (flags.diff === true) await printChanged(workTree);
  if (isSaved && flags.format !== 'text') await printSaved(shell, file);
  const next = isSaved ? applyFile(file, flags) : applyAfter(flags);
  const steps = await stepsToNewest(workTree);
  const { findAtWork } = await import('../../operations/status.ts');
  const atWork = findAtWork(surveyed.input.memory.lease, shell);
  await printPlanned(flags, shell, { plan: made, surveyed, command: next, steps, atWork });
  shell.judged?.({ ...situationOfPlan(made), steps, atWork });
  if (file !== undefined && unfit) throw unfit;
  return exitOfPlan(made, flags.detailedExitcode === true);
}

async function printPlanned(
  flags: PlanFlags,
  shell: Shell,
  made: Pick<ShowOptions, 'command' | 'steps' | 'atWork'> & {
    readonly plan: Plan;
    readonly surveyed: PlannedSurvey;
  },
): Promise<void> {
  const { horizon, format } = flags;
  if (horizon !== undefined && format === 'json') return printPlanAndCalendar(shell, made, horizon);
  const { plan, surveyed, ...next } = made;
  await printPlan(shell, plan, { ...flags, ...next, isSummary: true });
  if (horizon === undefined) return;
  const calendar = await calendarUntil(surveyed, horizon);
  const { calendarBlocks } = await import('../../render/outputs/calendar.ts');
  print(shell.out, ['']);
  await printBlocks(shell, calendarBlocks(calendar));
}

/**
 * Prints the changes of the documents since the last commit, since the plan includes them.
 */
async function printChanged(here: Here): Promise<void> {
  const { shell, documents } = here;
  const { committedDocuments, isDocument } = await import('../../operations/repository.ts');
  const before = await committedDocuments(here);
  if (!before) return;
  const { documentBlocks } = await import('../../render/outputs/differences.ts');
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
  await printBlocks(shell, documentBlocks(changes));
  print(shell.out, ['']);
}

/** The due dates, ends and openings from the instant of a plan until the horizon. */
async function calendarUntil(
  { input }: PlannedSurvey,
  horizon: Milliseconds,
): Promise<CalendarView> {
  const { outlooks } = await import('../../plan/explain/outlook.ts');
  const { buildCalendar: calendarOf } = await import('../../report/calendar.ts');
  return calendarOf({ ...input, outlooks: outlooks(input), horizon });
}

/** Prints one JSON document with the plan, as it is saved, and the calendar. */
async function printPlanAndCalendar(
  shell: Shell,
  made: { readonly plan: Plan; readonly surveyed: PlannedSurvey },
  horizon: Milliseconds,
): Promise<void> {
  const calendar = await calendarUntil(made.surveyed, horizon);
  const { planLines } = await import('../../plan/saved/save.ts');
  const { calendarJson } = await import('../../render/data/output-json.ts');
  const { jsonText } = await import('../../lib/json-text.ts');
  print(shell.out, [`{"version": ${OUTPUT_VERSION}, "plan":`]);
  print(shell.out, planLines(made.plan));
  print(shell.out, [`, "calendar": ${jsonText(calendarJson(calendar))}}`]);
}
