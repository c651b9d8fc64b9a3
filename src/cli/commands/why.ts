import { WorldError } from '../../model/error.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../shell/exit.ts';
import { surveyOrRecall, type RecallFlags } from '../../operations/recall.ts';
import { authorsAt } from '../../operations/origins.ts';
import { textStyle, print, printJson } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Why } from '../../model/report/why.ts';

export interface WhyFlags extends Omit<RecallFlags, 'maxReads'> {
  readonly device: string;
  readonly format: 'text' | 'json';
}

/** `fleetform why DEVICE`: explains every decision about one device, by ID or by a unique name. */
export async function whyCommand(flags: WhyFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const parts = { documents, commit: undefined, expiresAfter: 0 };
  const only = (rows: Snapshot): string => resolveDeviceId(rows, flags.device);
  const { input, snapshot } = (await surveyOrRecall(shell, flags, parts, { only })).surveyed;
  const [{ why }, { whyJson }, { whyText }] = await Promise.all([
    import('../../plan/explain/why.ts'),
    import('../../render/data/json.ts'),
    import('../../render/text/why-text.ts'),
  ]);
  const answer = why(input, resolveDeviceId(snapshot, flags.device));
  const written = await authorsAt(shell, flags.fleet, listLines(answer), documents);
  if (flags.format === 'json') await printJson(shell.out, { ...whyJson(answer), ...written });
  else print(shell.out, whyText(answer, { ...textStyle(shell.out, shell.env), ...written }));
  return EXIT.done;
}

/** The lines that won, lost or exempt; other policies need no author. */
function listLines({ tasks }: Why): readonly SourceLocation[] {
  return tasks.flatMap(({ winner, losers, exemptions }) =>
    [...(winner ? [winner] : []), ...losers, ...exemptions].map(({ at }) => at),
  );
}

/** The ID for a text: an exact ID, else the only device with that name. Throws `deviceUnknown`. */
function resolveDeviceId(snapshot: Snapshot, text: string): string {
  if (snapshot.devices.rowOf(text) !== undefined) return text;
  const discovered = snapshot.discovered.filter(({ id, name }) => id === text || name === text);
  const { values, codes } = snapshot.devices.text.name;
  const ids: string[] = discovered.map((device) => device.id);
  for (let row = 0; row < snapshot.devices.length; row += 1)
    if (values[codes[row] ?? 0] === text && codes[row] !== 0) ids.push(snapshot.devices.at(row).id);
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new WorldError('deviceUnknown', {
    device: text,
    matches: ids.length,
    ids: ids.slice(0, 5).join(', '),
  });
}
