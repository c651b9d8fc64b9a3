import { expect, it } from 'vitest';
import { countOf } from '../../../support/campaign.ts';
import { findLie, takeCourses } from '../../../support/foretold-fleet.ts';

const SEEDS = Array.from({ length: countOf('forecasts') }, (_, seed) => seed);

it.each(SEEDS)(
  'N86 generated fleet %i ends when its plan says, or one window later',
  async (seed) => {
    const courses = await takeCourses(seed);
    expect(courses.flatMap((course) => findLie(course) ?? [])).toEqual([]);
  },
);
