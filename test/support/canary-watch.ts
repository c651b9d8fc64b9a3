import { rmSync } from 'node:fs';
import { CLIENT_SECRETS, filesLeft, search, settle, SECRET_TEXTS, type Left } from './canary.ts';
import { objectsLeft } from './canary-git.ts';

/** What tests of one file made in this process, to be read when the file has ended. */
const watched: { readonly name: string; readonly text: () => string }[] = [];

/** Searches a text for every credential of the tests once the tests of a file have ended. */
export function watch(name: string, text: () => string): void {
  watched.push({ name, text });
}

/** Folders of the tests of one file, and which files in them a test wrote itself. */
const folders: { readonly folder: string; readonly given: readonly string[] }[] = [];

/** Searches all that is left in a folder once the tests of a file have ended, and removes it. */
export function watchFolder(folder: string, given: readonly string[]): void {
  folders.push({ folder, given });
}

/** Where a client writes its trace: every line is searched. */
export function watchedTrace(name: string): (line: string) => void {
  const lines: string[] = [];
  watch(`trace: ${name}`, () => lines.join(''));
  return (line) => void lines.push(line);
}

/** Searches what was watched since the last call, and forgets it; throws where a secret was found. */
export function settleWatched(): void {
  if (watched.length + folders.length === 0) return;
  try {
    settle(search(texts(), [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS]));
  } finally {
    for (const { folder } of folders)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    watched.length = 0;
    folders.length = 0;
  }
}

function* texts(): Generator<Left> {
  for (const { name, text } of watched) yield { name, text: text() };
  for (const { folder, given } of folders) {
    for (const left of filesLeft(folder, new Map())) if (!given.includes(left.name)) yield left;
    yield* objectsLeft(folder);
  }
}
