import { listAndCount } from '../lib/text-order.ts';
import { nearest } from '../lib/nearest-name.ts';
import { entryAt, listEntries, type DocumentEntry } from '../model/documents/entries.ts';
import type { LineOrigin } from '../model/documents/origin.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { SourceLocation } from '../model/documents/source.ts';
import { WorldError } from '../model/error.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Who } from '../model/report/output.gen.ts';
import type { Shell } from '../shell/shell.ts';
import type { ConnectFlags } from './connect.ts';
import type { Here } from './here.ts';
import { pathInClone } from './repository.ts';

interface LineFlags extends ConnectFlags {
  /** FILE:LINE. */
  readonly name: string;
  /** A saved snapshot in the place of the service. */
  readonly snapshot?: string;
}

/** What the entry at a line applies to, and who wrote that line. Throws `lineUnknown`. */
export async function explainLine(
  here: Here,
  flags: LineFlags,
): Promise<{ readonly answer: Who; readonly origin?: LineOrigin }> {
  const { documents, shell } = here;
  const { originsAt } = await import('./origins.ts');
  const { checkSnapshotFlags } = await import('./recall.ts');
  const { who } = await import('../plan/explain/who.ts');
  checkSnapshotFlags(flags);
  const place = parsePlace(flags.name, listEntries(documents), (file) => pathInClone(here, file));
  const rows = await readLists(flags, shell, documents);
  const answer = who({ documents, snapshot: rows, now: shell.clock.now() }, place);
  if (!answer) throw new WorldError('lineUnknown', { line: flags.name });
  const [found] = (await originsAt(here, [place])) ?? [];
  if (!found) return { answer };
  // The line is shown next to it.
  const { file: _file, line: _line, ...origin } = found;
  return { answer, origin };
}

/** The lists of the service, or those of a saved snapshot, without any request. */
async function readLists(flags: LineFlags, shell: Shell, documents: Documents): Promise<Snapshot> {
  if (flags.snapshot !== undefined) {
    const { readSnapshotFile } = await import('./snapshot-file.ts');
    return (await readSnapshotFile(shell, flags.snapshot)).snapshot;
  }
  const { withConnection } = await import('./connect.ts');
  const options = { ...flags, readOnly: true, isLedgerless: true };
  return withConnection(shell, documents.service.value, options, async (connection) => {
    const { capture } = await import('../live/capture.ts');
    const { clock, random } = shell;
    const { client: service, onProgress } = connection;
    const want = { sites: true, sources: true, discovered: documents.onboarding.size > 0 };
    return capture({ service, clock, random, want, onProgress });
  });
}

/**
 * `FILE:LINE`, or `FILE:LINE:COLUMN` as plans print it. Throws `lineUnknown` before anything is read
 * if it is neither, or if no entry is there; with the nearest one that is.
 * @param fromCwd the path of a document, from that which a person types where they are
 */
export function parsePlace(
  written: string,
  entries: Iterable<DocumentEntry>,
  fromCwd = (file: string): string => file,
): Pick<SourceLocation, 'file' | 'line'> {
  const all = [...entries];
  const [, path, line] = /^(.+?)(?::(\d{1,9})(?::\d{1,9})?)?$/.exec(written) ?? [];
  const typed = (path ?? '').replace(/^(\.\/)+/, '');
  const files = [...new Set(all.map(({ of: { at } }) => at.file))];
  const file = [typed, fromCwd(typed)].find((each) => files.includes(each)) ?? typed;
  const place = { file, line: Number(line) };
  if (line !== undefined && entryAt(all, place)) return place;
  const own = files.find((each) => each === file) ?? nearestFile(file, files);
  const lines = all.flatMap(({ of: { at } }) => (at.file === own ? [at.line] : []));
  const near = lines.toSorted((a, b) => distance(a, place.line) - distance(b, place.line))[0];
  throw new WorldError('lineUnknown', {
    line: written,
    ...(own === file
      ? {
          ...(line === undefined && { why: 'form' }),
          lines: listAndCount(lines.map(String), NAMED),
        }
      : { why: 'file', documents: listAndCount(files, NAMED) }),
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
