import { posix } from 'node:path';
import { isObject } from '../lib/objects.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { foundType } from './explain-value.ts';
import { error, errorWith, type Spot } from './findings.ts';
import { locate, pointerSegment, type Source } from './locate.ts';
import { parse } from './parse.ts';
import { scan } from './scan.ts';

/** The most folders that a fleet includes. */
export const MOST_INCLUDES = 8;

/** The documents of some folders, and what is wrong with their files. */
export interface FolderFiles {
  readonly files: readonly DocumentFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FleetFiles extends FolderFiles {
  /** The folders that belong to the fleet, from its root: its own, then those that it includes. */
  readonly folders: readonly string[];
}

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
  const own = (await read(name)) ?? { files: [], diagnostics: [] };
  const { folders, findings } = includesIn(own.files, name, prefix);
  const files = [...own.files];
  const diagnostics = [...own.diagnostics, ...findings];
  for (const [folder, at] of folders) {
    const found = await read(folder);
    files.push(...(found?.files ?? []).map((file) => ({ ...file, isShared: true as const })));
    diagnostics.push(...(found?.diagnostics ?? []));
    if (!found || found.files.length + found.diagnostics.length === 0)
      diagnostics.push(error('includeRefused', at, { folder, problem: 'missing' }));
  }
  return { files, diagnostics, folders: [name, ...folders.keys()] };
}

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
function sourceWithInclude(
  file: DocumentFile,
): (Source & { readonly value: Included }) | undefined {
  if (!/include|\\/.test(file.text) || scan(file).length > 0) return undefined;
  const { source } = parse(file);
  const { value } = source ?? {};
  return source && isObject(value) && 'include' in value ? { ...source, value } : undefined;
}

type Included = Readonly<Record<string, unknown>>;

function* readInclude(
  source: Source & { readonly value: Included },
  { name, prefix, folders }: { name: string; prefix: string; folders: Map<string, Spot> },
): Generator<Diagnostic> {
  const { include } = source.value;
  const isList = Array.isArray(include) && include.every((one) => typeof one === 'string');
  if (!isList || include.length === 0) {
    const found = { expected: 'a list of folders', found: foundType(include) };
    const params = { key: 'include', ...found, example: 'include: [../_shared/base]' };
    yield error('wrongType', locate(source, '/include'), params);
    return;
  }
  const here = posix.dirname(source.file.path.slice(prefix.length));
  for (const [index, written] of include.entries()) {
    const at = locate(source, `/include/${index}`);
    const folder = posix.join(here, written).replace(/\/$/, '');
    const problem = problemOf(written, folder, [name, ...folders.keys()]);
    if (index >= MOST_INCLUDES)
      yield error('includeRefused', at, { folder: written, problem: 'many' });
    else if (problem) yield error('includeRefused', at, { folder: written, problem });
    else folders.set(folder, at);
    if (index >= MOST_INCLUDES) return;
  }
}

/** Why a folder is not included, by its path alone. */
function problemOf(written: string, folder: string, known: readonly string[]): string | undefined {
  if (/^\s*$|^\/|^~|[*?[\]{}\\]/.test(written)) return 'form';
  if (folder === '..' || folder.startsWith('../')) return 'outside';
  if (/(?:^|\/)\.[^/]/.test(folder)) return 'hidden';
  const holds = (a: string, b: string): boolean => a === '.' || `${b}/`.startsWith(`${a}/`);
  const [own = '', ...others] = known;
  if (holds(own, folder) || holds(folder, own)) return 'own';
  if (!/(?:^|\/)_/.test(folder)) return 'name';
  return others.some((one) => holds(one, folder) || holds(folder, one)) ? 'twice' : undefined;
}

/** The sections that only a fleet itself has: a shared document never chooses where credentials go. */
const OF_A_FLEET = ['include', 'service', 'sites', 'incidents', 'onboarding'];

/** The exceptions that let more happen, which one fleet decides for itself. */
const LETS_MORE: readonly unknown[] = ['allow', 'expedite'];

/** A shared document without what no shared document may have, and a finding for each (semantics D11). */
export function withoutOwn(source: Source): {
  readonly source: Source;
  readonly findings: readonly Diagnostic[];
} {
  if (!isObject(source.value)) return { source, findings: [] };
  const findings: Diagnostic[] = [];
  const value = Object.create(null) as Record<string, unknown>;
  for (const [key, content] of Object.entries(source.value)) {
    if (OF_A_FLEET.includes(key))
      findings.push(error('notShared', locate(source, `/${key}`, 'key'), { key }));
    else value[key] = key === 'exceptions' ? withoutLetting(source, content, findings) : content;
  }
  return { source: { ...source, value }, findings };
}

function withoutLetting(source: Source, content: unknown, findings: Diagnostic[]): unknown {
  if (!isObject(content)) return content;
  const kept = Object.create(null) as Record<string, unknown>;
  for (const [name, entry] of Object.entries(content)) {
    const type = isObject(entry) ? entry['type'] : undefined;
    const at = `/exceptions/${pointerSegment(name)}/type`;
    if (LETS_MORE.includes(type))
      findings.push(error('notShared', locate(source, at), { key: String(type), name }));
    else kept[name] = entry;
  }
  return kept;
}
