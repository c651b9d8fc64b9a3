import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { notedHead, readNotes } from '../../../src/git/notes.ts';
import { addNote } from '../../../src/git/write-note.ts';
import { ENV, GitPlace, PERSON } from '../../support/git-place.ts';

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());

const NOTES = 'refs/notes/fleetform';
const PRINT = '0123456789abcdef'.repeat(4);
const head = (seq: number) => `Ledger-Head: ${PRINT.slice(0, 12)} ${seq} ${'e'.repeat(64)}`;
const noteIn = (folder: string, commit: string): string =>
  place.git(folder, 'notes', '--ref=fleetform', 'show', commit);

function commitIn(folder: string): string {
  place.git(folder, ...PERSON, 'commit', '--quiet', '--allow-empty', '-m', 'more');
  return place.git(folder, 'rev-parse', 'HEAD');
}

test('is kept in this clone where it is shared with nobody, below what is there', async () => {
  const folder = place.another('alone');
  const commit = commitIn(folder);
  expect(await addNote(folder, ENV, { commit, text: `one\n\n${head(4)}\n` })).toBeUndefined();
  expect(await addNote(folder, ENV, { commit, text: `two\n\n${head(9)}\n` })).toBeUndefined();
  expect(noteIn(folder, commit)).toBe(`one\n\n${head(4)}\n\ntwo\n\n${head(9)}`);
  expect(await notedHead(folder, ENV, PRINT)).toMatchObject({ seq: 9 });
  expect([...(await readNotes(folder, ENV)).keys()]).toEqual([commit]);
  expect(place.git(folder, 'status', '--porcelain')).toBe('');
  expect(place.git(folder, 'for-each-ref', '--format=%(refname)', 'refs/notes')).toBe(NOTES);
});

test('is pushed where it is shared, on top of those that others pushed', async () => {
  const [one, two] = [place.another('first'), place.another('second')];
  const commit = place.git(one, 'rev-parse', 'HEAD');
  const remote = 'origin';
  expect(await addNote(one, ENV, { commit, text: 'from one\n', remote })).toBeUndefined();
  expect(await addNote(two, ENV, { commit, text: 'from two\n', remote })).toBeUndefined();
  expect(noteIn(place.bare, commit)).toBe('from one\n\nfrom two');
  expect(noteIn(two, commit)).toBe('from one\n\nfrom two');
});

test('of many that are written at once none is lost', async () => {
  const clones = ['a', 'b', 'c', 'd'].map((name) => place.another(`race-${name}`));
  const commit = commitIn(place.clone);
  place.git(place.clone, 'push', '--quiet', 'origin', 'HEAD:main');
  for (const clone of clones) place.git(clone, 'pull', '--quiet', 'origin', 'main');
  const writing = clones.map((clone, n) =>
    addNote(clone, ENV, { commit, text: `run ${n}\n`, remote: 'origin' }),
  );
  expect(await Promise.all(writing)).toEqual(clones.map(() => undefined));
  const lines = noteIn(place.bare, commit).split('\n').filter(Boolean);
  expect(lines.sort()).toEqual(['run 0', 'run 1', 'run 2', 'run 3']);
});

test('of many in one clone none is lost either', async () => {
  const folder = place.another('crowded');
  const commit = commitIn(folder);
  const writing = [0, 1, 2].map((n) => addNote(folder, ENV, { commit, text: `run ${n}\n` }));
  expect(await Promise.all(writing)).toEqual([undefined, undefined, undefined]);
  expect(noteIn(folder, commit).split('\n').filter(Boolean).sort()).toEqual([
    'run 0',
    'run 1',
    'run 2',
  ]);
});

test('what was noted here alone comes along once notes are shared', async () => {
  const folder = place.another('late');
  const commit = place.git(folder, 'rev-parse', 'HEAD~1');
  const remote = 'origin';
  await addNote(folder, ENV, { commit: commitIn(folder), text: 'mine alone\n' });
  expect(await addNote(folder, ENV, { commit, text: 'shared\n', remote })).toBeUndefined();
  const all = [...(await readNotes(folder, ENV)).values()].join('\n');
  expect(all).toContain('mine alone');
  expect(all).toContain('shared');
  expect(place.git(folder, 'rev-parse', NOTES)).toBe(place.git(place.bare, 'rev-parse', NOTES));
});

test('a remote that refuses, a commit that is not there and a folder that is no clone are told', async () => {
  const folder = place.another('refused');
  const commit = place.git(folder, 'rev-parse', 'HEAD');
  const before = place.git(place.bare, 'rev-parse', NOTES);
  place.hook('pre-receive', 'echo no notes here >&2; exit 1');
  const note = { commit, text: 'x\n', remote: 'origin' };
  expect(await addNote(folder, ENV, note)).toContain('pre-receive hook declined');
  place.unhook('pre-receive');
  expect(place.git(place.bare, 'rev-parse', NOTES)).toBe(before);
  expect(await addNote(folder, ENV, { commit: 'f'.repeat(40), text: 'x\n' })).not.toBe(undefined);
  const outside = join(place.root, 'outside');
  mkdirSync(outside);
  expect(await addNote(outside, ENV, { commit, text: 'x\n' })).not.toBe(undefined);
});
