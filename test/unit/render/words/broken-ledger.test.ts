import { expect, it, test } from 'vitest';
import { proofJson } from '../../../../src/render/outputs/proof.ts';
import { errorWords } from '../../../../src/render/words/errors.ts';

const PLACED = { place: '/ledger', seq: 14, file: 'records/000000/000000009.json' };
const COMMIT = { place: 'origin', seq: 71, file: 'commit fca8b693d33c', changes: 'README.md' };
const AT = ' at record 14 (records/000000/000000009.json): ';

/** What was done to a ledger, and what its readers say of it. */
const DONE = [
  ['edited', { ...PLACED, why: 'content' }, `${AT}its file was edited`],
  ['a field edited', { ...PLACED, field: 'body.by' }, `${AT}its field \`body.by\` is not valid`],
  ['reordered', { ...PLACED, why: 'order' }, `${AT}another record stands in its place`],
  ['deleted', { ...PLACED, why: 'hole' }, `${AT}its file is missing, and later ones are there`],
  ['cut off', { ...PLACED, why: 'unreadable' }, `${AT}its file was cut off or edited`],
  [
    'one before it forged',
    { ...PLACED, why: 'chain' },
    `${AT}it was written after another record than the one before it`,
  ],
  [
    'a file beside it',
    { ...COMMIT, why: 'notALedger' },
    ' at record 71 (commit fca8b693d33c): a commit has several parents, or does not change head.json and records.json alone; this one changes README.md',
  ],
] as const;

it.each(DONE)('a record %s: where, and what happened', (_, params, said) => {
  expect(errorWords('ledgerBroken', params).summary).toBe(`The ledger is corrupt${said}.`);
  const check = { check: 'chain', result: 'broken', why: 'chainBroken', params } as const;
  expect(proofJson([check])['checks']).toMatchObject([{ says: `it is corrupt${said}` }]);
});

test('a ledger that has another record than the one that was seen does not end before it', () => {
  const said = (found: number) =>
    errorWords('ledgerRolledBack', { place: '/l', found, seen: 3 }).summary;
  expect(said(2)).toMatch(/: it ends at record 2, but record 3 was seen\.$/);
  for (const found of [3, 9])
    expect(said(found)).toMatch(/: its record 3 is not the one that was seen\.$/);
});
