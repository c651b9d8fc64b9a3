import { expect, it } from 'vitest';
import { parsePlace } from '../../../src/operations/explain-line.ts';
import type { DocumentEntry } from '../../../src/model/documents/entries.ts';
import { WorldError } from '../../../src/model/error.ts';
import { errorWords } from '../../../src/render/words/errors.ts';

function entry(file: string, line: number): DocumentEntry {
  const at = { file, line, column: 3 };
  const of = { name: `p-${line}`, value: {}, at, places: new Map() };
  return { section: 'firmware', address: `firmware.p-${line}`, of } as unknown as DocumentEntry;
}

const ENTRIES = [
  entry('fleet/first.yaml', 3),
  entry('fleet/first.yaml', 9),
  entry('fleet/b.yaml', 2),
];

function refusal(written: string): readonly (string | undefined)[] {
  try {
    parsePlace(written, ENTRIES);
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const { summary, detail, next } = errorWords(error.code, error.params);
    return [summary, detail, next];
  }
  return [];
}

it.each(['fleet/first.yaml:3', 'fleet/first.yaml:3:50', './fleet/first.yaml:3'])(
  'finds the entry at %s',
  (written) => {
    expect(parsePlace(written, ENTRIES)).toEqual({ file: 'fleet/first.yaml', line: 3 });
  },
);

it('finds it by the path from where a person is, in a folder of the repository', () => {
  const fromFolder = (file: string): string => `fleet/${file}`;
  const place = { file: 'fleet/first.yaml', line: 3 };
  expect(parsePlace('./first.yaml:3', ENTRIES, fromFolder)).toEqual(place);
  expect(parsePlace('fleet/first.yaml:3', ENTRIES, fromFolder)).toEqual(place);
});

it.each([
  [
    'fleet/first.yaml:8',
    'No entry at fleet/first.yaml:8.',
    'Lines with entries: 3, 9.',
    'Did you mean "fleet/first.yaml:9"?',
  ],
  [
    'fleet/first.yaml',
    'Not FILE:LINE: fleet/first.yaml.',
    'Lines with entries: 3, 9.',
    'Did you mean "fleet/first.yaml:3"?',
  ],
  [
    'first.yaml:3',
    'No document at first.yaml:3.',
    'Documents: fleet/first.yaml, fleet/b.yaml.',
    'Did you mean "fleet/first.yaml:3"?',
  ],
  [
    'elsewhere.txt:3',
    'No document at elsewhere.txt:3.',
    'Documents: fleet/first.yaml, fleet/b.yaml.',
    'Pass FILE:LINE as `plan` prints it.',
  ],
])('says of %s what is wrong with it, and the nearest entry', (written, ...message) => {
  expect(refusal(written)).toEqual(message);
});
