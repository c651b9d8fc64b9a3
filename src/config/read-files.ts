import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { unreadableFile, type Params } from '../model/error.ts';
import { type Diagnostic, error } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { errorOfAll, wholeFile } from './findings.ts';
import { placeOf, repositoryAround } from './fleet-place.ts';
import { type FleetFiles, readFolders } from './include.ts';
import { checkLimits, decode, MAX_FILES } from './scan.ts';

/** A folder of documents: its real path, and the prefix of file names in findings. */
interface Folder {
  readonly root: string;
  readonly name: string;
}

interface Entry {
  /** Path from the root of the fleet, with `/`. */
  readonly path: string;
  readonly real: string;
  readonly bytes: number;
}

/**
 * Reads the documents under a folder, and under those that they include: regular files `*.yaml` and `*.yml` at any depth,
 * except names that start with a dot. Opens nothing outside the real folders, only regular files, nothing behind a link
 * out of the repository, and nothing once a limit is exceeded (semantics D1, D2, D11). Throws `fileUnreadable` where a
 * folder cannot be listed, or a document not be read.
 */
export async function readFleetFiles(folder: string): Promise<FleetFiles> {
  const none = (more?: Params): FleetFiles => {
    const missing = errorOfAll('fleetMissing', { folder, ...more });
    return { files: [], diagnostics: [missing], folders: [] };
  };
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return none();
  if (!(await stat(real)).isDirectory()) return none({ kind: 'file' });
  if (await leavesRepository(folder)) return none({ kind: 'link', target: real });
  const { root, name } = placeOf(real);
  const all: Entry[] = [];
  return readFolders(name, async (each) => {
    const path = join(root, each);
    if (each !== name && !(await isFolder(path))) return undefined;
    const diagnostics: Diagnostic[] = [];
    const entries = await list({ root: path, name: each }, path, diagnostics);
    all.push(...entries);
    diagnostics.push(...caseClashes(entries), ...checkLimits(all));
    if (each === name && entries.length === 0 && diagnostics.length === 0)
      diagnostics.push(errorOfAll('fleetEmpty', { folder }));
    const overLimit = diagnostics.some(({ code }) =>
      /^(tooMany|fleetTooLarge|fileTooLarge)/.test(code),
    );
    const files = overLimit ? [] : await readAll(entries, diagnostics);
    return { files, diagnostics };
  });
}

/** Whether a folder is there, and no link leads to it. */
async function isFolder(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real === path && (await stat(real)).isDirectory();
}

/** Whether a person would take the file for a document, though its name is not that of one: `freeze.YAML`, `freeze.yaml `. */
export function isMisnamed(path: string): boolean {
  const isDocument = /\.ya?ml$/.test(path) && !path.includes(NOT_UTF8);
  return /\.ya?ml\s*$/i.test(path) && !isDocument;
}

/** What a name has in place of bytes that are no UTF-8; no file can be opened by it. */
const NOT_UTF8 = '\u{fffd}';

/** The finding for a file that looks like a document and is not read. */
export function misnamed(name: string): Diagnostic {
  return error('nameNotRead', wholeFile(name), { name });
}

/**
 * Why a link is not read: it leaves the fleet, or leads to nothing, to a folder or to another
 * document.
 */
export type LinkProblem = 'leaves' | 'nothing' | 'folder' | 'document';

/** The finding for a link that is not read. */
export function refusedLink(name: string, problem: LinkProblem, target?: string): Diagnostic {
  if (problem === 'leaves') return error('linkLeavesFleet', wholeFile(name), { name });
  const to = target === undefined ? {} : { target };
  return error('linkNotRead', wholeFile(name), { name, problem, ...to });
}

/**
 * Whether a link in this path leads out of the repository that it stands in: what is there was reviewed by nobody, and
 * a request that has the link would show it.
 */
async function leavesRepository(folder: string): Promise<boolean> {
  for (let path = resolve(folder); path !== dirname(path); path = dirname(path)) {
    const itself = await lstat(path).catch(() => undefined);
    const above = itself?.isSymbolicLink() ? await realpath(dirname(path)) : undefined;
    const around = above === undefined ? undefined : repositoryAround(above);
    if (around !== undefined && !`${await realpath(path)}${sep}`.startsWith(`${around}${sep}`))
      return true;
  }
  return false;
}

async function list(fleet: Folder, folder: string, findings: Diagnostic[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  const all = await readdir(folder).catch((cause: unknown) => {
    throw unreadableFile(folder, cause);
  });
  const names = all.filter((name) => !name.startsWith('.')).sort();
  for (const name of names) {
    if (entries.length > MAX_FILES) break;
    const inside = await inspect(fleet, join(folder, name), findings);
    if (inside !== 'folder' && isMisnamed(name))
      findings.push(misnamed(nameIn(fleet, join(folder, name))));
    if (inside === 'folder') entries.push(...(await list(fleet, join(folder, name), findings)));
    else if (inside) entries.push(inside);
  }
  return entries;
}

/** The entry at a path: a document, `folder`, or undefined for anything else. */
async function inspect(
  fleet: Folder,
  path: string,
  findings: Diagnostic[],
): Promise<Entry | 'folder' | undefined> {
  const shown = nameIn(fleet, path);
  const itself = await lstat(path).catch(() => undefined);
  if (!itself) return undefined;
  if (itself.isDirectory()) return 'folder';
  const isDocument = /\.ya?ml$/.test(path);
  const real = itself.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
  const refuse = (problem: LinkProblem, target?: string): undefined => {
    findings.push(refusedLink(shown, problem, target));
  };
  if (real === undefined) return isDocument ? refuse('nothing') : undefined;
  if (!real.startsWith(fleet.root + sep)) return refuse('leaves');
  const target = await stat(real).catch(() => undefined);
  if (!target) return isDocument ? refuse('nothing') : undefined;
  if (target.isDirectory()) return refuse('folder', nameIn(fleet, real));
  if (!isDocument) return undefined;
  if (!target.isFile()) {
    findings.push(error('notAFile', wholeFile(shown), { name: shown }));
    return undefined;
  }
  const isLink = itself.isSymbolicLink();
  if (isLink && isRead(fleet, real)) return refuse('document', nameIn(fleet, real));
  return { path: shown, real, bytes: target.size };
}

/** The name of a path in findings. */
function nameIn(fleet: Folder, path: string): string {
  return [fleet.name, ...relative(fleet.root, path).split(sep)].join('/');
}

/** Whether a link's target is read under its own name already. */
function isRead(fleet: Folder, real: string): boolean {
  const parts = relative(fleet.root, real).split(sep);
  return /\.ya?ml$/.test(real) && !parts.some((part) => part.startsWith('.'));
}

/** Names that differ only in case are one file on some machines and two on others. */
function caseClashes(entries: readonly Entry[]): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  const findings: Diagnostic[] = [];
  for (const { path } of entries) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined)
      findings.push(error('caseClash', wholeFile(path), { name: path, other }));
    seen.set(path.toLowerCase(), other ?? path);
  }
  return findings;
}

async function readAll(
  entries: readonly Entry[],
  findings: Diagnostic[],
): Promise<readonly DocumentFile[]> {
  const files: DocumentFile[] = [];
  for (const { path, real } of entries) {
    const bytes = await readFile(real).catch((cause: unknown) => {
      throw unreadableFile(path, cause);
    });
    const text = decode(path, bytes);
    if (typeof text === 'string') files.push({ path, text });
    else findings.push(text);
  }
  return files;
}
