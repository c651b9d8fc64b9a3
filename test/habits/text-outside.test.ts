import { expect, test } from 'vitest';
import { sources } from './sources.ts';

/** What a change has before and after is said to people: fields that decide are typed. */
const BY_KEY =
  /\b(?:before|after)\??\.?\[\s*['"`]|\bfinalVersion\b|const \{[^{}.]*\} = (?:\w+\.)?(?:before|after);/;

/** The one who says it. */
const MAKERS = ['src/model/plan/upgrade-path.ts'];

test('no file outside render reads `before` or `after` of a change by key', () => {
  const guilty = sources('src')
    .filter(({ folder, path }) => folder !== 'render' && !MAKERS.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (BY_KEY.test(line) ? [`${path}:${index + 1}`] : [])),
    );
  expect(guilty).toEqual([]);
});

/** Where a place is told or made; who decides asks a change for its policy. */
test('no file that decides takes the policy of a change from its place', () => {
  const guilty = sources('src')
    .filter(({ folder }) => ['plan', 'apply', 'guard', 'operations'].includes(folder))
    .filter(({ text }) => /\bchange\.at\.policy\b/.test(text))
    .map(({ path }) => path)
    .filter((path) => path !== 'src/plan/saved/saved.ts');
  expect(guilty).toEqual([]);
});
