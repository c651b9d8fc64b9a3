import { type Dirent, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathFrom } from '../config/fleet-place.ts';
import { WorldError, usage } from '../model/error.ts';
import { matchesGlob } from '../lib/glob.ts';
import { getOrAdd } from '../lib/maps.ts';
import { nearest } from '../lib/nearest-name.ts';
import { compareTexts } from '../lib/text-order.ts';
import { UNCOVERED_WORDS } from '../render/words/commands.ts';
import { credentialPrefix } from '../shell/credentials.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import { filesBelow } from './files-below.ts';
import { folderHere } from './here.ts';
import { documentsDiffer, isDocument } from './repository.ts';
import { remoteGit, unknownRef } from '../git/git.ts';

/** The documents of one organization: the folder as `--fleet` takes it, and its name. */
export interface Fleet {
  readonly name: string;
  readonly folder: string;
}

/** A folder beside fleets; `why` it is not covered. */
export interface Folder extends Fleet {
  readonly why?: keyof typeof UNCOVERED_WORDS;
}

/** A matrix of GitHub has at most so many jobs. */
const MOST_FLEETS = 256;

/** A name that an environment, an artifact and a branch may have. */
const FLEET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a folder beside fleets may be one: names that begin with a dot are hidden, and with `_` they are shared (semantics D11). */
export function isFleetName(name: string): boolean {
  return !/^[._]/.test(name);
}

/**
 * The fleets of a repository: each folder directly below `root` that has documents, by name. If
 * `root` has documents itself, it is the only one. One whose name workflows cannot use is none. Throws
 * `fileUnreadable` without the folder, and `usage` for more fleets than a matrix may have.
 */
export function findFleets(shell: Shell, root: string): readonly Fleet[] {
  const folder = fleetFolder(shell, root);
  if (!isFolder(folder)) throw new WorldError('fileUnreadable', { file: root, why: 'ENOTDIR' });
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && isDocument(entry.name)))
    return [{ name: basename(folder), folder: root }];
  const fleets = foldersBelow(shell, root).filter(({ why }) => why === undefined);
  if (fleets.length > MOST_FLEETS)
    throw usage(
      `${root} has ${fleets.length} fleets, and a matrix of GitHub at most ${MOST_FLEETS} jobs`,
    );
  return fleets;
}

/** The folders directly below one, by name. Throws `fileUnreadable`. */
export function foldersBelow(shell: Shell, root: string): readonly Folder[] {
  const folder = fleetFolder(shell, root);
  const whyNot = (entry: Dirent): Folder['why'] => {
    if (!isFleetName(entry.name)) return 'name';
    if (!entry.isDirectory()) return 'link';
    if (!filesBelow(join(folder, entry.name)).some(isDocument)) return 'empty';
    return FLEET_NAME.test(entry.name) ? undefined : 'unusable';
  };
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => isFolder(join(folder, name)))
    .sort((a, b) => compareTexts(a.name, b.name))
    .map((entry) => {
      const why = whyNot(entry);
      const placed = `${root.replace(/\/+$/, '')}/${entry.name}`;
      return { name: entry.name, folder: placed, ...(why && { why }) };
    });
}

/**
 * The fleets that paths name, and the folders beside them, which are not covered. The last part of a path may be a
 * glob. Throws as `findFleets`, `usage` for a path that names no fleet, and for a fleet whose credentials would have the
 * name of those of another: they would go to its service (protocol M14).
 */
export function chooseFleets(shell: Shell, paths: readonly string[]): readonly Folder[] {
  const folders = new Map<string, Folder>();
  // One folder has one name, however it was written.
  for (const path of paths.map((each) => placeOf(shell, each))) {
    const [root, wanted] = [dirname(path), basename(path)];
    const fleets = findFleets(shell, root).filter(({ folder }) => folder !== root);
    const chosen = fleets.filter(({ name }) => matchesGlob(wanted, name));
    const below = foldersBelow(shell, root);
    const exact = below.find(({ name }) => name === wanted);
    if (exact?.why === 'unusable') checkFleetName(path, wanted);
    if (chosen.length === 0) throw usage(namesNone(shell, path, fleets));
    for (const one of below)
      if (!folders.has(one.folder)) folders.set(one.folder, { why: 'other', ...one });
    for (const one of chosen) folders.set(one.folder, one);
  }
  const owners = new Map<string, Folder>();
  for (const one of folders.values()) {
    const prefix = credentialPrefix(one.name);
    const owner = one.why && one.why !== 'other' ? one : getOrAdd(owners, prefix, () => one);
    if (owner !== one && !(owner.why && one.why))
      throw usage(`${owner.folder} and ${one.folder} share ${prefix}_CLIENT_ID: rename one`);
  }
  return [...folders.values()];
}

/** A path from here, however it was written. */
function placeOf({ cwd }: Shell, path: string): string {
  return pathFrom(cwd, resolve(cwd, path));
}

/** Why a path names no fleet, and what to do. */
function namesNone(shell: Shell, path: string, fleets: readonly Fleet[]): string {
  const root = dirname(path);
  const stray = readdirSync(fleetFolder(shell, root)).find(isDocument);
  const none = `--fleet '${path}' names no fleet`;
  if (stray !== undefined)
    return `${none}: ${root}/${stray} makes ${root} one fleet. Move it to the folder of its fleet, or give --fleet ${root}`;
  if (fleets.length === 0) return `${none}; ${root} has none`;
  const near = nearest(
    basename(path),
    fleets.map(({ name }) => name),
  );
  const meant = near === undefined ? '.' : `: did you mean ${root}/${near}?`;
  return `${none}${meant} \`fleetform ci fleets${root === 'fleet' ? '' : ` --fleet ${root}`}\` lists all ${fleets.length}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Those fleets that a request changes, of all commits since it left its base: in their folders, or in folders that they
 * include. A change of a file outside of the folder with the fleets, such as the lock file, may concern each of them; a
 * folder there that is gone, or that no fleet includes, concerns none. Throws `refUnknown`.
 */
export async function changedFleets(
  shell: Shell,
  fleets: readonly Fleet[],
  ref: string,
): Promise<readonly Fleet[]> {
  const { git, left, roots } = await whereLeft(shell, fleets, ref);
  const sides = [left, 'HEAD'] as const;
  const names = ['--name-only', '-z', '--no-renames', '--relative'];
  const diff = await git('diff', ...names, ...sides, '--');
  const paths = diff.out.split('\0').filter((path) => path !== '');
  const isInFolder = (path: string): boolean =>
    roots.some((root) => path.startsWith(root) && path.slice(root.length).includes('/'));
  if (diff.exit !== 0 || paths.some((path) => !isInFolder(path))) return fleets;
  const changed: Fleet[] = [];
  for (const fleet of fleets)
    if (await documentsDiffer(folderHere(shell, fleet.folder), sides)) changed.push(fleet);
  return changed;
}

/** The fleets that a request takes away, since all their documents are gone. Throws `refUnknown`. */
export async function removedFleets(
  shell: Shell,
  folders: readonly Folder[],
  ref: string,
): Promise<readonly Folder[]> {
  const { git, left, roots } = await whereLeft(shell, folders, ref);
  const tree = await git('ls-tree', '-r', '--name-only', '-z', left, '--', ...roots);
  const there = new Set(folders.flatMap(({ folder, why }) => (why === 'empty' ? [] : folder)));
  const removed = new Map<string, Folder>();
  for (const path of tree.out.split('\0').filter(isDocument))
    for (const root of roots) {
      const [name = '', ...below] = path.slice(root.length).split('/');
      const folder = root + name;
      if (path.startsWith(root) && below.length > 0 && isFleetName(name) && !there.has(folder))
        removed.set(folder, { name, folder, why: 'removed' });
    }
  return [...removed.values()];
}

/** The commit where a request left its base, and the folders that fleets are in. Throws `refUnknown`. */
async function whereLeft(shell: Shell, fleets: readonly Pick<Fleet, 'folder'>[], ref: string) {
  const git = remoteGit(shell.cwd, shell.env, { silence: 30_000 });
  const left = await git('merge-base', '--end-of-options', ref, 'HEAD');
  if (left.exit !== 0) throw await unknownRef(git, ref);
  const roots = [...new Set(fleets.map(({ folder }) => `${dirname(folder)}/`))];
  return { git, left: left.out.trim(), roots };
}

/**
 * Refuses a first fleet beside documents that it would share a folder with: a flat fleet and fleets in
 * folders below it would be read as one. Throws `usage`.
 * @param folder the folder of the new fleet, as `--fleet` has it
 * @param isNamed whether it is one fleet of several, as `fleet/acme` is
 */
export function checkLayout(shell: Shell, folder: string, isNamed: boolean): void {
  const full = fleetFolder(shell, folder);
  const parent = isNamed ? dirname(full) : full;
  const documents = isFolder(parent) ? filesBelow(parent).filter(isDocument) : [];
  const services = documents
    .filter((path) => /^service:/m.test(readFileSync(path, 'utf8')))
    .map((path) => relative(parent, path));
  const flat = services.find((path) => !/[\\/]/.test(path));
  const below = services.find((path) => /[\\/]/.test(path));
  const clash = isNamed ? flat : flat === undefined && below;
  if (!clash) return;
  const where = isNamed ? join(dirname(folder), clash) : join(folder, clash);
  throw usage(
    isNamed
      ? `${where} belongs to a fleet without a name. Move its documents to a directory beside ${folder} first`
      : `${where} belongs to a fleet with a name. Name this one too, such as --fleet ${folder}/NAME`,
  );
}

/**
 * Throws `usage` for a name that branches, environments and artifacts cannot have.
 * @param folder the folder of the fleet, which the message names
 */
export function checkFleetName(folder: string, name: string): void {
  if (!FLEET_NAME.test(name)) throw usage(`${folder}: ${UNCOVERED_WORDS.unusable}`);
}
