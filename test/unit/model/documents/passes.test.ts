import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPassed, passedBy } from '../../../../src/model/documents/passes.ts';
import { passedText } from '../../../../src/render/words/terms.ts';
import { ROOT } from '../../../habits/sources.ts';

const flat = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replace(/\s+/g, ' ');

test('N58 the schema and the page say what expedite passes, exactly as the table has it', () => {
  const said = `${passedText('expedite')}, and nothing else`;
  expect(flat('schemas/exceptions.schema.json')).toContain(said);
  expect(flat('docs/semantics.md')).toContain(said);
});

test('N58 an incident passes what expedite passes, and the day between the credentials', () => {
  expect(passedBy('incident').filter((what) => !isPassed(what, 'expedite'))).toEqual([
    'credentialGap',
  ]);
  expect(passedBy('expedite').filter((what) => !isPassed(what, 'incident'))).toEqual([]);
  expect(isPassed('window', undefined)).toBe(false);
});
