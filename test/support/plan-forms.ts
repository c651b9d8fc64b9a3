import { openDeviceClasses, withoutClasses } from '../../src/plan/decide/device-classes.ts';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import { wantedReads } from '../../src/plan/needed-reads.ts';
import { plan, type PlannerInput } from '../../src/plan/plan.ts';
import { planLines } from '../../src/plan/saved/save.ts';

/**
 * Everything that a plan says, and what its callers get beside it, twice: with devices that are judged alike, and with
 * each device judged by itself.
 */
export function plansInBothForms(input: PlannerInput): readonly unknown[] {
  const { values, codes } = input.snapshot.devices.text.id;
  return [openDeviceClasses, withoutClasses].map((openClasses) => {
    const { plan: made, diagnostics, noted, pending, unwanted } = plan(input, openClasses);
    const notes = TASK_TYPES.map((task) =>
      Array.from(codes, (code) => noted(task, values[code] ?? '')),
    );
    const reads = wantedReads(input, openClasses).map((read) => ({ ...read, due: read.due() }));
    return { lines: [...planLines(made)], diagnostics, pending, unwanted, notes, reads };
  });
}
