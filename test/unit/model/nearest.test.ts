import { expect, it } from 'vitest';
import { nearest } from '../../../src/model/nearest.ts';

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
