import type { CalendarView } from '../../model/plan/calendar.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { Survey } from '../../operations/plan.ts';
import { lookOf, OUTPUT_VERSION, print } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';

/** What falls due, ends and opens from the moment of a plan until the horizon. */
async function calendarUntil({ input }: Survey, horizon: Milliseconds): Promise<CalendarView> {
  const [{ outlooks }, { calendarOf }] = await Promise.all([
    import('../../plan/explain/outlook.ts'),
    import('../../report/calendar.ts'),
  ]);
  return calendarOf({ ...input, outlooks: outlooks(input), horizon });
}

/** Prints the calendar as text, below its plan. */
export async function printCalendar(
  shell: Shell,
  survey: Survey,
  horizon: Milliseconds,
): Promise<void> {
  const calendar = await calendarUntil(survey, horizon);
  const { calendarText } = await import('../../render/text/calendar-text.ts');
  print(shell.out, ['', ...calendarText(calendar, lookOf(shell.out, shell.env))]);
}

/** Prints one JSON document with the plan, as it is saved, and the calendar. */
export async function printPlanAndCalendar(
  shell: Shell,
  plan: Plan,
  { survey, horizon }: { readonly survey: Survey; readonly horizon: Milliseconds },
): Promise<void> {
  const calendar = await calendarUntil(survey, horizon);
  const [{ planLines }, { calendarJson }, { jsonText }] = await Promise.all([
    import('../../plan/saved/save.ts'),
    import('../../render/data/report-json.ts'),
    import('../../render/sinks/sinks.ts'),
  ]);
  print(shell.out, [`{"version": ${OUTPUT_VERSION}, "plan":`]);
  print(shell.out, planLines(plan));
  print(shell.out, [`, "calendar": ${jsonText(calendarJson(calendar))}}`]);
}
