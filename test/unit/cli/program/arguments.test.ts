import { expect, it } from 'vitest';
import { collectInputs, collectNames, toValidity } from '../../../../src/cli/program/arguments.ts';

it('a plan is valid for a time above zero', () => {
  expect(toValidity('7d')).toBe('7d');
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
