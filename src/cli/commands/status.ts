import { parseInstant } from '../../lib/time.ts';
import { exitOfReading, findAllClear } from '../../model/report/all-clear.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { StatusView } from '../../model/report/status.ts';
import type { Shell } from '../../shell/shell.ts';
import { printJson, printBlocks } from '../../shell/output.ts';
import { applyAfter } from '../process/apply-line.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

export const status = command({
  name: 'status',
  summary: 'Show what is done, later and needs you',
  more: 'Lists rollouts, overdue work, pauses and tasks in doubt.',
  examples: ['status', 'status --only firmware.*'],
  flags: {
    ...flag.CONNECTION,
    ...flag.FLEETS,
    ...flag.reading(),
    ...flag.PART,
    all: flag.on('Show every policy, wave, reason, device and task'),
    snapshot: flag.snapshot(),
    metrics: flag.metrics,
    format: flag.format,
  },
  async run(flags, shell) {
    const { loadDocuments } = await import('../../operations/documents.ts');
    const { surveyOrRecall } = await import('../../operations/recall.ts');
    const { readStatus } = await import('../../operations/status.ts');
    const here = await loadDocuments(shell, flags.fleet);
    const { asRefused } = await import('../../plan/refusals.ts');
    const found = await surveyOrRecall(shell, flags, here, { isShown: true });
    const surveyed = asRefused(found.surveyed, here.documents);
    const { statusJson } = await import('../../render/data/output-json.ts');
    const { statusSituation } = await import('../../render/view/situations.ts');
    const readAt = parseInstant(surveyed.plan.inputs.snapshot.takenAt);
    const isSaved = flags.snapshot !== undefined && readAt !== undefined;
    const current = await readStatus(here, surveyed);
    shell.measure?.({ fleet: () => Promise.resolve({ ...surveyed, status: current }) });
    const shown = { ...current, ...(isSaved && { readAt }) };
    const next = { command: applyAfter(flags), all: flags.all === true };
    if (flags.format === 'json') await printJson(shell.out, statusJson(shown));
    else await printStatus(shown, surveyed.plan, next, shell);
    const situation = statusSituation(shown);
    shell.judged?.(situation);
    return exitOfReading(findAllClear(situation));
  },
});

async function printStatus(
  shown: StatusView,
  plan: Plan,
  next: { readonly command: string; readonly all: boolean },
  shell: Shell,
): Promise<void> {
  const { statusBlocks } = await import('../../render/outputs/status.ts');
  const { buildPlanView } = await import('../../render/view/view.ts');
  const blocks = statusBlocks(shown, { ...next, plan: buildPlanView(plan, next) });
  await printBlocks(shell, blocks, next.all);
}
