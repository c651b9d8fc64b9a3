import { WorldError } from '../../model/error.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { PlanOrigin } from '../../model/plan/plan.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { checkSnapshotFlags } from '../../operations/recall.ts';
import { readSnapshotFile } from '../../operations/snapshot-file.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { EXIT } from '../../shell/exit.ts';
import { originsAt } from '../../operations/origins.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';

export interface WhoFlags extends ConnectFlags {
  readonly line: string;
  readonly all?: boolean;
  readonly snapshot?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform who FILE:LINE`: lists every device that a line of the documents governs. Reads lists
 * only.
 */
export async function whoCommand(flags: WhoFlags, shell: Shell): Promise<number> {
  checkSnapshotFlags(flags);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const [{ who }, { whoText }] = await Promise.all([
    import('../../plan/explain/who.ts'),
    import('../../render/text/who-text.ts'),
  ]);
  const snapshot = await readLists(flags, shell, documents);
  const { clock } = shell;
  const place = parsePlace(flags.line);
  const answer = who({ documents, snapshot, now: clock.now() }, place);
  if (!answer) throw new WorldError('lineUnknown', { line: flags.line });
  const [found] = (await originsAt(shell, flags.fleet, [place])) ?? [];
  const origin = found && originOnly(found);
  if (flags.format === 'json') await printJson(shell.out, { ...answer, ...(origin && { origin }) });
  else {
    const style = { ...textStyle(shell.out, shell.env), all: flags.all === true };
    print(shell.out, whoText(answer, { ...style, ...(origin && { origin }) }));
  }
  return EXIT.done;
}

/** The lists of the service, or those of a saved snapshot, without any request. */
async function readLists(flags: WhoFlags, shell: Shell, documents: Documents): Promise<Snapshot> {
  if (flags.snapshot !== undefined) return (await readSnapshotFile(shell, flags.snapshot)).snapshot;
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    const { capture } = await import('../../live/capture.ts');
    const { clock, random } = shell;
    const { client: service, onProgress } = connection;
    const want = { sites: true, sources: true, discovered: documents.onboarding.size > 0 };
    return await capture({ service, clock, random, want, onProgress });
  } finally {
    await connection.close();
  }
}

/** `FILE:LINE`, or `FILE:LINE:COLUMN` as plans print it. Throws `lineUnknown`. */
function parsePlace(line: string): Pick<SourceLocation, 'file' | 'line'> {
  const match = /^(.+?):(\d{1,9})(?::\d{1,9})?$/.exec(line);
  if (!match?.[1]) throw new WorldError('lineUnknown', { line });
  return { file: match[1], line: Number(match[2]) };
}

/** Leaves out the line, which is shown next to it. */
function originOnly({ file: _file, line: _line, ...origin }: PlanOrigin): LineOrigin {
  return origin;
}
