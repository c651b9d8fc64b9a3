import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForgeKind } from '../../model/ports.ts';

/** Where a forge looks for the owners of files; the first that is there counts. */
const OWNERS: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
};

/** What decides which code makes plans and starts tasks, beside the documents; a folder ends with a slash. */
const DECIDES: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['.github/'],
  gitlab: ['.gitlab-ci.yml', '.gitlab/'],
};
const TOOL = ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc', 'vendor/'];

/**
 * The files of a repository that decide what runs and that no line of its CODEOWNERS names: whoever changes them
 * needs no review by an owner. Only what is there counts; whether the forge requires owners is not seen here.
 * @param root the repository; `folders` have the documents, from there
 */
export function unownedFiles(root: string, folders: readonly string[], forge: ForgeKind): string[] {
  const file = OWNERS[forge].find((path) => existsSync(join(root, path)));
  const patterns = file === undefined ? [] : readPatterns(readFileSync(join(root, file), 'utf8'));
  const documents = folders.map((folder) => `${folder}/`);
  return [...DECIDES[forge], ...TOOL, ...documents].filter(
    (path) => existsSync(join(root, path)) && !patterns.some((pattern) => covers(pattern, path)),
  );
}

/** The patterns that have an owner. */
function readPatterns(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [pattern = '', owner = ''] = line.trim().split(/(?<!\\)\s+/);
    return pattern.startsWith('#') || pattern.startsWith('[') || owner === '' ? [] : [pattern];
  });
}

/** Whether a pattern names all of a path: as itself, as a folder above it, or as everything. */
function covers(pattern: string, path: string): boolean {
  const plain = pattern
    .replaceAll('\\ ', ' ')
    .replace(/^\//, '')
    .replace(/\/?\*{1,2}$/, '/');
  return plain === '/' || plain === path || path.startsWith(plain.replace(/\/?$/, '/'));
}
