import { posix } from 'node:path';
import { readContents } from './contents.ts';
import { resolved, said, type Git } from './git.ts';

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

/** The modes of a link and of a commit of another repository, which is an empty folder; all others are of files. */
const [LINK, SUBMODULE] = ['120000', '160000'];

/**
 * The files below a folder at a commit, as the commit has them: no attribute and no filter converts them. Empty if the
 * commit has no such folder. Throws where git does not read it.
 */
export async function filesAt(
  gitFor: (objects?: readonly string[]) => Git,
  ref: string,
  folder: string,
): Promise<TreeFiles> {
  const git = gitFor();
  const entries = await listTree(git, ref, folder);
  const ids = entries.flatMap(({ mode, id }) => (mode === SUBMODULE ? [] : [id]));
  const contents = await readContents(gitFor, [...new Set(ids)]);
  const isLinked = entries.some(({ mode }) => mode === LINK);
  const home = isLinked ? await homeOf(git, folder) : '';
  const tree: Tree = { home, files: new Map(), links: new Map(), folders: new Set([home]) };
  for (const { mode, id, path } of entries) {
    const place = `${home}/${path}`;
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
      tree.folders.add(`${home}/${path.slice(0, end)}`);
    if (mode === SUBMODULE) tree.folders.add(place);
    else (mode === LINK ? tree.links : tree.files).set(place, textOf(contents, id));
  }
  const texts = new Map<string, string>();
  const unread: TreeLink[] = [];
  for (const place of [...tree.files.keys(), ...tree.links.keys()].sort()) {
    const path = folder + place.slice(home.length);
    const read = tree.links.has(place) ? linkedText(tree, place) : tree.files.get(place);
    if (typeof read === 'string') texts.set(path, read);
    else if (read) unread.push({ path, problem: read.problem });
  }
  return { texts, links: unread };
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  /** From the folder on. */
  readonly path: string;
}

async function listTree(git: Git, ref: string, folder: string): Promise<readonly Entry[]> {
  const tree = `${ref}:./${folder}`;
  const list = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree];
  const { exit, out, err } = await git(...list);
  const isAbsent = async (): Promise<boolean> =>
    (await resolved(git, `${ref}^{commit}`)) !== undefined &&
    (await resolved(git, tree)) === undefined;
  if (exit !== 0 && !(await isAbsent())) throw new Error(err);
  return out.split('\0').flatMap((line) => {
    const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    return mode === undefined || id === undefined || path === undefined ? [] : [{ mode, id, path }];
  });
}

/** The path of a folder of a clone, where absolute links may lead. */
async function homeOf(git: Git, folder: string): Promise<string> {
  const asked = await said(git, 'rev-parse', '--show-toplevel', '--show-prefix');
  const [above = '', prefix = ''] = asked.split('\n');
  return posix.join('/', above, prefix, folder);
}

function textOf(contents: ReadonlyMap<string, string>, id: string): string {
  const text = contents.get(id);
  if (text === undefined) throw new Error(`The clone lacks the contents of ${id}`);
  return text;
}

/** A folder of a commit, by the paths that its clone has. */
interface Tree {
  readonly home: string;
  readonly files: Map<string, string>;
  /** The targets of links. */
  readonly links: Map<string, string>;
  readonly folders: Set<string>;
}

/**
 * The text behind a link whose target is a file of the same folder and not itself a document, as in
 * the work tree; else the reason why it is not read. Opens nothing outside that folder.
 */
function linkedText(tree: Tree, link: string): string | { readonly problem: TreeLink['problem'] } {
  const real = realPlace(tree, link);
  if (real === undefined) return { problem: 'nothing' };
  if (!isBelow(tree.home, real)) return { problem: 'leaves' };
  const text = tree.files.get(real);
  if (text === undefined) return { problem: tree.folders.has(real) ? 'folder' : 'nothing' };
  const names = real.slice(tree.home.length + 1).split('/');
  const isDocument = /\.ya?ml$/.test(real) && !names.some((name) => name.startsWith('.'));
  return isDocument ? { problem: 'document' } : text;
}

/** More links on one way lead nowhere, as to Linux. */
const MOST_LINKS = 40;

/** Where a path leads, links followed one after the other; undefined for nowhere. */
function realPlace({ home, links, folders }: Tree, path: string): string | undefined {
  let rest = path.split('/');
  let real = '';
  for (let followed = 0; rest.length > 0;) {
    const [name = '', ...more] = rest;
    rest = more;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
      continue;
    }
    const at = `${real}/${name}`;
    const target = links.get(at);
    if (target === undefined) {
      if (rest.length > 0 && isBelow(home, at) && !folders.has(at)) return undefined;
      real = at;
    } else {
      followed += 1;
      if (followed > MOST_LINKS) return undefined;
      if (target.startsWith('/')) real = '';
      rest = [...target.split('/'), ...rest];
    }
  }
  return real;
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}
