import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REASON_CODES } from '../../../src/model/plan/reason.ts';

const ROOT = new URL('../../../', import.meta.url);
const SOURCE = readFileSync(new URL('src/model/plan/reason.ts', ROOT), 'utf8');
const SCHEMA = readFileSync(new URL('schemas/plan.schema.json', ROOT), 'utf8');

/** The list of the schema that has this word. */
function listWith(word: string): readonly string[] {
  const lists = [...SCHEMA.matchAll(/"enum": (\[[^\]]*\])/g)].map(([, text = '']) => JSON.parse(text));
  return (lists as (readonly string[])[]).find((list) => list.includes(word)) ?? [];
}

/** The members of a union of words in the source. */
function unionOf(name: string): readonly string[] {
  const start = SOURCE.indexOf(`export type ${name} =`);
  const text = SOURCE.slice(start, SOURCE.indexOf(';', start));
  return [...text.matchAll(/\| '(\w+)'/g)].map(([, word = '']) => word);
}

test('the schema of a plan lists every code of a reason, and every more precise word', () => {
  expect(listWith('alreadyConverged')).toEqual(REASON_CODES);
  expect(listWith('taskUnavailable')).toEqual(unionOf('ReasonWhy'));
});
