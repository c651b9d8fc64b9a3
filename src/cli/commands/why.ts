import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { surveyOrRecall, type RecallFlags } from '../../operations/recall.ts';
import { authorsAt } from '../../operations/origins.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { partResolver } from '../../operations/survey.ts';
import type { PartFlags } from '../../plan/part/resolve-part.ts';
import type { FleetPart } from '../../model/plan/part.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Why } from '../../model/report/why.ts';

interface WhyFlags extends Omit<RecallFlags, 'maxReads'> {
  readonly device: string;
  /** Names the device within a part, and limits the tasks to its policies. */
  readonly part?: PartFlags;
  /** Lists each step of the decisions. */
  readonly all?: boolean;
  readonly format: 'text' | 'json';
}

/** `fleetform why DEVICE`: explains every decision about one device, by ID or by a unique name. */
export async function whyCommand(flags: WhyFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const parts = { documents, commit: undefined, expiresAfter: 0 };
  const resolvePart = await partResolver(flags.part ?? {});
  const [{ partMembership }, { findDevice }] = await Promise.all([
    import('../../plan/part/membership.ts'),
    import('../../plan/explain/find-device.ts'),
  ]);
  const only = (rows: Snapshot): string => {
    const part = resolvePart?.(rows, [documents]);
    return findDevice(rows, flags.device, part && partMembership(part, rows).hasDevice);
  };
  const options = { only, ...(resolvePart && { resolvePart }) };
  const { input, snapshot } = (await surveyOrRecall(shell, flags, parts, options)).surveyed;
  const [{ why }, { whyJson }, { whyText }] = await Promise.all([
    import('../../plan/explain/why.ts'),
    import('../../render/data/output-json.ts'),
    import('../../render/text/why-text.ts'),
  ]);
  const answer = limitToPart(why(input, only(snapshot)), input.part);
  const written = await authorsAt(shell, flags.fleet, listLines(answer), documents);
  if (flags.format === 'json') await printJson(shell.out, { ...whyJson(answer), ...written });
  else {
    const style = { ...textStyle(shell.out, shell.env), ...written, all: flags.all === true };
    print(shell.out, whyText(answer, style));
  }
  return EXIT.done;
}

/** The lines that won, lost or exempt; other policies need no author. */
function listLines({ tasks }: Why): readonly SourceLocation[] {
  return tasks.flatMap(({ winner, losers, exemptions }) =>
    [...(winner ? [winner] : []), ...losers, ...exemptions].map(({ at }) => at),
  );
}

/** Without the tasks for which no policy of the part applies. */
function limitToPart(answer: Why, part: FleetPart | undefined): Why {
  const policies = part?.policies;
  if (!policies) return answer;
  const tasks = answer.tasks.filter(({ winner, losers, others }) =>
    [...(winner ? [winner] : []), ...losers, ...others].some(({ at }) =>
      policies.includes(at.policy),
    ),
  );
  return { ...answer, tasks };
}
