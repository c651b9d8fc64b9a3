import { expect, it } from 'vitest';
import { findLie, takeCourses } from '../../../support/foretold-fleet.ts';

/** After the 4 of `forecast-law.test.ts`. */
const SEEDS = Array.from({ length: 196 }, (_, seed) => 4 + seed);

it.each(SEEDS)(
  'N86 generated fleet %i ends when its plan says, or one window later',
  async (seed) => {
    const courses = await takeCourses(seed);
    expect(courses.flatMap((course) => findLie(course) ?? [])).toEqual([]);
  },
);
