import { expect, test } from 'vitest';
import {
  codeQualityJson,
  findingNotes,
  type LineNote,
} from '../../../../src/render/data/annotations.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const at = (line: number) => ({ file: 'fleet/a.yaml', line, column: 3 });
const issuesOf = (notes: readonly LineNote[]): readonly Issue[] =>
  JSON.parse(codeQualityJson(notes)) as Issue[];

test('each note is an issue on its line, with a level that GitLab knows', () => {
  const kinds = ['error', 'warning', 'notice'] as const;
  const notes = kinds.map((kind, n) => ({ kind, at: at(n + 1), title: 't', text: kind }));
  const issues = issuesOf(notes);
  expect(issues.map(({ severity }) => severity)).toEqual(['critical', 'major', 'info']);
  expect(issues.map(({ location }) => [location.path, location.lines.begin])).toEqual(
    [1, 2, 3].map((line) => ['fleet/a.yaml', line]),
  );
  expect(issues[0]?.description).toBe('t: error');
});

test('a fingerprint is of its own, and does not change when lines above it do', () => {
  const note = { kind: 'error', at: at(4), title: 't', text: 'same' } as const;
  const all = issuesOf([note, { ...note, at: at(9) }, { ...note, text: 'other' }]);
  expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  const [moved] = issuesOf([{ ...note, at: at(40) }]);
  expect(moved?.fingerprint).toBe(all[0]?.fingerprint);
});

test('a note without a line is left out, and no control character is in a description', () => {
  expect(issuesOf([{ kind: 'warning', title: 't', text: 'nowhere' }])).toEqual([]);
  const [issue] = issuesOf([{ kind: 'notice', at: at(1), title: 'a\u001b[31m', text: 'b\nc' }]);
  expect(issue?.description).toBe('a\\u{1b}[31m: b\\u{a}c');
});

test('the findings of documents that cannot be planned are all there', () => {
  const found = Array.from({ length: 30 }, (_, n) => ({
    code: 'siteUnknown' as const,
    severity: 'error' as const,
    at: at(n + 1),
    params: { site: `s${n}` },
  }));
  expect(issuesOf(findingNotes(found))).toHaveLength(30);
});
