import { nearest } from '../../lib/nearest-name.ts';
import { WorldError } from '../../model/error.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { PlanOrigin } from '../../model/plan/plan.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { checkSnapshotFlags } from '../../operations/recall.ts';
import { readSnapshotFile } from '../../operations/snapshot-file.ts';
import { entryAt, listEntries, type DocumentEntry } from '../../model/documents/entries.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { EXIT } from '../../shell/exit.ts';
import { originsAt } from '../../operations/origins.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';

interface WhoFlags extends ConnectFlags {
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
  const place = parsePlace(flags.line, listEntries(documents));
  const [{ who }, { whoText }] = await Promise.all([
    import('../../plan/explain/who.ts'),
    import('../../render/text/who-text.ts'),
  ]);
  const snapshot = await readLists(flags, shell, documents);
  const { clock } = shell;
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
  const connection = await connect(shell, documents.service.value, {
    ...flags,
    readOnly: true,
    isLedgerless: true,
  });
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

/**
 * `FILE:LINE`, or `FILE:LINE:COLUMN` as plans print it. Throws `lineUnknown` before anything is read
 * if it is neither, or if no entry is there; with the nearest one that is.
 */
export function parsePlace(
  written: string,
  entries: Iterable<DocumentEntry>,
): Pick<SourceLocation, 'file' | 'line'> {
  const all = [...entries];
  const [, path, line] = /^(.+?)(?::(\d{1,9})(?::\d{1,9})?)?$/.exec(written) ?? [];
  const file = (path ?? '').replace(/^(\.\/)+/, '');
  const place = { file, line: Number(line) };
  if (line !== undefined && entryAt(all, place)) return place;
  const files = [...new Set(all.map(({ of: { at } }) => at.file))];
  const own = files.find((each) => each === file) ?? nearestFile(file, files);
  const lines = all.flatMap(({ of: { at } }) => (at.file === own ? [at.line] : []));
  const near = lines.toSorted((a, b) => distance(a, place.line) - distance(b, place.line))[0];
  throw new WorldError('lineUnknown', {
    line: written,
    ...(own === file
      ? { ...(line === undefined && { why: 'form' }), lines: nameSome(lines) }
      : { why: 'file', documents: nameSome(files) }),
    ...(own !== undefined && near !== undefined && { suggestion: `${own}:${near}` }),
  });
}

/** The file with that name in another folder, else the one with the nearest path. */
function nearestFile(file: string, files: readonly string[]): string | undefined {
  const named = files.filter((each) => each.endsWith(`/${file}`));
  return named.length === 1 ? named[0] : nearest(file, files);
}

function distance(line: number, from: number): number {
  return Number.isNaN(from) ? line : Math.abs(line - from);
}

/** How many documents or lines a message names. */
const NAMED = 5;

function nameSome(all: readonly (string | number)[]): string {
  const more = all.length > NAMED ? [`${all.length - NAMED} more`] : [];
  return [...all.slice(0, NAMED), ...more].join(', ');
}

/** Leaves out the line, which is shown next to it. */
function originOnly({ file: _file, line: _line, ...origin }: PlanOrigin): LineOrigin {
  return origin;
}
