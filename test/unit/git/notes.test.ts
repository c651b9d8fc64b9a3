import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { notedHead } from '../../../src/git/notes.ts';
import { ENV, GitPlace, PERSON } from '../../support/git-place.ts';

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());

const PRINT = '0123456789abcdef'.repeat(4);
const HASH = 'e'.repeat(64);

function note(text: string): void {
  const { clone } = place;
  place.git(clone, ...PERSON, 'commit', '--quiet', '--allow-empty', '-m', 'more');
  place.git(clone, ...PERSON, 'notes', '--ref=fleetform', 'add', '-m', text);
}

const noted = () => notedHead(place.clone, ENV, PRINT);

test('the newest note on a commit names a head, for its own tenant', async () => {
  expect(await noted()).toBeUndefined();
  note(`applied\n\nLedger-Head: ${PRINT.slice(0, 12)} 41 ${HASH}`);
  note(`applied\n\nLedger-Head: ${PRINT.slice(0, 12)} 57 ${HASH}`);
  expect(await noted()).toMatchObject({ seq: 57, hash: HASH, by: 'Test', at: expect.any(Number) });
});

test('notes of other tenants, and by hand, do not hide it (protocol J6)', async () => {
  for (let n = 0; n < 3; n += 1) note(`Ledger-Head: ${'f'.repeat(12)} ${90 + n} ${HASH}`);
  note('by hand');
  expect(await noted()).toMatchObject({ seq: 57, hash: HASH });
  expect(await notedHead(place.clone, ENV, 'f'.repeat(64))).toMatchObject({ seq: 92, hash: HASH });
  expect(await notedHead(place.clone, ENV, 'a'.repeat(64))).toBeUndefined();
});

test('a later note counts, even of a shorter ledger', async () => {
  note(`Ledger-Head: ${PRINT.slice(0, 12)} 3 ${HASH}`);
  expect(await noted()).toMatchObject({ seq: 3, hash: HASH });
});

test('files that a request calls binary hide no note (protocol J6)', async () => {
  writeFileSync(join(place.clone, '.gitattributes'), '* binary\n');
  expect(await noted()).toMatchObject({ seq: 3, hash: HASH });
});

test('where there is no clone there is no note', async () => {
  expect(await notedHead(place.root, ENV, PRINT)).toBeUndefined();
});
