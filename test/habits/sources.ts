import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One TypeScript file of ours, with what the habits look at. */
export interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly lines: number;
  /** Files of ours that it imports, as paths from the root; types count too. */
  readonly imports: readonly string[];
  /** Third-party packages and node modules that it imports. */
  readonly packages: readonly string[];
}

/** Every TypeScript file below a folder of the root of a checkout, generated ones left out. */
export function sources(below: 'src' | 'test', root = ROOT): readonly SourceFile[] {
  return readdirSync(join(root, below), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts'))
    .map((name) => read(`${below}/${name}`, root))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function read(path: string, root: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [
    ...text.matchAll(/\bfrom '([^']+)'/g),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
    ...text.matchAll(/^import '([^']+)'/gm),
  ].map((match) => match[1] ?? '');
  const own = specifiers.filter((name) => name.startsWith('.'));
  return {
    path,
    folder: path.split('/')[1] ?? '',
    text,
    lines: text.split('\n').length - 1,
    imports: own.map((name) => relative(ROOT, join(ROOT, dirname(path), name))),
    packages: specifiers.filter((name) => !name.startsWith('.')).map(packageOf),
  };
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** The text without comments and string contents, for looking at names alone. */
export function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}
