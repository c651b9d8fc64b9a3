import { expect, it } from 'vitest';
import { nearest } from '../../../src/lib/nearest-name.ts';

it.each([
  ['HQ Belrin', ['HQ Bern', 'HQ Berlin'], 'HQ Berlin'],
  ['hq berlin', ['HQ Berlim', 'HQ Berlin'], 'HQ Berlin'],
  ['lobbyy', ['yard', 'lobby'], 'lobby'],
  ['lbby', ['lobby'], 'lobby'],
  ['labby', ['lobby'], 'lobby'],
  ['ab', ['ba'], 'ba'],
  ['Depot', ['HQ', 'Lager'], undefined],
  ['same', [], undefined],
  ['x'.repeat(65), ['x'.repeat(65)], undefined],
])('%j among %j means %j', (written, known, expected) => {
  expect(nearest(written, known)).toBe(expected);
});

it.each([
  ['one letter too few', 'versin', 'version'],
  ['one letter too many', 'versiion', 'version'],
  ['two letters swapped', 'versoin', 'version'],
  ['case alone', 'VERSION', 'version'],
  ['of two as near, the one that begins alike', 'ofline', 'offline'],
])('%s is near enough', (_, written, meant) => {
  expect(nearest(written, ['select', 'online', 'offline', 'version'])).toBe(meant);
});

it.each([['palette'], ['v'], ['x'.repeat(1_000)], ['']])('nothing is near %j', (written) => {
  expect(nearest(written, ['select', 'version', 'x'.repeat(999)])).toBeUndefined();
});
