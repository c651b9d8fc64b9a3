import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type ScratchName = 'blame' | 'merge' | 'note' | 'ledger';

/** Names of our own folders; sweeping leaves all others alone. */
const OURS = /^fleetform-(?:blame|merge|note|ledger)-[A-Za-z0-9]{6}$/;

/** No run uses a folder for this long, so the maker of an older one was killed. */
const LEFT_MS = 24 * 3_600_000;

let isSwept = false;

/**
 * Calls `use` with a temporary folder, and removes it. The first call of a process also removes folders that killed runs
 * of this user left behind.
 */
export async function withScratch<T>(
  name: ScratchName,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `fleetform-${name}-`));
  if (!isSwept) {
    isSwept = true;
    await sweep(tmpdir(), (await lstat(folder)).mtimeMs - LEFT_MS);
  }
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes our folders that are older than an instant. Never fails. */
export async function sweep(directory: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((one) => OURS.test(one))) {
    const folder = join(directory, name);
    const found = await lstat(folder).catch(() => undefined);
    const isMine = process.getuid === undefined || found?.uid === process.getuid();
    if (found?.isDirectory() === true && isMine && found.mtimeMs < before)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
