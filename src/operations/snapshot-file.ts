import { resolve } from 'node:path';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Recorded } from './plan.ts';
import type { Shell } from '../shell/shell.ts';
import {
  snapshotFileDigest,
  snapshotLines,
  readSnapshot,
  snapshotDigest,
} from '../live/snapshot-lines.ts';
import { printMessages } from '../shell/messages.ts';
import { snapshotSavedWords } from '../render/words/commands.ts';
import { writeStream } from '../store/local-file.ts';
import { readLines } from '../shell/plain-file.ts';

/** Writes a snapshot as a stream and returns the digest at the end of its file. */
export async function writeSnapshot(
  shell: Pick<Shell, 'cwd'>,
  file: string,
  snapshot: Snapshot,
): Promise<string> {
  await writeStream(resolve(shell.cwd, file), snapshotLines(snapshot));
  return snapshotFileDigest(snapshot);
}

/** Saves the first of several readings if a file is given: the plan of a run is based on it. */
export function keepFirst(
  shell: Shell,
  file: string | undefined,
): { keep?: (snapshot: Snapshot) => Promise<string | undefined> } {
  if (file === undefined) return {};
  let isSaved = false;
  return {
    keep: async (snapshot) => {
      if (isSaved) return undefined;
      isSaved = true;
      const digest = await writeSnapshot(shell, file, snapshot);
      printMessages(shell, [snapshotSavedWords(file)]);
      return digest;
    },
  };
}

/** Reads a saved snapshot; throws `fileUnreadable`, `fileRefused` or `snapshotUnreadable`, each with the file. */
export async function readSnapshotFile(
  shell: Pick<Shell, 'cwd'>,
  file: string,
): Promise<Required<Recorded>> {
  let ending = '';
  let digest: string | undefined;
  const snapshot = await readLines(shell, file, (lines) =>
    readSnapshot(
      (async function* () {
        for await (const line of lines) yield (ending = line);
      })(),
    ),
  );
  const saved = JSON.parse(ending) as { readonly digest: string };
  return {
    snapshot,
    get digest() {
      return (digest ??= snapshotDigest(snapshot));
    },
    file: saved.digest,
  };
}
