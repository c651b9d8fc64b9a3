import { expect, test } from 'vitest';
import { growingCodes, growingInstants } from '../../../src/lib/growing-array.ts';
import { internBy, internTexts } from '../../../src/lib/intern.ts';
import { compareTexts } from '../../../src/lib/text-order.ts';

test('a value is kept once, and absence is code 0 and no value', () => {
  const texts = internTexts();
  expect(['a', 'b', 'a', undefined, ''].map(texts.codeOf)).toEqual([1, 2, 1, 0, 3]);
  expect(texts.values).toEqual(['', 'a', 'b', '']);
});

test('values are the same when their keys are', () => {
  const lists = internBy<readonly number[]>([], String);
  expect([lists.codeOf([1, 2]), lists.codeOf([1, 2]), lists.codeOf([2, 1])]).toEqual([1, 1, 2]);
});

test('codes grow beyond their first size and come out in any order', () => {
  const codes = growingCodes();
  for (let value = 0; value < 3_000; value++) codes.push(value);
  codes.set(1, 7);
  expect([codes.length, codes.at(2_999), codes.at(9_999)]).toEqual([3_000, 2_999, 0]);
  expect([...codes.values(Uint32Array.of(2_999, 1, 0))]).toEqual([2_999, 7, 0]);
});

test('instants keep what a code cannot: a missing one', () => {
  const instants = growingInstants();
  instants.push(Number.NaN);
  instants.push(1_800_000_000_000);
  expect([...instants.values(Uint32Array.of(1, 0))]).toEqual([1_800_000_000_000, Number.NaN]);
});

test('texts compare by code unit, not by the rules of a language', () => {
  expect(['é', 'a', 'Z', 'z'].sort(compareTexts)).toEqual(['Z', 'a', 'z', 'é']);
  expect(compareTexts('a', 'a')).toBe(0);
});
