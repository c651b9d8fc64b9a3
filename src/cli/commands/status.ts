import { parseInstant } from '../../lib/time.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { applyAfter } from '../process/apply-line.ts';
import { exitOfReading, findAllClear } from '../../model/report/all-clear.ts';
import { statusSituation } from '../../render/view/situations.ts';
import { surveyOrRecall, type RecallFlags } from '../../operations/recall.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { readStatus } from '../../operations/status.ts';
import { partResolver } from '../../operations/survey.ts';
import type { PartFlags } from '../../plan/part/resolve-part.ts';

interface StatusFlags extends RecallFlags, PartFlags {
  readonly all?: boolean;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform status`: shows the state of each rollout, from the fleet, the documents and the
 * ledger. Read-only.
 */
export async function statusCommand(flags: StatusFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const parts = { documents, commit: undefined, expiresAfter: 0 };
  const resolvePart = await partResolver(flags);
  const limited = { ...(resolvePart && { resolvePart }), isShown: true };
  const { surveyed } = await surveyOrRecall(shell, flags, parts, limited);
  const [current, { statusText }, { statusJson }] = await Promise.all([
    readStatus({ documents, shell }, surveyed),
    import('../../render/text/status-text.ts'),
    import('../../render/data/report-json.ts'),
  ]);
  const readAt = parseInstant(surveyed.plan.inputs.snapshot.takenAt);
  const isSaved = flags.snapshot !== undefined && readAt !== undefined;
  const status = { ...current, ...(isSaved && { readAt }) };
  const command = applyAfter(flags);
  const style = { ...textStyle(shell.out, shell.env), command, all: flags.all === true };
  if (flags.format === 'json') await printJson(shell.out, statusJson(status));
  else print(shell.out, statusText(status, style));
  return exitOfReading(findAllClear(statusSituation(status)));
}
