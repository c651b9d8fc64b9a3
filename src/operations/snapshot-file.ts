import { resolve } from 'node:path';
import { WorldError, unreadableFile } from '../model/error.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Instant } from '../lib/time.ts';
import { baseParts, decidePlan, plannerInput, planProvenance } from './plan.ts';
import type { DecideParts, Recorded, PlannedSurvey } from './plan.ts';
import { splitLines } from '../shell/lines.ts';
import { printMessages } from '../shell/messages.ts';
import { openTextStream } from '../shell/plain-file.ts';
import type { Shell } from '../shell/shell.ts';

/** Writes a snapshot as a stream and returns the digest at the end of its file. */
export async function saveSnapshot(
  shell: Pick<Shell, 'cwd'>,
  file: string,
  snapshot: Snapshot,
): Promise<string> {
  const [{ snapshotFileDigest, snapshotLines }, { writeStream }] = await Promise.all([
    import('../live/snapshot-lines.ts'),
    import('../store/local-file.ts'),
  ]);
  await writeStream(resolve(shell.cwd, file), snapshotLines(snapshot));
  return snapshotFileDigest(snapshot);
}

/** Saves the first of several readings if a file is given: the plan of a run is based on it. */
export function keepFirst(
  shell: Pick<Shell, 'cwd'>,
  file: string | undefined,
): { keep?: (snapshot: Snapshot) => Promise<string | undefined> } {
  if (file === undefined) return {};
  let isSaved = false;
  return {
    keep: async (snapshot) => {
      if (isSaved) return undefined;
      isSaved = true;
      return saveSnapshot(shell, file, snapshot);
    },
  };
}

/** Reads a saved snapshot; throws `fileUnreadable`, `fileRefused` or `snapshotUnreadable`, each with the file. */
export async function readSnapshotFile(
  shell: Pick<Shell, 'cwd'>,
  file: string,
): Promise<Required<Recorded>> {
  const { readSnapshot, snapshotDigest, snapshotFileDigest } =
    await import('../live/snapshot-lines.ts');
  const input = openTextStream(shell, file);
  try {
    const snapshot = await readSnapshot(splitLines(input));
    return {
      snapshot,
      digest: snapshotDigest(snapshot),
      file: snapshotFileDigest(snapshot),
    };
  } catch (cause) {
    if (cause instanceof WorldError)
      throw new WorldError(cause.code, { ...cause.params, file }, { cause });
    throw unreadableFile(file, cause);
  }
}

/**
 * Plans on a saved snapshot and requests nothing from the service. Reads that these documents need
 * and that are missing cannot be made: their changes say so, and stderr shows how many there are.
 */
export async function planRecorded(
  parts: DecideParts & { readonly shell: Shell },
  memory: Memory,
  recorded: Recorded,
  now: Instant,
): Promise<PlannedSurvey> {
  const missing = await missingReads(parts, memory, recorded, now);
  if (missing > 0) {
    const { missingReadsWords } = await import('../render/words/record-words.ts');
    printMessages(parts.shell, [missingReadsWords(missing)]);
  }
  const { judgeApprovals } = await import('./survey.ts');
  const judged = await judgeApprovals(parts, memory, { recorded, at: now });
  const { unwanted: _unwanted, ...rules } = judged;
  return decidePlan({ ...parts, ...rules }, memory, recorded, now);
}

async function missingReads(
  parts: DecideParts,
  memory: Memory,
  recorded: Recorded,
  now: Instant,
): Promise<number> {
  const { needs } = await import('../plan/plan.ts');
  const before = baseParts(parts);
  const { snapshot } = recorded;
  const missing = new Set<string>();
  for (const side of before ? [parts, before] : [parts]) {
    const inputs = planProvenance(side, memory, recorded);
    for (const { deviceId, read, key } of needs({
      ...plannerInput(side, memory, snapshot, now),
      inputs,
    }))
      if (snapshot.facts(deviceId)[read] === undefined) missing.add(key);
  }
  return missing.size;
}
