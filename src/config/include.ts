import { posix } from 'node:path';
import { isObject } from '../lib/objects.ts';
import { type Diagnostic, error } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { foundType } from './explain-value.ts';
import { errorWith, type Spot } from './findings.ts';
import { locate, type Source } from './locate.ts';
import { parse } from './parse.ts';
import { scan } from './scan.ts';

/** The most folders that a fleet includes. */
const MOST_INCLUDES = 8;

/** The documents of a fleet, and what is wrong with their files. */
export interface FleetFiles {
  readonly files: readonly DocumentFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The folders that belong to the fleet, from its root: its own, then those that it includes. */
  readonly folders: readonly string[];
}

type FolderFiles = Omit<FleetFiles, 'folders'>;

/**
 * Reads the folders that belong to a fleet, in the work tree or at a commit: its own, then those that its documents
 * include (semantics D11). Nothing else says which they are.
 * @param name the fleet folder, from its root; `prefix` stands before each path in findings
 * @param read undefined, or no file and no finding, for a folder that is not there
 */
export async function readFolders(
  name: string,
  read: (folder: string) => Promise<FolderFiles | undefined>,
  prefix = '',
): Promise<FleetFiles> {
  const own = (await read(name)) ?? NOTHING;
  const { folders, findings } = includesIn(own.files, name, prefix);
  const files = [...own.files];
  const diagnostics = [...own.diagnostics, ...findings];
  for (const [folder, at] of folders) {
    const found = (await read(folder)) ?? NOTHING;
    files.push(...found.files.map((file) => ({ ...file, isShared: true as const })));
    diagnostics.push(...found.diagnostics);
    for (const source of found.files.flatMap((file) => sourceWithInclude(file) ?? []))
      diagnostics.push(error('notShared', locate(source, '/include', 'key'), { entry: 'include' }));
    if (found.files.length + found.diagnostics.length === 0)
      diagnostics.push(error('includeRefused', at, { folder, problem: 'missing' }));
  }
  return { files, diagnostics, folders: [name, ...folders.keys()] };
}

const NOTHING: FolderFiles = { files: [], diagnostics: [] };

/** The folders that the documents of a fleet include, each with its place there, and what is refused. */
function includesIn(files: readonly DocumentFile[], name: string, prefix: string) {
  const folders = new Map<string, Spot>();
  const findings: Diagnostic[] = [];
  let first: Spot | undefined;
  for (const file of files) {
    const source = sourceWithInclude(file);
    if (!source) continue;
    const at = locate(source, '/include', 'key');
    if (first) findings.push(errorWith('includeTwice', [at, first], {}));
    else findings.push(...readInclude(source, { name, prefix, folders }));
    first ??= at;
  }
  return { folders, findings };
}

/** A document with the key `include`. Most texts show that they have none, and are not parsed for it. */
function sourceWithInclude(file: DocumentFile): Source | undefined {
  if (!/include|\\/.test(file.text) || scan(file).length > 0) return undefined;
  const { source } = parse(file);
  return isObject(source?.value) && 'include' in source.value ? source : undefined;
}

function* readInclude(
  source: Source,
  { name, prefix, folders }: { name: string; prefix: string; folders: Map<string, Spot> },
): Generator<Diagnostic> {
  const { include } = source.value as { readonly include: unknown };
  if (!Array.isArray(include) || include.some((one) => typeof one !== 'string')) {
    const found = { expected: 'a list of folders', found: foundType(include) };
    const params = { key: 'include', ...found, example: 'include: [../_shared/base]' };
    yield error('wrongType', locate(source, '/include'), params);
    return;
  }
  const here = posix.dirname(source.file.path.slice(prefix.length));
  for (const [index, written] of (include as readonly string[]).entries()) {
    const at = locate(source, `/include/${index}`);
    const folder = posix.join(here, written).replace(/\/$/, '');
    const problem =
      index < MOST_INCLUDES ? problemOf(written, folder, [name, ...folders.keys()]) : 'many';
    if (problem) yield error('includeRefused', at, { folder: written, problem });
    else folders.set(folder, at);
    if (problem === 'many') return;
  }
}

/** Why a folder is not included, by its path alone. */
function problemOf(written: string, folder: string, known: readonly string[]): string | undefined {
  if (/^\s*$|^\/|^~|[*?[\]{}\\]|(?:^|\/)\.[^./]/.test(written)) return 'form';
  if (folder === '..' || folder.startsWith('../')) return 'outside';
  const holds = (a: string, b: string): boolean => a === '.' || `${b}/`.startsWith(`${a}/`);
  const [own = '', ...others] = known;
  if (holds(own, folder) || holds(folder, own)) return 'own';
  if (!/(?:^|\/)_/.test(folder)) return 'name';
  return others.some((one) => holds(one, folder) || holds(folder, one)) ? 'twice' : undefined;
}
