import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import { code, sources, type SourceFile } from '../habits/sources.ts';

/** Files that one importer alone, next door, uses, and that are shorter than this, are slivers. */
const SLIVER_LINES = 60;

/** The shape of the `src/` of a checkout: what is measured and its figure. */
export function* shapeOf(root: string): Generator<readonly [string, number | string]> {
  const files = sources('src', root);
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  const folders = countBy(files.map(({ path }) => dirname(path)));
  const crowded = [...folders].toSorted(([, a], [, b]) => b - a);
  yield ['files', files.length];
  yield ['lines', lines.reduce((sum, one) => sum + one, 0)];
  yield ['lines that are generated', generatedLines(root)];
  yield ['exported names', files.reduce((sum, { text }) => sum + namesIn(text, EXPORTED).size, 0)];
  yield ['functions that one place names', namedOnce(files)];
  yield ['modules with a form of a device', modulesWith(DEVICE, files).length];
  yield ['modules with a form of a change', modulesWith(CHANGE, files).length];
  yield ['lines of a file, 90th percentile', lines[Math.floor(lines.length * 0.9)] ?? 0];
  yield ['lines of the longest file', lines.at(-1) ?? 0];
  yield ['folders', folders.size];
  yield ['folders of more than 20 files', crowded.filter(([, count]) => count > 20).length];
  yield ['largest folder', `${crowded[0]?.[1] ?? 0} ${crowded[0]?.[0] ?? ''}`];
  const slivers = sliversIn(files);
  yield [`files under ${SLIVER_LINES} lines with one importer, next door`, slivers.length];
  yield ['file names in several folders', namesInSeveralFolders(files).size];
  yield ['pairs of folders that import each other', pairsIn(files).length];
  yield ['exported names declared in several files', exportedTwice(files).size];
  yield ['files to write or touch for one more task type', taskTypeFiles(files)];
  yield ['share of functions named somethingOf', `${(shareNamedOf(files) * 100).toFixed(1)}%`];
}

/** Where a task type has to be named; another text than its name in words is a choice. */
const TASK_TYPE_HOMES = /^src\/(?:model\/fleet\/task\.ts|kinds\/|twin\/effects\/)/;

/** The most files that one of today's task types is named in or has to itself, with the contract of the service. */
function taskTypeFiles(files: readonly SourceFile[]): number {
  const homes = files.filter(({ path }) => TASK_TYPE_HOMES.test(path));
  const counts = TASK_TYPES.map((task) => {
    const own = `${task.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
    return homes.filter(({ path, text }) => basename(path) === own || text.includes(task)).length;
  });
  return Math.max(...counts) + 1;
}

function generatedLines(root: string): number {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.gen.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8').split('\n').length - 1)
    .reduce((sum, one) => sum + one, 0);
}

/** Top-level functions whose name stands once in all sources, beside its declaration and its imports. */
function namedOnce(files: readonly SourceFile[]): number {
  const texts = files.map(({ text }) => code(text).replaceAll(/^(?:import|export) [^;(]*;/gm, ''));
  const times = countBy(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const names = files.flatMap(({ text }) => [...namesIn(text, TOP_LEVEL_FUNCTION)]);
  return names.filter((name) => times.get(name) === 2).length;
}

const DEVICE =
  'vendor model deviceType firmwareVersion status lastSeen sites sources maintenanceMode storageServer';
const CHANGE =
  'task device action cause reason before after target generation marker risk wave window';

/** How many fields of one thing a module lists that has a form of its own of it. */
const FORM_FIELDS = 6;

/** Modules that list so many fields of a thing as members of a type, of a table or of an object. */
export function modulesWith(fields: string, files: readonly SourceFile[]): readonly string[] {
  const members = fields
    .split(' ')
    .map((name) => new RegExp(`^\\s+(?:readonly )?${name}\\??:`, 'm'));
  return files
    .filter(({ text }) => members.filter((member) => member.test(text)).length >= FORM_FIELDS)
    .map(({ path }) => path);
}

/** Short files whose only user sits beside them. */
export function sliversIn(files: readonly SourceFile[], below = SLIVER_LINES): readonly string[] {
  const users = new Map<string, string[]>();
  for (const file of files)
    for (const path of file.imports) users.set(path, [...(users.get(path) ?? []), file.path]);
  return files
    .filter(({ path, lines }) => {
      const [user, ...others] = new Set(users.get(path));
      return lines < below && user && others.length === 0 && dirname(user) === dirname(path);
    })
    .map(({ path }) => path);
}

/** File names that stand in more than one folder, each with how often. */
export function namesInSeveralFolders(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const names = countBy(files.map(({ path }) => path.split('/').at(-1) ?? ''));
  return new Map([...names].filter(([, count]) => count > 1));
}

const EXPORTED =
  /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

const TOP_LEVEL_FUNCTION = /^(?:export )?(?:async )?function\*? (\w+)/gm;

/** Exported names that more than one file declares, each with its files; overloads are one declaration. */
export function exportedTwice(
  files: readonly SourceFile[],
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const name of namesIn(text, EXPORTED))
      owners.set(name, [...(owners.get(name) ?? []), path]);
  return new Map([...owners].filter(([, paths]) => paths.length > 1));
}

/** The share of top-level functions whose name ends in `Of`, which says neither what is read nor how. */
export function shareNamedOf(files: readonly SourceFile[]): number {
  const names = files.flatMap(({ text }) => [...namesIn(text, TOP_LEVEL_FUNCTION)]);
  return names.filter((name) => /[a-z]Of$/.test(name)).length / Math.max(1, names.length);
}

function namesIn(text: string, declaration: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(declaration)].map(([, name = '']) => name));
}

/** Folders, at any depth, of which each imports the other. */
export function pairsIn(files: readonly SourceFile[]): readonly string[] {
  const arrows = new Set(
    files.flatMap(({ path, imports }) =>
      imports
        .filter((to) => dirname(to) !== dirname(path) && !isWithin(dirname(to), dirname(path)))
        .map((to) => `${dirname(path)} ${dirname(to)}`),
    ),
  );
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`);
  });
}

/** A folder and what is inside of it are one house. */
function isWithin(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
