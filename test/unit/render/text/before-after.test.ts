import { describe, expect, it } from 'vitest';
import { quotable } from '../../../../src/model/documents/quoted.ts';
import {
  documentBlocks,
  textDiff,
  valueEdits,
} from '../../../../src/render/outputs/differences.ts';
import type { Entry } from '../../../../src/render/tree.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { COLOURED, shown as print } from '../../../support/render-look.ts';

const shown = (edits: NonNullable<Entry['edits']>) =>
  edits.map(({ kind, text }) =>
    [kind, ...text.flatMap((part) => ('text' in part ? part.text : []))].join(': '),
  );

describe('values before and after', () => {
  it('show what goes and what comes', () => {
    expect(shown(valueEdits({ version: '1' }, { version: '2' }))).toEqual([
      'removed: version: 1',
      'added: version: 2',
    ]);
  });

  it('keep a field of which nothing is wanted', () => {
    expect(shown(valueEdits({ status: 'offline', seen: 'x' }, { status: 'online' }))).toEqual([
      'removed: status: offline',
      'added: status: online',
      'same: seen: x',
    ]);
  });

  it('show what is new alone where there was nothing', () => {
    expect(shown(valueEdits({}, { managed: true }))).toEqual(['added: managed: true']);
  });

  it('show what is there where nothing changes', () => {
    expect(shown(valueEdits({ version: '1' }, {}))).toEqual(['same: version: 1']);
    expect(valueEdits({}, {})).toEqual([]);
  });

  it('say that a value is not known', () => {
    expect(shown(valueEdits({ expiresAt: null }, {}))).toEqual(['same: expiresAt: unknown']);
  });

  it('never let a value add a line', () => {
    expect(valueEdits({ a: 'x\n+ approved' }, {})).toHaveLength(1);
  });
});

/** Documents as a command hands them over. */
function changed(documents: readonly { path: string; before?: string; after?: string }[]) {
  const quoted = documents.map(({ path, before, after }) => ({
    path,
    ...(before !== undefined && { before: quotable(before) }),
    ...(after !== undefined && { after: quotable(after) }),
  }));
  return print(documentBlocks(quoted)).trimEnd().split('\n');
}

describe('changed documents', () => {
  const before = ['a: 1', 'b: 2', 'c: 3', 'd: 4', 'e: 5', 'f: 6', ''].join('\n');

  it('are unified diffs with three lines around each change', () => {
    const after = before.replace('f: 6', 'f: 7');
    expect(changed([{ path: 'fleet/a.yaml', before, after }])).toEqual([
      'changed document fleet/a.yaml',
      '  @@ -3,4 +3,4 @@',
      '    c: 3',
      '    d: 4',
      '    e: 5',
      '  - f: 6',
      '  + f: 7',
    ]);
  });

  it('say when a document is new or gone, and leave out what is equal', () => {
    const lines = changed([
      { path: 'new.yaml', after: 'a: 1\n' },
      { path: 'old.yaml', before: 'b: 1\n' },
      { path: 'same.yaml', before, after: before },
    ]);
    expect(lines).toEqual([
      'new document new.yaml',
      '  @@ -0,0 +1,1 @@',
      '  + a: 1',
      '',
      'removed document old.yaml',
      '  @@ -1,1 +0,0 @@',
      '  - b: 1',
    ]);
  });

  it('end in bounded time where everything differs', () => {
    const many = (word: string) =>
      Array.from({ length: 20_000 }, (_, n) => `${word} ${n}\n`).join('');
    expect(textDiff(many('a'), many('b'))).toBeUndefined();
    const lines = changed([{ path: 'x', before: many('a'), after: many('b') }]);
    expect(lines.at(-1)).toContain('too many differences');
  });

  it('obey nothing that stands in them', () => {
    for (const name of hostileNames(60)) {
      const lines = changed([{ path: name, before: `a: ${name}`, after: name }]);
      for (const line of lines) expect(line).not.toMatch(FORBIDDEN);
    }
  });

  it('show no secret, neither of a changed line nor of one beside it', () => {
    const secret = ['service:', '  clientSecret: hunter2', '  organization: acme', ''].join('\n');
    const lines = changed([
      { path: 'a', before: secret, after: secret.replace('acme', 'other') },
      { path: 'b', before: secret, after: secret.replace('hunter2', 'hunter2 too') },
      { path: 'c', after: secret },
    ]);
    expect(lines.join('\n')).not.toContain('hunter2');
    expect(lines).toContain('      clientSecret: ***');
    expect(lines).toContain('  +   clientSecret: ***');
  });

  it('are coloured by what happens to a line', () => {
    const blocks = documentBlocks([
      { path: 'a', before: quotable('a: 1\n'), after: quotable('a: 2\n') },
    ]);
    const lines = print(blocks, { paint: COLOURED, width: 80 }).split('\n');
    expect(lines.slice(2, 4)).toEqual([
      '\u001b[31m  - a: 1\u001b[0m',
      '\u001b[32m  + a: 2\u001b[0m',
    ]);
  });
});

it('of a long document the first lines are shown, and how many more there are', () => {
  const text = quotable(Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join(''));
  const lines = print(documentBlocks([{ path: 'fleet/a.yaml', after: text }]))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(42);
  expect(lines.at(-1)).toBe('  and 61 more lines');
});
