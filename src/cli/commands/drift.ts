import { hasError, loadDocuments } from '../../operations/documents.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { surveyOrRecall, type RecallFlags } from '../../operations/recall.ts';
import { withOrigins } from '../../operations/origins.ts';
import { checkPlanFile, savePlan } from '../../operations/plan-file.ts';
import { readCommit } from '../../operations/repository.ts';
import type { Shell } from '../../shell/shell.ts';
import { printDrift, type DriftFormat } from './show-drift.ts';
import { parseDuration } from '../../lib/time.ts';

interface DriftFlags extends RecallFlags {
  readonly out?: string;
  /** Where to save the snapshot, for plans without the service. */
  readonly saveSnapshot?: string;
  readonly all?: boolean;
  readonly format: DriftFormat;
}

/**
 * `fleetform drift`: compares the fleet with what fleetform applied, and lists other due changes
 * separately. Read-only. Exits with 2 if a device has drifted, for schedules; what else is no all-clear
 * has its code (semantics M31).
 */
export async function driftCommand(flags: DriftFlags, shell: Shell): Promise<number> {
  for (const file of [flags.out, flags.saveSnapshot])
    if (file !== undefined) checkPlanFile(shell, file);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const commit = await readCommit(shell, flags.fleet);
  const parts = { documents, commit, expiresAfter: parseDuration('1d') ?? 0 };
  const { surveyed, unfit } = await surveyOrRecall(shell, flags, parts);
  if (hasError(surveyed.diagnostics))
    throw new InvalidDocuments(surveyed.diagnostics, documents.files);
  const plan = await withOrigins(shell, flags.fleet, surveyed.plan, { documents });
  if (flags.out !== undefined && !unfit) await savePlan(shell, flags.out, plan);
  const { clear } = await printDrift(shell, plan, flags);
  if (flags.out !== undefined && unfit) throw unfit;
  return clear.exit;
}
