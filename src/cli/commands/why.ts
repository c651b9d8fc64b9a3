import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { FleetPart } from '../../model/plan/part.ts';
import type { Why } from '../../model/report/output.gen.ts';
import { EXIT } from '../../shell/exit.ts';
import { reportInvalid } from '../../shell/failure.ts';
import { printJson, printBlocks } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { usage } from '../../model/error.ts';
import type { Here } from '../../operations/here.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';

const FLAGS = {
  ...flag.CONNECTION,
  ...flag.AGE,
  // Names the device within a part, and limits the tasks to its policies.
  ...flag.PART,
  name: flag.argument('DEVICE', 'ID or unique name of a device, or FILE:LINE as `plan` prints it'),
  all: flag.on('List each step of the decisions, or each device of the line'),
  snapshot: flag.snapshot(),
  format: flag.format,
};

/** A line of a document, with or without its number and column. */
const LINE = /\.ya?ml(?::\d+){0,2}$/;

/**
 * Explains every decision about one device, by ID or by a unique name, or lists the devices that a line of the
 * documents applies to. Exits with 9 on a ledger that lacks records. Throws `usage` for flags about one device with a line.
 */
export const why = command({
  name: 'why',
  summary: 'Explain a device or a line (FILE:LINE)',
  more: 'Lists each policy that selects the device, winners and losers, with their lines; of a line, the devices that it applies to.',
  examples: [
    'why dev-441',
    'why dev-441 --snapshot fleet.snapshot',
    'why fleet/policies/firmware.yaml:5',
  ],
  flags: FLAGS,
  async run(flags, shell) {
    const { loadDocuments } = await import('../../operations/documents.ts');
    const { authorsAt } = await import('../../operations/origins.ts');
    const { surveyOrRecall } = await import('../../operations/recall.ts');
    const { partResolver } = await import('../../operations/survey.ts');
    const { partMembership } = await import('../../plan/part/membership.ts');
    const { findDevice } = await import('../../plan/explain/find-device.ts');
    const here = await loadDocuments(shell, flags.fleet);
    if (LINE.test(flags.name)) return printLine(here, flags);
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
    const answer = limitToPart(explain.why(input, only(surveyed.snapshot), surveyed), input.part);
    const written = await authorsAt(here, listLines(answer));
    const blocks = whyBlocks(answer, { ...written, all: flags.all === true });
    if (flags.format === 'json') await printJson(shell.out, { ...whyJson(answer), ...written });
    else await printBlocks(shell, blocks);
    if (unfit?.code === 'ledgerRolledBack') return EXIT.unfit;
    return sayErrors(surveyed.diagnostics, documents, shell);
  },
});

/** Says the errors because of which nothing starts, whatever is decided about a device, and ends as `plan` does. */
async function sayErrors(
  diagnostics: readonly Diagnostic[],
  { files }: Pick<Documents, 'files'>,
  shell: Shell,
): Promise<number> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return EXIT.done;
  return reportInvalid(new InvalidDocuments(errors, files), false, shell);
}

/** Prints the devices that a line of the documents applies to. */
async function printLine(here: Here, flags: FlagsOf<typeof FLAGS>): Promise<void> {
  const { only, site, device, maxAge, all, format } = flags;
  if (only ?? site ?? device ?? maxAge)
    throw usage('FILE:LINE goes without --only, --site, --device and --max-age');
  const { explainLine } = await import('../../operations/explain-line.ts');
  const { whoBlocks } = await import('../../render/outputs/who.ts');
  const { answer, ...written } = await explainLine(here, flags);
  if (format === 'json') await printJson(here.shell.out, { ...answer, ...written });
  else await printBlocks(here.shell, whoBlocks(answer, written.origin), all === true);
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
