import type { SourceLocation } from '../../model/documents/source.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { FleetPart } from '../../model/plan/part.ts';
import type { Why } from '../../model/report/why.ts';
import { EXIT } from '../../shell/exit.ts';
import { printJson, printBlocks } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/** Explains every decision about one device, by ID or by a unique name. Exits with 9 on a ledger that lacks records. */
export const why = command({
  name: 'why',
  summary: 'Explain every decision about one device',
  more: 'Lists each policy that selects it, winners and losers, with their lines.',
  examples: ['why dev-441', 'why dev-441 --snapshot fleet.snapshot'],
  environment: flag.SERVICE_VARIABLES,
  flags: {
    ...flag.CONNECTION,
    ...flag.AGE,
    // Names the device within a part, and limits the tasks to its policies.
    ...flag.PART,
    name: flag.argument('DEVICE', 'ID or unique name of the device'),
    all: flag.on('List each step of the decisions, not only the last one'),
    snapshot: flag.snapshot(),
    format: flag.format,
  },
  async run(flags, shell) {
    const { loadDocuments } = await import('../../operations/documents.ts');
    const { authorsAt } = await import('../../operations/origins.ts');
    const { surveyOrRecall } = await import('../../operations/recall.ts');
    const { partResolver } = await import('../../operations/survey.ts');
    const { partMembership } = await import('../../plan/part/membership.ts');
    const { findDevice } = await import('../../plan/explain/find-device.ts');
    const here = await loadDocuments(shell, flags.fleet);
    const { documents } = here;
    const resolvePart = partResolver(flags);
    const only = (rows: Snapshot): string => {
      const part = resolvePart?.(rows, [documents]);
      return findDevice(rows, flags.name, part && partMembership(part, rows).hasDevice);
    };
    const { surveyed, unfit } = await surveyOrRecall(shell, flags, here, { only });
    const explain = await import('../../plan/explain/why.ts');
    const { whyJson } = await import('../../render/data/output-json.ts');
    const { whyBlocks } = await import('../../render/outputs/why.ts');
    const { input } = surveyed;
    const answer = limitToPart(explain.why(input, only(surveyed.snapshot)), input.part);
    const written = await authorsAt(here, listLines(answer));
    const blocks = whyBlocks(answer, { ...written, all: flags.all === true });
    if (flags.format === 'json') await printJson(shell.out, { ...whyJson(answer), ...written });
    else await printBlocks(shell, blocks);
    return unfit?.code === 'ledgerRolledBack' ? EXIT.unfit : EXIT.done;
  },
});

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
