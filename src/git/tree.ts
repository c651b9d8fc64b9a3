import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { SimpleGit } from 'simple-git';

/**
 * The regular files below a folder as they stand at a commit, path to text, as a checkout would
 * write them; none where the commit has no such folder. Two calls of git for any number of files,
 * by an index of their own: the work tree and its index are not touched.
 */
export async function filesAt(
  gitWith: (env: Readonly<Record<string, string>>) => SimpleGit,
  ref: string,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const scratch = await mkdtemp(join(tmpdir(), 'fleetform-tree-'));
  try {
    const git = gitWith({});
    const commit = (await git.raw('rev-parse', '--verify', '--end-of-options', ref)).trim();
    const tree = await git.raw('rev-parse', '--verify', `${commit}:./${folder}`).catch(() => '');
    if (tree === '') return new Map();
    const files = join(scratch, 'files');
    await mkdir(files);
    // A work tree elsewhere: below the user's own, git would write what lies below that folder alone.
    const beside = gitWith({
      GIT_DIR: (await git.raw('rev-parse', '--absolute-git-dir')).trim(),
      GIT_WORK_TREE: files,
      GIT_INDEX_FILE: join(scratch, 'index'),
    });
    await beside.raw('read-tree', tree.trim());
    await beside.raw('checkout-index', '--all', '--force', `--prefix=${files}${sep}`);
    return await textsBelow(files, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A link could lead anywhere on this machine: only what is a file itself is read. */
async function textsBelow(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = new Map<string, string>();
  for (const path of paths.sort()) {
    const name = [folder, ...relative(root, path).split(sep)].join('/');
    texts.set(name, await readFile(path, 'utf8'));
  }
  return texts;
}
