import { EXIT } from '../../../shell/exit.ts';
import { addToSummary } from '../../process/step.ts';
import { command } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import { drift } from '../drift.ts';

/**
 * Checks for drift, saves the snapshot and adds the result to the summary of the step. Drift is no
 * failure of the job, because the issue reports it; nor are values that a later run reads.
 */
export const ciDrift = command({
  name: 'ci drift',
  summary: 'Look for drift and save the result',
  more: 'Drift is no failure.',
  examples: ['ci drift'],
  environment: flag.SERVICE_VARIABLES,
  flags: {
    fleet: flag.fleet,
    out: flag.outFile('Where to save the result', 'fleetform-drift.json'),
    saveSnapshot: flag.saveSnapshot,
    metrics: flag.metrics,
  },
  async run(flags, shell) {
    const exit = await drift.run({ ...flags, format: 'text' }, shell);
    const { readPlanFile } = await import('../../../operations/plan-file.ts');
    const { driftMarkdown } = await import('../../../render/outputs/drift.ts');
    const { driftView } = await import('../../../render/view/drift-view.ts');
    const view = driftView(await readPlanFile(shell, flags.out));
    addToSummary(shell, (limit) => driftMarkdown(view, { limit }));
    const isLater = exit === EXIT.workLeft && view.situation.isTorn !== true;
    return exit === EXIT.changes || isLater ? EXIT.done : exit;
  },
});
