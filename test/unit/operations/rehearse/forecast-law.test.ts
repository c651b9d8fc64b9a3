import { expect, it } from 'vitest';
import { findLie, takeCourse } from '../../../support/foretold-fleet.ts';

/** A share of the 200 of `forecast-law.slow.test.ts`. */
const SEEDS = Array.from({ length: 4 }, (_, seed) => seed);

it('N86 generated fleets end when their plan says, or one window later, and nothing blocked ends', async () => {
  const lies: string[] = [];
  for (const seed of SEEDS)
    lies.push(...[findLie(await takeCourse(seed))].filter((lie) => lie !== undefined));
  expect(lies).toEqual([]);
});
