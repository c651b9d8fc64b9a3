import type { Plan } from '../../model/plan/plan.ts';
import type { DriftView } from '../../render/view/drift-view.ts';
import type { ViewOptions } from '../../render/view/view.ts';
import { printJson, printBlocks } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';

const FLAGS = {
  ...flag.CONNECTION,
  ...flag.FLEETS,
  ...flag.reading(),
  out: flag.out,
  saveSnapshot: flag.saveSnapshot,
  all: flag.all,
  snapshot: flag.snapshot(),
  metrics: flag.metrics,
  format: flag.formats('text', 'json', 'md'),
};

type DriftFlags = FlagsOf<typeof FLAGS>;

const ONE_DAY = 86_400_000;

/**
 * Compares the fleet with what fleetform applied, and lists other due changes separately. Read-only.
 * Exits with 2 if a device has drifted, for schedules; what else is no all-clear has its code (semantics M31).
 */
export const drift = command({
  name: 'drift',
  summary: 'Show devices that others changed',
  more: 'Lists devices that no longer match what fleetform applied. Changes nothing. Exits with 2 if there is drift.',
  examples: ['drift', 'drift -o drift.json --format md'],
  flags: FLAGS,
  async run(flags, shell) {
    const { loadDocuments, requireValid } = await import('../../operations/documents.ts');
    const { withOrigins } = await import('../../operations/origins.ts');
    const { checkPlanFiles, savePlan } = await import('../../operations/plan-file.ts');
    const { surveyOrRecall } = await import('../../operations/recall.ts');
    const { readCommit } = await import('../../operations/repository.ts');
    checkPlanFiles(shell, flags.out, flags.saveSnapshot);
    const here = await loadDocuments(shell, flags.fleet);
    const parts = { ...here, commit: await readCommit(here), expiresAfter: ONE_DAY };
    const { surveyed, unfit } = await surveyOrRecall(shell, flags, parts);
    requireValid(surveyed, here.documents);
    const { findAtWork, readStatus } = await import('../../operations/status.ts');
    shell.measure?.({
      fleet: async () => ({ ...surveyed, status: await readStatus(here, surveyed) }),
    });
    const plan = await withOrigins(here, surveyed.plan);
    if (flags.out !== undefined && !unfit) await savePlan(shell, flags.out, plan);
    const atWork = findAtWork(surveyed.input.memory.lease, shell);
    const { clear, situation } = await printDrift(shell, plan, { ...flags, atWork });
    shell.judged?.(situation);
    if (flags.out !== undefined && unfit) throw unfit;
    shell.measure?.({ exit: clear.exit });
    return clear.exit;
  },
});

async function printDrift(
  shell: Shell,
  plan: Plan,
  { format, ...options }: Pick<DriftFlags, 'format' | 'all'> & ViewOptions,
): Promise<DriftView> {
  const { driftView } = await import('../../render/view/drift-view.ts');
  const view = driftView(plan, options);
  if (format === 'md') {
    const { driftMarkdown } = await import('../../render/outputs/drift.ts');
    const { COMMENT_LIMIT } = await import('../../render/outputs/plan.ts');
    shell.out.write(driftMarkdown(view, { limit: COMMENT_LIMIT }));
  } else if (format === 'json') {
    const { driftJson } = await import('../../render/outputs/drift.ts');
    await printJson(shell.out, driftJson(plan, view));
  } else {
    const { driftBlocks } = await import('../../render/outputs/drift.ts');
    await printBlocks(shell, driftBlocks(view, options), options.all);
  }
  return view;
}
