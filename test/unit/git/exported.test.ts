import { describe, expect, test } from 'vitest';
import { exportedCommits } from '../../../src/git/exported.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const blob = (mark: number, text: string) =>
  `blob\nmark :${mark}\noriginal-oid ${A}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
const commit = (mark: number, id: string, rest: string, message = 'm') =>
  `commit ${A}\nmark :${mark}\noriginal-oid ${id}\nauthor x <y> 1 +0000\ncommitter x <y> 1 +0000\n` +
  `data ${Buffer.byteLength(message)}\n${message}\n${rest}\n`;

describe('what fast-export prints', () => {
  test('is commits in a line, each with what it changed', () => {
    const text =
      blob(1, 'one\n') +
      commit(2, A, 'M 100644 :1 records.json\n') +
      blob(3, 'zwei ü\nfrom :9\n') +
      commit(4, B, 'from :2\nM 100644 :3 records.json\nM 100644 :1 head.json\n', 'a\nblob\n');
    expect(exportedCommits(text)).toEqual([
      { id: A, parent: '', files: new Map([['records.json', 'one\n']]) },
      {
        id: B,
        parent: A,
        files: new Map([
          ['records.json', 'zwei ü\nfrom :9\n'],
          ['head.json', 'one\n'],
        ]),
      },
    ]);
  });

  test('names a parent that is not among them by its id', () => {
    const text = blob(1, '') + commit(2, B, `from ${A}\nM 100644 :1 records.json\n`);
    expect(exportedCommits(text)?.[0]?.parent).toBe(A);
    expect(exportedCommits('')).toEqual([]);
  });

  test.each([
    ['a merge', commit(2, A, `from ${A}\nmerge ${B}\n`)],
    ['a file removed', commit(2, A, 'D records.json\n')],
    ['a link', blob(1, 'x') + commit(2, A, 'M 120000 :1 records.json\n')],
    ['a program', blob(1, 'x') + commit(2, A, 'M 100755 :1 records.json\n')],
    ['a name in quotes', blob(1, 'x') + commit(2, A, 'M 100644 :1 "a\\nb"\n')],
    ['a file from nowhere', commit(2, A, 'M 100644 :7 records.json\n')],
    ['a parent from nowhere', commit(2, A, 'from :7\n')],
    ['a length that is not so', 'blob\nmark :1\ndata 99\nx\n'],
    ['a length that is none', 'blob\nmark :1\ndata <<END\nx\nEND\n'],
    ['a tag', 'tag v1\n'],
    ['no id', `commit ${A}\nmark :1\ndata 0\n\n`],
  ])('%s is no ledger', (_, text) => {
    expect(exportedCommits(text)).toBeUndefined();
  });
});
