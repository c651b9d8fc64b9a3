import { expect, it } from 'vitest';
import {
  collectInputs,
  collectNames,
  toFile,
  toChoice,
  toOutput,
  toValidity,
} from '../../../../src/cli/program/flags.ts';

it('a plan is valid for a time above zero', () => {
  expect(toValidity('7d')).toBe(7 * 86_400_000);
  for (const text of ['0s', '0d', 'soon']) expect(() => toValidity(text)).toThrow('above zero');
});

it('the names of a part are not empty', () => {
  expect(collectNames('rotations.*', ['a'])).toEqual(['a', 'rotations.*']);
  for (const text of ['', '  ']) expect(() => collectNames(text)).toThrow('Write a name');
});

it('a workflow passes each input, and an empty one was left out', () => {
  expect(collectInputs('')).toBeUndefined();
  expect(collectInputs('', ['a'])).toEqual(['a']);
  expect(collectInputs('b', ['a'])).toEqual(['a', 'b']);
});

it.each([
  [toChoice(['text', 'json', 'md']), 'table', 'Did you mean "text"?'],
  [toChoice(['table', 'csv', 'ndjson']), 'text', 'Did you mean "table"?'],
  [toChoice(['table', 'csv', 'ndjson']), 'jsonl', 'Did you mean "ndjson"?'],
  [toChoice(['text', 'json']), 'jsno', 'Did you mean "json"?'],
  [toOutput(['table', 'json']), 'devices.json', 'redirect stdout'],
  [toFile, 'json', 'For the format use --format json'],
])(
  'a format of another name, and a format in the place of a file, get the right one',
  (parse, text, hint) => {
    expect(() => parse(text)).toThrow(hint);
  },
);

it('takes formats and files as they are', () => {
  expect(toChoice(['text', 'json'])('json')).toBe('json');
  expect(toOutput(['table', 'json'])('json')).toBe('json');
  expect(toFile('./json')).toBe('./json');
  expect(toFile('plan.json')).toBe('plan.json');
});
