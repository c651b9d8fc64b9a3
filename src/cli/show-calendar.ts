import type { Milliseconds } from '../model/time.ts';
import { lookOf, print } from './output.ts';
import type { PlanFormat } from './show-plan.ts';
import type { Shell } from './shell.ts';
import type { Survey } from './decide.ts';

/** Prints what falls due, ends and opens until the horizon: below the plan as text, else as JSON. */
export async function printCalendar(
  shell: Shell,
  { plan, input }: Survey,
  options: { readonly horizon: Milliseconds; readonly format: PlanFormat },
): Promise<void> {
  const [{ outlooks }, { calendarOf }, { calendarText }, { calendarJson }, { jsonText }] =
    await Promise.all([
      import('../plan/outlook.ts'),
      import('../report/calendar.ts'),
      import('../render/calendar-text.ts'),
      import('../render/report-json.ts'),
      import('../render/sinks.ts'),
    ]);
  const { horizon, format } = options;
  const calendar = calendarOf({ ...input, outlooks: outlooks(input), horizon });
  if (format === 'json') print(shell.out, [jsonText(calendarJson(calendar, plan.id))]);
  else print(shell.out, ['', ...calendarText(calendar, lookOf(shell.out, shell.env))]);
}
