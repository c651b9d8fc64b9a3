import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Every rule of the documents that says "error" or "warning", by section, and the fixtures that break it. */
const RULES = JSON.parse(readFileSync(`${FIXTURES}error-rules.json`, 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;
const ROWS = Object.entries(RULES).flatMap(([section, rules]) =>
  Object.entries(rules).map(([rule, folders]) => [section, rule, folders] as const),
);

test.each(ROWS)('%s: %s', (_section, _rule, folders) => {
  expect(folders).not.toEqual([]);
  for (const folder of folders)
    expect(existsSync(`${FIXTURES}documents/${folder}/expected.txt`), folder).toBe(true);
});

test('every fixture is there for a rule', () => {
  const named = new Set(ROWS.flatMap(([, , folders]) => folders));
  expect(readdirSync(`${FIXTURES}documents`).filter((folder) => !named.has(folder))).toEqual([]);
});
