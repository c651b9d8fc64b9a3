import type { Dirent } from 'node:fs';
import { mkdir, readFile, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { SimpleGit } from 'simple-git';
import { withScratch } from './scratch.ts';

/**
 * The files that a commit has below a folder: texts by path, with links to files of that folder.
 */
export interface TreeFiles {
  readonly texts: ReadonlyMap<string, string>;
  /** Links that are not read. */
  readonly links: readonly TreeLink[];
}

export interface TreeLink {
  readonly path: string;
  /**
   * The link leads out of the folder, to a folder, to no readable file, or to a document that is
   * read anyway.
   */
  readonly problem: 'leaves' | 'folder' | 'nothing' | 'document';
}

/**
 * The files below a folder at a commit, as the commit has them, but for line ends that the machine sets; empty if the
 * commit has no such folder. It takes two git calls with a separate index, so the work tree and its index do
 * not change.
 */
export async function filesAt(
  gitWith: (env: Readonly<Record<string, string>>) => SimpleGit,
  ref: string,
  folder: string,
): Promise<TreeFiles> {
  return withScratch('tree', async (made) => {
    const scratch = await realpath(made);
    const git = gitWith({});
    const commit = (await git.raw('rev-parse', '--verify', '--end-of-options', ref)).trim();
    const tree = await git.raw('rev-parse', '--verify', `${commit}:./${folder}`).catch(() => '');
    if (tree === '') return { texts: new Map(), links: [] };
    const above = (await git.raw('rev-parse', '--show-toplevel')).trim();
    const home = join(above, (await git.raw('rev-parse', '--show-prefix')).trim(), folder);
    // The same depth as in the clone, so that links through parent folders lead to the same file.
    const files = join(scratch, 'files', home);
    await mkdir(files, { recursive: true });
    // A separate work tree. Below the user's own, git would write only this subfolder.
    const beside = gitWith({
      GIT_DIR: (await git.raw('rev-parse', '--absolute-git-dir')).trim(),
      GIT_WORK_TREE: files,
      GIT_INDEX_FILE: join(scratch, 'index'),
    });
    await beside.raw('read-tree', tree.trim());
    const write = ['checkout-index', '--all', '--force', `--prefix=${files}${sep}`];
    await beside.raw(...write);
    // Written once more without them: a review shows what the commit has, and not what they make of it.
    const attributes = (await entriesBelow(files)).filter(({ name }) => name === ATTRIBUTES);
    const paths = attributes.map((entry) => relative(files, join(entry.parentPath, entry.name)));
    if (paths.length > 0) {
      await beside.raw('update-index', '--force-remove', '--', ...paths);
      await rm(files, { recursive: true });
      await mkdir(files);
      await beside.raw(...write);
    }
    return readBelow({ files, home }, folder);
  });
}

const ATTRIBUTES = '.gitattributes';

async function readBelow(written: CheckedOut, folder: string): Promise<TreeFiles> {
  const { files: root } = written;
  const entries = await entriesBelow(root).catch(() => []);
  const pathsOf = (chosen: typeof entries): readonly string[] =>
    chosen.map((entry) => join(entry.parentPath, entry.name));
  const links = new Set(pathsOf(entries.filter((entry) => entry.isSymbolicLink())));
  await redirectLinks(written, [...links]);
  const files = pathsOf(entries.filter((entry) => entry.isFile()));
  const texts = new Map<string, string>();
  const unread: TreeLink[] = [];
  for (const path of [...files, ...links].sort()) {
    const name = [folder, ...relative(root, path).split(sep)].join('/');
    const read = links.has(path)
      ? await linkedText(root, path)
      : { text: await readFile(path, 'utf8') };
    if ('text' in read) texts.set(name, read.text);
    else unread.push({ path: name, problem: read.problem });
  }
  return { texts, links: unread };
}

/** All that is below a folder. Links are in it and not followed; `recursive` of readdir follows them on Node.js 26. */
async function entriesBelow(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(folders.map(({ name }) => entriesBelow(join(folder, name))));
  return [...entries, ...below.flat()];
}

/** A folder of a commit: the path of its copy and its path in the clone. */
interface CheckedOut {
  readonly files: string;
  readonly home: string;
}

/** Redirects links with absolute targets from the clone's folder to the copy. */
async function redirectLinks({ files, home }: CheckedOut, links: readonly string[]): Promise<void> {
  for (const link of links) {
    const target = await readlink(link);
    if (!isAbsolute(target) || !isBelow(home, target)) continue;
    await rm(link);
    await symlink(join(files, relative(home, target)), link);
  }
}

/**
 * The text behind a link whose target is a file of the same folder and not itself a document, as in
 * the work tree; else the reason why it is not read. Opens nothing outside that folder.
 */
async function linkedText(
  files: string,
  link: string,
): Promise<{ readonly text: string } | { readonly problem: TreeLink['problem'] }> {
  const real = await realpath(link).catch(() => undefined);
  if (real === undefined) {
    const target = resolve(dirname(link), await readlink(link));
    return { problem: isBelow(files, target) ? 'nothing' : 'leaves' };
  }
  if (!isBelow(files, real)) return { problem: 'leaves' };
  const found = await stat(real);
  const names = relative(files, real).split(sep);
  const isDocument = /\.ya?ml$/.test(real) && !names.some((name) => name.startsWith('.'));
  if (found.isFile() && isDocument) return { problem: 'document' };
  if (found.isFile()) return { text: await readFile(real, 'utf8') };
  return { problem: found.isDirectory() ? 'folder' : 'nothing' };
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}
