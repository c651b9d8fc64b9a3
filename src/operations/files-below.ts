import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The paths of the files below a folder. No link is followed, so nothing outside of it is found; `recursive` of
 * readdir follows links, on some versions of Node.js only.
 */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
