import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { sha256 } from '../lib/canonical.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { error, wholeFile } from './findings.ts';
import { checkLimits, decode, MAX_FILES } from './scan.ts';

/** A fleet folder: its real path, and the prefix of file names in findings. */
interface Fleet {
  readonly root: string;
  readonly name: string;
}

interface Entry {
  /** Path relative to the parent of the fleet folder, with `/`. */
  readonly path: string;
  readonly real: string;
  readonly bytes: number;
}

/**
 * Reads the documents under a folder: regular files `*.yaml` and `*.yml` at any depth, except names
 * that start with a dot. Opens nothing outside the real folder, only regular files, and nothing
 * once a limit is exceeded (semantics D1, D2).
 */
export async function readFleetFiles(folder: string): Promise<{
  readonly files: readonly DocumentFile[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return { files: [], diagnostics: [withoutPlace('fleetMissing', folder)] };
  if (!(await stat(root)).isDirectory())
    return { files: [], diagnostics: [withoutPlace('fleetMissing', folder, { kind: 'file' })] };
  const diagnostics: Diagnostic[] = [];
  const entries = await list({ root, name: basename(root) }, root, diagnostics);
  diagnostics.push(...caseClashes(entries), ...checkLimits(entries));
  if (entries.length === 0 && diagnostics.length === 0)
    diagnostics.push(withoutPlace('fleetEmpty', folder));
  const overLimit = diagnostics.some(({ code }) =>
    /^(tooMany|fleetTooLarge|fileTooLarge)/.test(code),
  );
  const files = overLimit ? [] : await readAll(entries, diagnostics);
  return { files, diagnostics };
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

async function list(fleet: Fleet, folder: string, findings: Diagnostic[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  for (const name of names) {
    if (entries.length > MAX_FILES) break;
    const inside = await inspect(fleet, join(folder, name), findings);
    if (inside === 'folder') entries.push(...(await list(fleet, join(folder, name), findings)));
    else if (inside) entries.push(inside);
  }
  return entries;
}

/** The entry at a path: a document, `folder`, or undefined for anything else. */
async function inspect(
  fleet: Fleet,
  path: string,
  findings: Diagnostic[],
): Promise<Entry | 'folder' | undefined> {
  const shown = nameIn(fleet, path);
  const itself = await lstat(path);
  if (itself.isDirectory()) return 'folder';
  const isDocument = /\.ya?ml$/.test(path);
  const real = itself.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
  const refuse = (problem: LinkProblem, target?: string): undefined => {
    findings.push(refusedLink(shown, problem, target));
  };
  if (real === undefined) return isDocument ? refuse('nothing') : undefined;
  if (!real.startsWith(fleet.root + sep)) return refuse('leaves');
  const target = await stat(real);
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
function nameIn(fleet: Fleet, path: string): string {
  return [fleet.name, ...relative(fleet.root, path).split(sep)].join('/');
}

/** Whether a link's target is read under its own name already. */
function isRead(fleet: Fleet, real: string): boolean {
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
    const bytes = await readFile(real).catch(() => undefined);
    const text = bytes ? decode(path, bytes) : error('notAFile', wholeFile(path), { name: path });
    if (typeof text === 'string') files.push({ path, text, sha256: sha256(text) });
    else findings.push(text);
  }
  return files;
}

function withoutPlace(
  code: 'fleetMissing' | 'fleetEmpty',
  folder: string,
  more: { readonly kind?: 'file' } = {},
): Diagnostic {
  return { code, severity: 'error', params: { folder, ...more } };
}
