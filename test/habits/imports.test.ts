import { describe, expect, it } from 'vitest';
import { sources, type SourceFile } from './sources.ts';

/** What a folder of src/ may import: other folders of ours, and packages. The design's table, as data. */
interface Allowance {
  readonly folders: readonly string[];
  readonly packages: readonly string[];
}

const ALL = ['*'];

const TABLE: Readonly<Record<string, Allowance>> = {
  lib: { folders: [], packages: ['node:crypto'] },
  model: { folders: ['lib', 'dialect.gen.ts'], packages: [] },
  facts: { folders: ['lib', 'model'], packages: [] },
  kinds: { folders: ['lib', 'model'], packages: [] },
  config: { folders: ['lib', 'model'], packages: ['yaml', 'ajv', 'ajv-formats', 'node:*'] },
  desired: { folders: ['lib', 'model', 'kinds'], packages: [] },
  live: { folders: ['lib', 'model', 'facts'], packages: [] },
  calendar: { folders: ['lib', 'model'], packages: ['temporal-polyfill'] },
  doctor: { folders: ['lib', 'model', 'dialect.gen.ts'], packages: [] },
  lint: { folders: ['lib', 'model', 'desired', 'calendar'], packages: [] },
  rollout: { folders: ['lib', 'model', 'kinds', 'calendar'], packages: [] },
  plan: {
    folders: ['lib', 'model', 'kinds', 'desired', 'calendar', 'rollout', 'guard', 'lint'],
    packages: [],
  },
  guard: { folders: ['lib', 'model', 'desired'], packages: [] },
  ledger: { folders: ['lib', 'model', 'kinds'], packages: [] },
  store: { folders: ['lib', 'model', 'facts', 'ledger'], packages: ['node:*'] },
  apply: {
    folders: ['lib', 'model', 'kinds', 'calendar', 'rollout', 'ledger', 'plan', 'guard', 'desired'],
    packages: [],
  },
  report: { folders: ['lib', 'model', 'ledger', 'calendar', 'rollout'], packages: [] },
  render: { folders: ['lib', 'model', 'dialect.gen.ts'], packages: ['diff', 'string-width'] },
  api: {
    folders: ['lib', 'model', 'service.gen.ts', 'dialect.gen.ts'],
    packages: ['undici', 'ajv', 'p-limit', 'node:*'],
  },
  forge: { folders: ['lib', 'model'], packages: [] },
  notify: { folders: ['lib', 'model'], packages: ['node:*'] },
  git: { folders: ['lib', 'model'], packages: ['simple-git', 'p-limit', 'node:*'] },
  postgres: { folders: ['lib', 'model'], packages: ['pg', 'node:*'] },
  init: { folders: ['lib', 'model', 'render'], packages: ['node:*'] },
  twin: {
    folders: ['service.gen.ts', 'dialect.gen.ts'],
    packages: ['hono', '@hono/node-server', 'jose', 'node:*'],
  },
  adopt: { folders: ['lib', 'model', 'desired'], packages: [] },
  rehearse: { folders: ['lib', 'model', 'ledger', 'twin'], packages: [] },
  shell: { folders: ['lib', 'model', 'render'], packages: ['picocolors', 'node:*'] },
  operations: {
    folders:
      'lib model adopt shell render config desired live facts lint plan guard apply ledger store report api git forge notify doctor postgres rehearse init twin'.split(
        ' ',
      ),
    packages: ['node:*'],
  },
  cli: { folders: ALL, packages: ['commander', 'p-limit', 'node:*'] },
  library: {
    folders: ['lib', 'model', 'shell', 'operations', 'config', 'plan', 'api', 'cli'],
    packages: ['node:*'],
  },
  'index.ts': { folders: ['library', 'model'], packages: [] },
  'main.ts': { folders: ['cli', 'shell', 'lib', 'model', 'render'], packages: ['node:*'] },
};

/** What the rooms of `apply` may import of it: what a run has of each lifetime stands in none of them. */
const ROOMS_OF_APPLY: Readonly<Record<string, readonly string[]>> = {
  '': [],
  outbox: [''],
  send: ['', 'outbox'],
  watch: ['', 'outbox'],
  run: ['', 'outbox', 'send', 'watch'],
};

/** Folders whose functions are values of their arguments. */
const PURE = [
  'adopt',
  'lib',
  'model',
  'facts',
  'kinds',
  'desired',
  'calendar',
  'doctor',
  'lint',
  'rollout',
  'plan',
  'guard',
  'ledger',
  'report',
  'render',
];

/** A program of its own, which runs in the reader's browser. */
const PAGE = 'src/render/html/page/';

/** One file may ask node for a hash, because ids and chains need one everywhere. */
const HASH_FILE = 'src/lib/canonical.ts';

const files = sources('src');
const folderOf = (path: string): string => path.split('/')[1] ?? '';

describe('imports', () => {
  it('has a row in the table for every folder', () => {
    const folders = new Set(files.map((file) => file.folder));
    expect([...folders].filter((folder) => !(folder in TABLE))).toEqual([]);
  });

  it('imports only the folders that its row allows', () => {
    expect(files.flatMap(foreignFolders)).toEqual([]);
  });

  it('imports only the packages that its row allows', () => {
    expect(files.flatMap(foreignPackages)).toEqual([]);
  });

  it('imports only the rooms of apply that their row allows', () => {
    const roomOf = (path: string): string => path.split('/').slice(2, -1).join('/');
    const foreign = files
      .filter(({ folder }) => folder === 'apply')
      .flatMap(({ path, imports }) =>
        imports
          .filter((to) => folderOf(to) === 'apply' && roomOf(to) !== roomOf(path))
          .filter((to) => ROOMS_OF_APPLY[roomOf(path)]?.includes(roomOf(to)) !== true)
          .map((to) => `${path} imports ${to}`),
      );
    expect(foreign).toEqual([]);
  });

  it('has no cycle of files', () => {
    expect(findCycle(files)).toEqual([]);
  });

  it('gives each package one importing folder, but ajv and what lets things take turns', () => {
    const folders = new Map<string, Set<string>>();
    for (const file of files)
      for (const name of file.packages.filter((name) => !name.startsWith('node:')))
        folders.set(name, (folders.get(name) ?? new Set()).add(file.folder));
    const most: Readonly<Record<string, number>> = { ajv: 2, 'p-limit': 3 };
    const shared = [...folders].filter(([name, set]) => set.size > (most[name] ?? 1));
    expect(shared.map(([name, set]) => `${name}: ${[...set].join(' ')}`)).toEqual([]);
  });
});

describe('purity', () => {
  const banned =
    /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b|\bMath\.random\b|\bprocess\b\.|\bconsole\b\.|\bfetch\(|\bsetTimeout\b|\bsetInterval\b|\bperformance\./;

  it.each(PURE)('%s names no clock, chance, process, console or timer', (folder) => {
    const guilty = files
      .filter((file) => file.folder === folder && !file.path.startsWith(PAGE))
      .filter((file) => banned.test(file.text))
      .map((file) => file.path);
    expect(guilty).toEqual([]);
  });

  it('keeps the hash of node in one file', () => {
    const users = files.filter((file) => PURE.includes(file.folder));
    const guilty = users.filter((file) => file.packages.some((name) => name.startsWith('node:')));
    expect(guilty.map((file) => file.path)).toEqual([HASH_FILE]);
  });
});

function foreignFolders(file: SourceFile): string[] {
  const allowed = TABLE[file.folder]?.folders ?? [];
  return file.imports
    .filter((path) => path.startsWith('src/'))
    .map(folderOf)
    .filter(
      (folder) => folder !== file.folder && !allowed.includes('*') && !allowed.includes(folder),
    )
    .map((folder) => `${file.path} imports ${folder}`);
}

function foreignPackages(file: SourceFile): string[] {
  const allowed = TABLE[file.folder]?.packages ?? [];
  return file.packages
    .filter(
      (name) =>
        !allowed.includes(name) && !(name.startsWith('node:') && allowed.includes('node:*')),
    )
    .map((name) => `${file.path} imports ${name}`);
}

/** The files of one import cycle, or none. */
function findCycle(all: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(all.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    done.add(path);
    for (const next of importsOf.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  for (const file of all) {
    const cycle = walk(file.path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

it('folders are made level by level: the recursive mkdir never ends below /proc', () => {
  const recursive = sources('src').filter(({ text }) =>
    /\bmkdir(?:Sync)?\([^;]*recursive: true/.test(text),
  );
  expect(recursive.map(({ path }) => path)).toEqual([]);
});
