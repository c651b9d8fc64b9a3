import { expect, test } from 'vitest';
import { suggest } from '../../../src/config/suggest.ts';

test.each([
  ['one letter too few', 'versin', 'version'],
  ['one letter too many', 'versiion', 'version'],
  ['two letters swapped', 'versoin', 'version'],
  ['case alone', 'VERSION', 'version'],
  ['of two as near, the one that begins alike', 'ofline', 'offline'],
])('%s is near enough', (_, written, meant) => {
  expect(suggest(written, ['select', 'online', 'offline', 'version'])).toBe(meant);
});

test.each([['palette'], ['v'], ['x'.repeat(1_000)], ['']])('nothing is near %j', (written) => {
  expect(suggest(written, ['select', 'version', 'x'.repeat(999)])).toBeUndefined();
});
