import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repo.ts';
import type { Merge } from '../../../src/git/merge.ts';
import type { LineOrigin } from '../../../src/model/documents/origin.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** As deep as a folder of documents may be; a name with a colon is a list of two in some variables. */
const place = join(scratchFolder('merge'), 'a: b');
const LINES = Array.from({ length: 9 }, (_, line) => `line ${line}\n`);

const git = (...args: string[]): string =>
  gitIn(place, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args);

function write(path: string, text: string): void {
  mkdirSync(join(place, path, '..'), { recursive: true });
  writeFileSync(join(place, path), text);
}

function commit(path: string, text: string): void {
  write(path, text);
  git('add', '--all');
  git('commit', '--quiet', '-m', `${path} ${text.slice(0, 8)}`);
}

function branch(name: string, from: string): void {
  git('checkout', '--quiet', '-b', name, from);
}

const texts = (first: string, last: string): string =>
  [first, ...LINES.slice(1, -1), last].join('');

beforeAll(() => {
  mkdirSync(place);
  git('init', '--quiet', '-b', 'main');
  commit('deep/fleet/a.yaml', texts('first\n', 'last\n'));
  branch('mine', 'main');
  commit('deep/fleet/a.yaml', texts('of mine\n', 'last\n'));
  git('checkout', '--quiet', 'main');
  commit('deep/fleet/a.yaml', texts('first\n', 'of main\n'));
  commit('README.md', 'of main\n');
  branch('other', 'mine');
  commit('README.md', 'of other\n');
  branch('torn', 'mine');
  commit('deep/fleet/a.yaml', texts('of mine\n', 'of torn\n'));
  branch('ahead', 'main');
  commit('README.md', 'of ahead\n');
  git('checkout', '--quiet', '--orphan', 'stranger');
  git('commit', '--quiet', '-m', 'From nowhere');
});

const env = { PATH: process.env['PATH'] };

interface Seen {
  readonly merge: Merge;
  readonly text?: string | undefined;
  readonly lines?: readonly (LineOrigin | undefined)[];
}

/** What merging a branch, or the work tree, into main gives, and what its document says then. */
async function merged(name?: string, environment = env): Promise<Seen> {
  const from = join(place, 'deep');
  const base = git('rev-parse', 'main');
  const sides = { base, folders: ['fleet'], ...(name !== undefined && { branch: name }) };
  return openRepository(from, environment).withMerge(sides, async (merge) => {
    if (merge.is !== 'merged') return { merge };
    const of = openRepository(from, environment, merge.env);
    const text = (await of.filesAt(merge.commit, 'fleet'))?.texts.get('fleet/a.yaml');
    const at = { folders: ['fleet'], ref: merge.commit, unmade: merge.own };
    const found = await of.blame(new Map([['fleet/a.yaml', new Set([1, 9])]]), at);
    const lines = [1, 9].map((line) => found?.get('fleet/a.yaml')?.get(line));
    return { merge, text, lines };
  });
}

it('is both sides, and each line is of who wrote it', async () => {
  const { merge, text, lines } = await merged('mine');
  expect(merge).toMatchObject({ is: 'merged', lacks: 2 });
  expect(text).toBe(texts('of mine\n', 'of main\n'));
  expect(lines).toMatchObject([
    { commit: git('rev-parse', 'mine') },
    { commit: git('rev-parse', 'main~1') },
  ]);
});

it('takes in what the work tree has beyond its commit', async () => {
  git('checkout', '--quiet', 'mine');
  write('deep/fleet/a.yaml', texts('not yet\n', 'last\n'));
  const { text, lines } = await merged();
  expect(text).toBe(texts('not yet\n', 'of main\n'));
  expect(lines).toMatchObject([{ is: 'notCommitted' }, { commit: git('rev-parse', 'main~1') }]);
  git('checkout', '--quiet', '--', 'deep');
});

it('writes nothing into the repository', async () => {
  const state = () => [
    git('count-objects', '-v'),
    git('for-each-ref'),
    git('status', '--porcelain'),
  ];
  const before = state();
  await merged('mine');
  await merged();
  expect(state()).toEqual(before);
});

it('is a conflict only where documents are torn', async () => {
  const left = git('merge-base', 'main', 'torn');
  const files = ['fleet/a.yaml'];
  expect(await merged('torn')).toEqual({ merge: { is: 'conflict', lacks: 2, left, files } });
  expect((await merged('other')).merge.is).toBe('merged');
});

it('is nothing where the branch has all of its base, or nothing in common with it', async () => {
  expect(await merged('ahead')).toEqual({ merge: { is: 'contained' } });
  expect(await merged('stranger')).toEqual({ merge: { is: 'unrelated', lacks: 3 } });
});

it.each([
  ['git version 2.37.9', 'gitTooOld'],
  ['git version 1.99.0', 'gitTooOld'],
  ['git version 2.38.0', 'merged'],
  ['git version 3.0.0 (of somebody)', 'merged'],
])('with %s is %s', async (version, is) => {
  const bin = scratchFolder('old-git');
  const script = `#!/bin/sh\ncase " $* " in *" version "*) echo '${version}' && exit ;; esac\nPATH='${env.PATH ?? ''}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script);
  chmodSync(join(bin, 'git'), 0o755);
  const { merge } = await merged('mine', { PATH: `${bin}:${env.PATH ?? ''}` });
  expect(merge).toMatchObject({ is, lacks: 2 });
});
