import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sources } from './sources.ts';

const PROGRAM = 'src/cli/program/run-command-line.ts';
const START = ['src/main.ts', 'src/shell/exit.ts', 'src/cli/process/process.ts', PROGRAM];
/** What `validate` imports when it runs, if all documents are valid. */
const VALIDATE = [
  'src/cli/commands/validate.ts',
  'src/config/load.ts',
  'src/operations/documents.ts',
  'src/operations/gate/forge.ts',
  'src/lint/lint.ts',
];

const files = new Map(sources('src').map((file) => [file.path, file.text]));

/** Half of the time of `validate` is loading: a file takes half a millisecond. */
describe('a command loads what it needs and no more', () => {
  it('`--help` loads the command line alone', () => {
    const { rooms, packages } = loaded(START);
    expect(rooms).toEqual(['', 'cli', 'facts', 'lib', 'model', 'render', 'shell']);
    expect(packages).toEqual(['commander', 'picocolors']);
  });

  it('`validate` loads the checks, and neither the words of findings nor what reads, plans or runs git', () => {
    const { rooms, packages, files: all } = loaded([...START, ...VALIDATE]);
    const checks = ['calendar', 'config', 'desired', 'kinds', 'lint', 'operations'];
    expect(rooms).toEqual([...loaded(START).rooms, ...checks].sort());
    expect(packages).toEqual(['commander', 'picocolors', 'temporal-polyfill', 'yaml']);
    expect(all.filter((path) => path.startsWith('src/render/')).length).toBeLessThanOrEqual(2);
  });
});

/** The files that these and their static imports of values load, their rooms, and packages. */
function loaded(from: readonly string[]) {
  const found = new Set(from);
  const packages = new Set<string>();
  for (const path of found)
    for (const name of valueImports(files.get(path) ?? '')) {
      if (name.startsWith('.')) found.add(relative(ROOT, join(ROOT, dirname(path), name)));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  const rooms = new Set([...found].map((path) => /^src\/(\w+)\//.exec(path)?.[1] ?? ''));
  return { files: [...found], rooms: [...rooms].sort(), packages: [...packages].sort() };
}

/** Modules that a file imports or exports from when it is loaded; only `import type` loads nothing. */
function valueImports(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export) (?!type )(?:[^;'"]*? from )?'([^']+)';/gm);
  return [...statements].map(([, module = '']) => module);
}
