import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readNamed } from '../model/error.ts';

/**
 * The paths of the files below a folder. No link is followed, so nothing outside of it is found; `recursive` of
 * readdir follows links, on some versions of Node.js only. Throws `fileUnreadable` with a folder that cannot be listed.
 */
export function filesBelow(folder: string): readonly string[] {
  const entries = readNamed(folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
